"""A load of several clients at once, each of which opens a connection for each request, in one process.

Small on purpose: it asks the kernel which of its sockets are ready, so that it takes as little of the processor from
the server beside it as Python can. `python -m tests.bench.load http://127.0.0.1:8000/` measures one address, to be
compared with `wrk -t1 -c8 -d10 -H 'Connection: close' ADDRESS`.
"""

import argparse
import selectors
import socket
import sys
import time
from dataclasses import dataclass, field
from urllib.parse import urlsplit

CLIENTS = 8
SECONDS = 8.0
# Seconds without any answer after which the server is taken for dead.
_PATIENCE = 30.0
_CHUNK = 1 << 18


@dataclass
class Load:
    """What a run of `seconds` saw: milliseconds for each answer, and the bytes of the last."""

    seconds: float
    milliseconds: list[float] = field(default_factory=list)
    answer_bytes: int = 0

    @property
    def per_second(self) -> float:
        """Answers a second."""
        return len(self.milliseconds) / self.seconds


class _Client:
    """One connection: sends the request as soon as it is open, and reads until the server closes it."""

    def __init__(self, address: tuple[str, int]) -> None:
        self.began = time.perf_counter()
        self.head = b""
        self.bytes = 0
        self.socket = socket.socket()
        self.socket.setblocking(False)
        self.socket.connect_ex(address)

    def read(self) -> bool:
        """Take what has come; tell whether that was all."""
        data = self.socket.recv(_CHUNK)
        if data and not self.head:
            self.head = data[:64]
        self.bytes += len(data)
        return not data


def put_load(url: str, *, seconds: float = SECONDS, clients: int = CLIENTS, headers: str = "") -> Load:
    """Ask for `url` with `clients` at once for `seconds`; `headers` are further lines, each with its line end.

    Raises:
        ValueError: the server answered with something else than 200.
        TimeoutError: it did not answer for long.
    """
    parts = urlsplit(url)
    address = (str(parts.hostname), parts.port or 80)
    target = parts.path + (f"?{parts.query}" if parts.query else "")
    request = f"GET {target} HTTP/1.1\r\nHost: {parts.netloc}\r\nConnection: close\r\n{headers}\r\n".encode()
    load = Load(seconds)
    with selectors.DefaultSelector() as selector:
        for _number in range(clients):
            selector.register((client := _Client(address)).socket, selectors.EVENT_WRITE, client)
        _run(selector, address, request, load)
        for key in list(selector.get_map().values()):
            key.data.socket.close()
    return load


def _run(selector: selectors.BaseSelector, address: tuple[str, int], request: bytes, load: Load) -> None:
    end = time.perf_counter() + load.seconds
    while time.perf_counter() < end:
        ready = selector.select(_PATIENCE)
        if not ready:
            raise TimeoutError(f"no answer for {_PATIENCE:.0f} seconds")
        for key, events in ready:
            client = key.data
            if events & selectors.EVENT_WRITE:
                client.socket.send(request)
                selector.modify(client.socket, selectors.EVENT_READ, client)
            elif client.read():
                _note(client, load)
                selector.unregister(client.socket)
                client.socket.close()
                selector.register((client := _Client(address)).socket, selectors.EVENT_WRITE, client)


def _note(client: _Client, load: Load) -> None:
    if b" 200 " not in client.head:
        raise ValueError(f"answered {client.head[:20]!r}")
    load.milliseconds.append((time.perf_counter() - client.began) * 1000)
    load.answer_bytes = client.bytes


def main() -> None:
    """Measure one address."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    parser.add_argument("--seconds", type=float, default=SECONDS)
    options = parser.parse_args()
    load = put_load(options.url, seconds=options.seconds)
    sys.stdout.write(f"{load.per_second:.0f} a second, {load.answer_bytes} bytes each\n")


if __name__ == "__main__":
    main()
