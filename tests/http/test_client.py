import gzip
import os
import socket
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

from operations.http.client import PoliteClient
from operations.http.errors import (
    CutShort,
    ForbiddenRedirect,
    NotFound,
    Refused,
    SourceError,
    SourceUnavailable,
    TooLarge,
    UnexpectedAnswer,
)
from operations.http.patience import Patience
from tests.replay import QUICK

LIMIT = 100_000


def replies(*arguments, **options):
    return lambda request: request.reply(*arguments, **options)


def drip(request):
    """Never be silent for long, and never finish."""
    request.send_response(200)
    request.end_headers()
    for _ in range(100):
        request.wfile.write(b"x")
        time.sleep(0.05)


def drip_headers(request):
    for character in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 100:
        request.wfile.write(bytes([character]))
        time.sleep(0.05)


def hang_up(request):
    request.close_connection = True


def hang(request):
    time.sleep(1.5)
    request.close_connection = True


def cut_chunks(request):
    request.send_response(200)
    request.send_header("Transfer-Encoding", "chunked")
    request.end_headers()
    request.wfile.write(b"5\r\nhello\r\n")
    request.close_connection = True


def test_it_says_who_it_is_and_passes_parameters(server, client):
    server.answers(replies(b"{}"))
    answer = client.get(f"{server.url}/a", params={"date": "2026-01-02", "p": 0}, limit_bytes=LIMIT)
    assert answer.body == b"{}"
    assert answer.status == 200
    assert server.requests[0].path == "/a?date=2026-01-02&p=0"
    assert server.requests[0].headers["User-Agent"] == "Papersite/test"


@pytest.mark.parametrize("status", [408, 425, 429, 500, 502, 503, 504, 599])
def test_what_passes_is_asked_again(server, client, status):
    server.answers(replies(b"no", status), replies(b"no", status), replies(b"yes"))
    assert client.get(server.url, limit_bytes=LIMIT).body == b"yes"
    assert len(server.requests) == 3


@pytest.mark.parametrize(
    "trouble", [hang_up, hang, cut_chunks, drip, drip_headers, replies(b"cut", length=50)], ids=lambda t: t.__name__
)
def test_an_answer_that_does_not_come_whole_and_in_time_is_asked_for_again(server, client, trouble):
    client.patience = Patience(**{**vars(QUICK), "total": 0.5})
    server.answers(trouble, replies(b"whole"))
    assert client.get(server.url, limit_bytes=LIMIT).body == b"whole"
    assert len(server.requests) == 2


@pytest.mark.parametrize("trouble", [drip, drip_headers])
def test_a_slow_drip_of_bytes_ends_at_the_time_limit(server, client, tmp_path, trouble):
    server.answers(trouble)
    client.patience = Patience(**{**vars(QUICK), "total": 0.3, "download_total": 0.3, "attempts": 1})
    began = time.monotonic()
    with pytest.raises(SourceUnavailable, match="not finished within"):
        client.get(server.url, limit_bytes=LIMIT)
    with pytest.raises(SourceUnavailable, match="not finished within"):
        client.download(server.url, tmp_path / "file", limit_bytes=LIMIT)
    assert time.monotonic() - began < 10
    assert list(tmp_path.iterdir()) == []


def test_patience_ends(server, client, pauses):
    server.answers(replies(b"", 500))
    with pytest.raises(SourceUnavailable) as caught:
        client.get(f"{server.url}/x", limit_bytes=LIMIT)
    assert len(server.requests) == QUICK.attempts
    assert len(pauses) == QUICK.attempts - 1
    assert caught.value.status == 500
    assert f"{server.url}/x: HTTP 500" in str(caught.value)


def test_a_download_that_took_its_time_in_vain_is_not_begun_again(server, client, tmp_path):
    """So that a file that only drips in keeps no worker for an hour."""
    client.patience = replace(QUICK, download_longest=0.01)
    server.answers(replies(b"", 500))
    with pytest.raises(SourceUnavailable):
        client.download(f"{server.url}/x", tmp_path / "x", limit_bytes=LIMIT)
    assert len(server.requests) == 1


def test_nobody_at_the_door_is_unavailable(pauses):
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{unused.getsockname()[1]}"
        client = PoliteClient([url], user_agent="x", patience=QUICK, sleep=pauses.append)
        with pytest.raises(SourceUnavailable):
            client.get(url, limit_bytes=LIMIT)
    assert len(pauses) == QUICK.attempts - 1


def test_pauses_grow_and_differ(server, client, pauses):
    client.patience = Patience(attempts=6, first_pause=1, longest_pause=8)
    server.answers(replies(b"", 500))
    with pytest.raises(SourceUnavailable):
        client.get(server.url, limit_bytes=LIMIT)
    for pause, full in zip(pauses, [1, 2, 4, 8, 8], strict=True):
        assert full / 2 <= pause <= full


@pytest.mark.parametrize(
    ("headers", "expected"),
    [
        ({"Retry_After": "7"}, 7),
        ({"Retry_After": "0"}, 0),
        ({"Retry_After": "99999999"}, 60),
        ({"Retry_After": "1" * 400}, 0),
        ({"Retry_After": "-5"}, 0),
        ({"Retry_After": "soon"}, 0),
        ({"Retry_After": ""}, 0),
        ({"Retry_After": "Mon, 99 Foo 2026 99:99:99 GMT"}, 0),
        ({"Retry_After": format_datetime(datetime.now(UTC) - timedelta(days=400), usegmt=True)}, 0),
        ({"Retry_After": format_datetime(datetime.now(UTC) + timedelta(days=400), usegmt=True)}, 60),
        ({"RateLimit": '"api";r=0;t=9'}, 9),
        ({"RateLimit": '"api";r=12;t=9'}, 0),
        ({"RateLimit": '"pages";r=0;t=3, "api";r=0;t=11'}, 11),
        ({"RateLimit": '"api";r=0;t=9', "Retry_After": "2"}, 2),
        ({"RateLimit": "nonsense"}, 0),
    ],
)
def test_the_source_may_say_how_long_to_wait(server, client, pauses, headers, expected):
    client.patience = Patience(first_pause=0.01, longest_pause=0.1, longest_retry_after=60)
    server.answers(replies(b"", 429, **headers), replies(b"yes"))
    client.get(server.url, limit_bytes=LIMIT)
    assert pauses == [pytest.approx(expected, abs=0.02)]


def test_an_http_date_is_waited_for(server, client, pauses):
    client.patience = Patience(first_pause=0.01, longest_retry_after=60)
    moment = datetime.now(UTC) + timedelta(seconds=30)
    server.answers(replies(b"", 503, Retry_After=format_datetime(moment, usegmt=True)), replies(b"yes"))
    client.get(server.url, limit_bytes=LIMIT)
    assert 27 < pauses[0] <= 30


def test_the_error_says_how_long_the_source_asked_to_be_left_alone(server, client):
    server.answers(replies(b"", 429, Retry_After="3600"))
    with pytest.raises(SourceUnavailable) as caught:
        client.get(server.url, limit_bytes=LIMIT)
    assert caught.value.retry_after == 3600


@pytest.mark.parametrize(
    ("status", "error"),
    [
        (404, NotFound),
        (410, NotFound),
        (400, Refused),
        (401, Refused),
        (406, Refused),
        (403, SourceUnavailable),
        (204, UnexpectedAnswer),
        (206, UnexpectedAnswer),
        (304, UnexpectedAnswer),
    ],
)
def test_what_will_not_change_is_not_asked_again(server, client, status, error):
    server.answers(replies(b"" if status in (204, 304) else b"why", status))
    with pytest.raises(error) as caught:
        client.get(server.url, limit_bytes=LIMIT)
    assert len(server.requests) == 1
    assert caught.value.status == status


def test_a_refusal_carries_the_reason_though_it_be_packed_or_endless(server, client):
    server.answers(replies(gzip.compress(b"bad date"), 400, Content_Encoding="gzip"), replies(b"x" * 1_000_000, 400))
    for expected in (b"bad date", b"x" * 4096):
        with pytest.raises(Refused) as caught:
            client.get(server.url, limit_bytes=LIMIT)
        assert caught.value.body == expected


def test_an_empty_answer_is_asked_for_again_and_then_unexpected(server, client, tmp_path):
    server.answers(replies(b""), replies(b"yes"))
    assert client.get(server.url, limit_bytes=LIMIT).body == b"yes"
    server.answers(replies(b""))
    with pytest.raises(UnexpectedAnswer, match="empty"):
        client.download(server.url, tmp_path / "file", limit_bytes=LIMIT)
    assert list(tmp_path.iterdir()) == []


def test_a_check_that_fails_for_the_moment_has_it_asked_again(server, client):
    def check(answer):
        if answer.body != b"right":
            raise UnexpectedAnswer("wrong", is_temporary=answer.body == b"wrong")

    server.answers(replies(b"wrong"), replies(b"right"))
    assert client.get(server.url, limit_bytes=LIMIT, check=check).body == b"right"
    server.answers(replies(b"never"))
    with pytest.raises(UnexpectedAnswer):
        client.get(server.url, limit_bytes=LIMIT, check=check)
    assert len(server.requests) == 3


# Sizes


def endless(request):
    request.send_response(200)
    request.end_headers()
    while True:
        request.wfile.write(b"x" * 10_000)


@pytest.mark.parametrize(
    "answer",
    [
        replies(b"x" * (LIMIT + 1)),
        replies(b"x", length=LIMIT + 1),
        endless,
        replies(gzip.compress(b"0" * 100_000_000), Content_Encoding="gzip"),
        replies(gzip.compress(os.urandom(LIMIT + 10)), Content_Encoding="gzip"),
    ],
    ids=["whole", "announced", "endless", "bomb", "packed"],
)
def test_more_than_the_limit_is_too_large_at_once(server, client, answer):
    server.answers(answer)
    with pytest.raises(TooLarge):
        client.get(server.url, limit_bytes=LIMIT)
    assert len(server.requests) == 1


def test_exactly_the_limit_is_not_too_large(server, client):
    server.answers(replies(b"x" * LIMIT), replies(gzip.compress(b"y" * LIMIT), Content_Encoding="GZip"))
    assert client.get(server.url, limit_bytes=LIMIT).body == b"x" * LIMIT
    assert client.get(server.url, limit_bytes=LIMIT).body == b"y" * LIMIT


@pytest.mark.parametrize(
    ("body", "encoding", "error"),
    [
        (gzip.compress(b"hello" * 100)[:-12], "gzip", SourceUnavailable),
        (b"not gzip at all", "gzip", UnexpectedAnswer),
        (b"hello", "br", UnexpectedAnswer),
    ],
    ids=["cut", "not packed", "packed otherwise"],  # packed bytes hold the time: no two processes would agree
)
def test_a_badly_packed_answer_is_no_answer(server, client, body, encoding, error):
    server.answers(replies(body, Content_Encoding=encoding))
    with pytest.raises(error):
        client.get(server.url, limit_bytes=LIMIT)


# Downloads


def test_a_download_is_kept_as_it_was_sent(server, client, tmp_path):
    packed = gzip.compress(b"\\documentclass{article}")
    server.answers(replies(packed, Content_Encoding="x-gzip", Content_Type="application/x-eprint"))
    downloaded = client.download(server.url, tmp_path / "new" / "folder" / "file", limit_bytes=LIMIT)
    assert downloaded.path.read_bytes() == packed
    assert (downloaded.size, downloaded.content_type) == (len(packed), "application/x-eprint")
    assert server.requests[0].headers["Accept-Encoding"] == "identity"


def test_an_attempt_that_breaks_off_leaves_nothing_in_the_next_one(server, client, tmp_path):
    server.answers(replies(b"half of the", length=50), replies(b"whole"))
    path = client.download(server.url, tmp_path / "file", limit_bytes=LIMIT).path
    assert path.read_bytes() == b"whole"
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("answer", "error"),
    [
        (replies(b"half", length=50), CutShort),
        (replies(b"x" * (LIMIT + 1)), TooLarge),
        (endless, TooLarge),
        (replies(b"gone", 404), NotFound),
        (replies(b"no", 503), SourceUnavailable),
    ],
    ids=["cut", "large", "endless", "missing", "unavailable"],
)
def test_a_failed_download_leaves_what_was_there(server, client, tmp_path, answer, error):
    (tmp_path / "file").write_bytes(b"from yesterday")
    server.answers(answer)
    with pytest.raises(error):
        client.download(server.url, tmp_path / "file", limit_bytes=LIMIT)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_bytes() == b"from yesterday"


# Where it goes


def redirects(location, status=302):
    return replies(b"", status, Location=location)


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_redirects_are_followed_on_the_configured_host(server, client, status):
    server.answers(redirects("/b?c=d#e", status), redirects("c", status), replies(b"here"))
    answer = client.get(f"{server.url}/a", limit_bytes=LIMIT)
    assert (answer.body, answer.url) == (b"here", f"{server.url}/c")


@pytest.mark.parametrize(
    "location",
    [
        "http://example.org/",
        "//example.org/",
        "https://localhost/",
        "http://127.0.0.1/",
        "http://127.0.0.1:1/",
        "http://127.0.0.1.example.org/",
        "http://user@example.org/",
        "ftp://127.0.0.1/",
        "file:///etc/passwd",
        "javascript:alert(1)",
        "http://[::1",
        "http://127.0.0.1:99999999/",
        "\x01",
    ],
)
def test_redirects_elsewhere_are_not_followed(server, client, location):
    server.answers(redirects(location))
    with pytest.raises(ForbiddenRedirect):
        client.get(server.url, limit_bytes=LIMIT)
    assert len(server.requests) == 1


def test_a_redirect_carries_no_credentials(server, client):
    server.answers(
        lambda request: request.reply(b"", 302, Location=f"http://me:secret@{server.url[7:]}/b", Set_Cookie="a=b"),
        replies(b"here"),
    )
    answer = client.get(server.url, limit_bytes=LIMIT)
    assert "secret" not in answer.url
    assert "Authorization" not in server.requests[1].headers
    assert "Cookie" not in server.requests[1].headers


def test_redirects_in_circles_end(server, client):
    server.answers(redirects("/"))
    with pytest.raises(ForbiddenRedirect):
        client.get(server.url, limit_bytes=LIMIT)
    assert len(server.requests) == 6


def test_the_first_address_must_be_configured_too(client):
    with pytest.raises(ForbiddenRedirect):
        client.get("http://example.org/", limit_bytes=LIMIT)


def test_a_proxy_of_the_environment_is_not_used_for_loopback(server, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    server.answers(replies(b"direct"))
    with PoliteClient([server.url], user_agent="x", patience=QUICK) as client:
        assert client.get(server.url, limit_bytes=LIMIT).body == b"direct"


def test_every_error_is_a_source_error():
    for error in (ForbiddenRedirect, NotFound, Refused, SourceUnavailable, TooLarge, UnexpectedAnswer):
        assert issubclass(error, SourceError)
