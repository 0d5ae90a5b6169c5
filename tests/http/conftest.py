"""A small server whose answers a test writes itself."""

import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from operations.http.client import PoliteClient
from tests.replay import QUICK


class Request(BaseHTTPRequestHandler):
    """One request to the small server, with ways to answer it."""

    protocol_version = "HTTP/1.1"
    server: "SmallServer"

    def do_GET(self) -> None:
        self.server.requests.append(self)
        try:
            self.server.answer(self)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True

    def log_message(self, *arguments) -> None:
        pass

    def reply(self, body: bytes = b"", status: int = 200, length: int | None = None, **headers: str) -> None:
        """Send a whole answer; `length` announces another length than the body has."""
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body) if length is None else length), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)
        if length is not None:
            self.close_connection = True


class SmallServer(ThreadingHTTPServer):
    """Answers with `answer`, and keeps the requests."""

    daemon_threads = True
    answer: Callable[[Request], None]

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Request)
        self.requests: list[Request] = []
        self.url = f"http://127.0.0.1:{self.server_port}"

    def handle_error(self, request, client_address) -> None:
        """Say nothing: clients that hang up are what these tests are about."""

    def answers(self, *answers: Callable[[Request], None]) -> None:
        """Give these answers one after another, and the last one for ever."""
        waiting = list(answers)
        self.answer = lambda request: (waiting.pop(0) if len(waiting) > 1 else waiting[0])(request)


@pytest.fixture
def server() -> Iterator[SmallServer]:
    """A server on loopback."""
    with SmallServer() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def pauses() -> list[float]:
    """The seconds the client would have slept."""
    return []


@pytest.fixture
def client(server: SmallServer, pauses: list[float]) -> Iterator[PoliteClient]:
    """A client that may ask the small server alone, and does not really sleep."""
    with PoliteClient([server.url], user_agent="Papersite/test", patience=QUICK, sleep=pauses.append) as client:
        yield client
