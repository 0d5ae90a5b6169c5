"""The one way out: a polite HTTP client that is patient within limits, and goes to configured hosts only."""

import ssl
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from math import inf
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import httpx

from operations.http.answers import refusal
from operations.http.body import read_into_file, read_into_memory, refuse_announced_size
from operations.http.deadline import Deadline
from operations.http.destinations import Destinations, shown
from operations.http.errors import CutShort, ForbiddenRedirect, SourceError, SourceUnavailable, UnexpectedAnswer
from operations.http.pace import RequestPace, Turn
from operations.http.patience import Patience, retrying

_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_MOST_REDIRECTS = 5
# Loopback is never reached through a proxy of the environment.
_DIRECT: Mapping[str, None] = {"all://localhost": None, "all://127.0.0.1": None, "all://[::1]": None}

Result = TypeVar("Result")


@dataclass(frozen=True)
class Answer:
    """A whole answer with status 200; names of `headers` in any case, `url` after redirects."""

    status: int
    headers: httpx.Headers
    body: bytes
    url: str


@dataclass(frozen=True)
class Downloaded:
    """A file that came whole."""

    path: Path
    size: int
    content_type: str


class PoliteClient:
    """Asks the hosts of the given addresses, repeats what fails for a moment, and keeps their pace.

    All methods raise `SourceError`s: SourceUnavailable, NotFound, Refused, TooLarge, UnexpectedAnswer,
    ForbiddenRedirect. One client serves one thread.
    """

    def __init__(
        self,
        addresses: Iterable[str],
        *,
        user_agent: str,
        patience: Patience | None = None,
        pace: RequestPace | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Allow the hosts of `addresses`, also after redirects; `pace` is kept by each single request."""
        self.patience = patience or Patience()
        self._destinations = Destinations(addresses)
        self._pace = pace
        self._sleep = sleep
        self._http = httpx.Client(
            headers={"User-Agent": user_agent},
            verify=_tls(),
            timeout=httpx.Timeout(self.patience.read, connect=self.patience.connect),
            limits=httpx.Limits(max_keepalive_connections=0),  # see Deadline
            follow_redirects=False,
            mounts=_DIRECT,
            event_hooks={"response": [_set_location_aside]},
        )

    def __enter__(self) -> Self:
        """Return the client."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the connections."""
        self.close()

    def close(self) -> None:
        """Close the connections."""
        self._http.close()

    def get(
        self,
        url: str,
        *,
        params: Mapping[str, str | int] | None = None,
        limit_bytes: int,
        accept: str = "*/*",
        check: Callable[[Answer], None] | None = None,
    ) -> Answer:
        """Return the answer, decoded, of at most `limit_bytes`.

        `check` may raise a SourceError for an answer that is not what was asked for; if it says that it is temporary,
        the request is repeated as after any other trouble.
        """
        address = httpx.URL(url).copy_merge_params(params or {})

        def read(response: httpx.Response) -> Answer:
            body = read_into_memory(response, limit_bytes)
            _refuse_nothing(len(body))
            return Answer(response.status_code, response.headers, body, shown(response.url))

        def attempt() -> Answer:
            headers = {"Accept": accept, "Accept-Encoding": "gzip"}
            answer = self._follow(address, headers, limit_bytes, self.patience.total, read)
            if check:
                check(answer)
            return answer

        return self._repeat(attempt)

    def download(self, url: str, path: Path, *, limit_bytes: int) -> Downloaded:
        """Fetch the file into `path` as it was sent, replacing what is there only when it has come whole."""
        address = httpx.URL(url)
        with _beside(path) as part:

            def read(response: httpx.Response) -> Downloaded:
                size = read_into_file(response, part, limit_bytes)
                _refuse_nothing(size)
                return Downloaded(path, size, response.headers.get("content-type", "")[:200])

            def attempt() -> Downloaded:
                headers = {"Accept-Encoding": "identity"}
                return self._follow(address, headers, limit_bytes, self.patience.download_total, read)

            downloaded = self._repeat(attempt, longest=self.patience.download_longest)
            part.replace(path)
        return downloaded

    def _repeat(self, attempt: Callable[[], Result], *, longest: float = inf) -> Result:
        return retrying(self.patience, self._sleep, longest)(attempt)

    def _follow(
        self,
        url: httpx.URL,
        headers: Mapping[str, str],
        limit_bytes: int,
        seconds: float,
        read: Callable[[httpx.Response], Result],
    ) -> Result:
        """Make the request and those its redirects ask for, each in its own turn."""
        self._destinations.check(url)
        for _ in range(_MOST_REDIRECTS + 1):
            with self._turn() as turn, _explained(url), self._response(url, headers, seconds) as response:
                turn.answered()
                location = response.extensions["location"]
                if response.status_code not in _REDIRECTS or not location:
                    self._refuse_failure(response, turn)
                    refuse_announced_size(response, limit_bytes)
                    return read(response)
            url = self._destinations.after_redirect(url, location)
        raise ForbiddenRedirect(f"{shown(url)}: more than {_MOST_REDIRECTS} redirects")

    @contextmanager
    def _turn(self) -> Iterator[Turn]:
        if self._pace is None:
            yield Turn()
            return
        with self._pace.turn() as turn:
            yield turn

    @contextmanager
    def _response(self, url: httpx.URL, headers: Mapping[str, str], seconds: float) -> Iterator[httpx.Response]:
        """Send one request; its headers and all that the block reads must come within `seconds`."""
        self._http.cookies.clear()
        with Deadline(seconds) as deadline:
            try:
                with self._http.stream("GET", url, headers=headers, extensions={"trace": deadline.trace}) as response:
                    yield response
            except httpx.TransportError as error:
                if not deadline.is_over:
                    raise
                raise SourceUnavailable(f"not finished within {seconds:g} seconds", is_temporary=True) from error
            if deadline.is_over:  # a body without a length ends like a whole one when its socket is shut
                raise SourceUnavailable(f"not finished within {seconds:g} seconds", is_temporary=True)

    def _refuse_failure(self, response: httpx.Response, turn: Turn) -> None:
        """Raise what the status means; after 429 and 503 the other processes wait as well."""
        error = refusal(response)
        if error is None:
            return
        if error.status in (429, 503):
            turn.hold_back(self.patience.bounded(error.retry_after) or self.patience.first_pause)
        raise error


@cache
def _tls() -> ssl.SSLContext:
    """Return the certificates that are trusted; reading them takes longer than many an answer."""
    return httpx.create_ssl_context()


def _set_location_aside(response: httpx.Response) -> None:
    """Keep httpx from reading a redirect's address, which it does with errors of its own."""
    response.extensions["location"] = response.headers.pop("location", "")


# What h11 says of a body that is shorter than announced; httpx has no class of its own for it.
_CUT = "without sending complete message body"


def _refuse_nothing(size: int) -> None:
    if not size:
        raise UnexpectedAnswer("the answer is empty", is_temporary=True)


@contextmanager
def _explained(url: httpx.URL) -> Iterator[None]:
    """Turn httpx's errors into ours, and say in each message which address it was."""
    try:
        yield
    except httpx.TransportError as error:
        reason = str(error) or type(error).__name__
        kind = CutShort if _CUT in reason else SourceUnavailable
        raise kind(f"{shown(url)}: {reason}", is_temporary=True) from error
    except SourceError as error:
        error.args = (f"{shown(url)}: {error}",)
        raise
    except (httpx.HTTPError, httpx.StreamError, httpx.InvalidURL) as error:
        raise UnexpectedAnswer(f"{shown(url)}: {error}") from error


@contextmanager
def _beside(path: Path) -> Iterator[Path]:
    """Yield a new file beside `path`, and remove it if it still lies there at the end."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", suffix=".part", delete=False) as file:
        part = Path(file.name)
    try:
        yield part
    finally:
        part.unlink(missing_ok=True)
