"""The recorded world over HTTP on loopback: Hugging Face under `/hf`, arXiv under `/arxiv`."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

from demo import world

_DEFAULT_LIMIT, _MOST = 50, 100
_ATOM = "http://www.w3.org/2005/Atom"
_ARXIV = "http://arxiv.org/schemas/atom"


class Answers(BaseHTTPRequestHandler):
    """Answers the requests that the site makes."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        """Answer by the path."""
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        path = unquote(parts.path)
        if path == "/hf/api/daily_papers":
            self._daily_papers(query)
        elif path == "/arxiv/api/query":
            self._send(200, "application/atom+xml; charset=utf-8", _feed(query.get("id_list", "")))
        elif path.startswith("/arxiv/e-print/"):
            self._send_file("application/gzip", world.source_of(path.removeprefix("/arxiv/e-print/")))
        elif path.startswith("/arxiv/pdf/"):
            arxiv_id = path.removeprefix("/arxiv/pdf/").removesuffix(".pdf")
            self._send_file("application/pdf", world.printed_pdf_of(arxiv_id))
        else:
            self._send_file("text/plain", None)

    def _daily_papers(self, query: dict[str, str]) -> None:
        try:
            day = date.fromisoformat(query.get("date", "")).isoformat()
            page, limit = int(query.get("p", "0")), int(query.get("limit", str(_DEFAULT_LIMIT)))
        except ValueError:
            self._send(400, "application/json", b'{"error": "Invalid date"}')
            return
        limit = max(1, min(limit, _MOST))
        entries = world.day_entries(day)[page * limit : (page + 1) * limit]
        self._send(200, "application/json; charset=utf-8", json.dumps(entries).encode())

    def _send_file(self, kind: str, content: bytes | None) -> None:
        if content is None:
            self._send(404, "text/plain", b"Not here")
        else:
            self._send(200, kind, content)

    def _send(self, status: int, kind: str, content: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_arguments: Any) -> None:
        """Keep the terminal quiet."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_arguments: Any) -> None:
        """Say nothing when a client closes its connection."""


def _feed(id_list: str) -> bytes:
    facts = world.arxiv_facts()
    known = [arxiv_id for arxiv_id in id_list.split(",") if arxiv_id in facts]
    entries = "".join(_entry(arxiv_id, facts[arxiv_id]) for arxiv_id in known)
    head = f'<?xml version="1.0" encoding="UTF-8"?>\n<feed xmlns="{_ATOM}" xmlns:arxiv="{_ARXIV}">'
    return f"{head}<title>arXiv Query</title>{entries}</feed>".encode()


def _entry(arxiv_id: str, facts: dict[str, Any]) -> str:
    address = f"http://arxiv.org/abs/{arxiv_id}v{facts['version']}"
    plain = {
        "id": address,
        "title": facts["title"],
        "updated": facts["updated"],
        "published": facts["published"],
        "summary": facts["abstract"],
    }
    optional = {f"arxiv:{name}": facts[name] for name in ("comment", "journal_ref", "doi") if facts.get(name)}
    lines = [f"<{name}>{escape(text)}</{name}>" for name, text in (plain | optional).items()]
    lines += [f"<author><name>{escape(name)}</name></author>" for name in facts["authors"]]
    lines += [f'<category term="{name}" scheme="{_ARXIV}"/>' for name in facts["categories"]]
    lines.append(f'<arxiv:primary_category term="{facts["categories"][0]}"/>')
    return f"<entry>{''.join(lines)}</entry>"


@contextmanager
def serving_world() -> Iterator[str]:
    """Serve the world on a free loopback port for the length of the block; gives its address."""
    with _Server(("127.0.0.1", 0), Answers) as server:
        threading.Thread(target=server.serve_forever, name="recorded world", daemon=True).start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
