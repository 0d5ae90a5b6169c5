"""The port: taken before anything else starts, and looked at until the site answers there."""

import argparse
import http.client
import socket
import time
from collections.abc import Callable

_EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  # noqa: S104
_BACKLOG = 512
_HIGHEST_PORT = 65_535


class PortTaken(Exception):
    """The address cannot be listened on."""


def port_number(text: str) -> int:
    """Return a port given on a command line; 0 is any free one.

    Raises:
        argparse.ArgumentTypeError: it is none; argparse names the option and ends with exit code 2.
    """
    if not text.isdecimal() or int(text) > _HIGHEST_PORT:
        raise argparse.ArgumentTypeError(f"{text!r} is not a port between 0 and {_HIGHEST_PORT}")
    return int(text)


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens on `host` and `port` (0: any free port).

    The web server inherits it, so that no other program can take the port between the check and the start.

    Raises:
        PortTaken: the port is in use, not allowed, or the host is not one of this machine.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, protocol)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        raise PortTaken(
            f"cannot listen on {host} port {port}: {error.strerror}; choose another with --port (make: PORT=8080)"
        ) from error
    return listener


def site_address(listener: socket.socket) -> str:
    """Return the address to open in a browser on this machine."""
    host, port = listener.getsockname()[:2]
    host = _EVERYWHERE.get(host, host)
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def answers(listener: socket.socket, timeout: float = 2.0) -> bool:
    """Tell whether an HTTP answer of any kind comes within `timeout` seconds."""
    host, port = listener.getsockname()[:2]
    connection = http.client.HTTPConnection(_EVERYWHERE.get(host, host), port, timeout=timeout)
    try:
        connection.request("GET", "/api/v1/health")
        connection.getresponse().read()
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
    return True


def wait_for_answer(listener: socket.socket, *, seconds: float, given_up: Callable[[], bool]) -> bool:
    """Wait until the site answers; False when `seconds` are over or `given_up` says so first."""
    deadline = time.monotonic() + seconds
    while not given_up() and time.monotonic() < deadline:
        if answers(listener):
            return True
        time.sleep(0.1)
    return False
