"""The probe blames the model's server only where that is certain."""

import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from pydantic import SecretStr

from operations.agent import probe
from operations.agent.probe import llm_problem


class Answer(BaseHTTPRequestHandler):
    """Answers with the status in the path, and notes what it was asked."""

    asked: list[tuple[str, str | None]]

    def do_GET(self) -> None:
        self.asked.append((self.path, self.headers.get("Authorization")))
        self.send_response(int(self.path.split("/")[1]))
        self.send_header("Location", "/200/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def server() -> Iterator[ThreadingHTTPServer]:
    Answer.asked = []
    with ThreadingHTTPServer(("127.0.0.1", 0), Answer) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.05,))
        thread.start()
        yield running
        running.shutdown()
        thread.join()


@pytest.fixture
def point_to(settings) -> Callable[..., None]:
    def change(url: str, key: str | None = "sk-key", **more: object) -> None:
        update = {"llm_url": url, "llm_key": SecretStr(key) if key else None, **more}
        settings.PAPERSITE = settings.PAPERSITE.model_copy(update=update)

    return change


@pytest.mark.parametrize(
    ("status", "problem"),
    [(200, None), (401, "key refused"), (403, "key refused"), (404, None), (429, None), (500, None), (302, None)],
)
def test_an_answer_is_judged_by_its_status(
    server: ThreadingHTTPServer, point_to: Callable[..., None], status: int, problem: str | None
):
    point_to(f"http://127.0.0.1:{server.server_port}/{status}")
    assert llm_problem() == problem
    assert Answer.asked == [(f"/{status}/models", "Bearer sk-key")]  # one request: redirects are not followed


def test_without_a_key_none_is_sent(server: ThreadingHTTPServer, point_to: Callable[..., None]):
    point_to(f"http://127.0.0.1:{server.server_port}/200", key=None)
    assert llm_problem() is None
    assert Answer.asked == [("/200/models", None)]


@pytest.mark.parametrize("key", ["schlüssel", "two\nlines"])
def test_a_key_no_header_can_carry_is_refused(point_to: Callable[..., None], key: str):
    point_to("http://127.0.0.1:9", key=key)
    assert llm_problem() == "key refused"


def test_nobody_there_is_unreachable(point_to: Callable[..., None]):
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        point_to(f"http://127.0.0.1:{free.getsockname()[1]}")
        assert llm_problem() == "unreachable"


def test_a_server_that_never_answers_is_unreachable(point_to: Callable[..., None], monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(probe, "TIMEOUT", 0.2)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        point_to(f"http://127.0.0.1:{silent.getsockname()[1]}")
        assert llm_problem() == "unreachable"


def test_a_server_that_talks_something_else_is_there(point_to: Callable[..., None]):
    with socket.create_server(("127.0.0.1", 0)) as odd:

        def talk() -> None:
            connection, _ = odd.accept()
            with connection:
                connection.recv(1000)
                connection.sendall(b"SSH-2.0-hello\r\n")

        thread = threading.Thread(target=talk)
        thread.start()
        point_to(f"http://127.0.0.1:{odd.getsockname()[1]}")
        assert llm_problem() is None
        thread.join()


def test_only_the_default_agent_with_an_address_is_probed(point_to: Callable[..., None], settings):
    point_to("http://127.0.0.1:9", agent_command=["agent"])
    assert llm_problem() is None
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"agent_command": [], "llm_url": None})
    assert llm_problem() is None
