import json
from datetime import date, timedelta

import pytest

from operations.http.errors import SourceUnavailable, TooLarge, UnexpectedAnswer
from operations.sources.huggingface import DateRefused, fetch_day_pages, huggingface_client, read_page
from tests.sources.test_huggingface_entry import listed

DAY = date(2026, 1, 21)


def paper(number: int, **more) -> dict:
    return listed(**{"id": f"2601.{number:05d}", "title": f"Title {number}", **more})


def pages(*bodies):
    """Answer page p with the p-th body, and with an empty list after the last."""

    def answer(request):
        number = int(request.path.split("p=")[1].split("&")[0])
        body = bodies[number] if number < len(bodies) else []
        request.reply(body if isinstance(body, bytes) else json.dumps(body).encode())

    return answer


def ids(client, day=DAY) -> list[list[str]]:
    return [[entry.arxiv_id[5:] for entry in page.entries] for page in fetch_day_pages(client, day)]


def test_a_day_ends_at_the_first_empty_page_and_no_sooner(source, client):
    source.answer = pages([paper(1), paper(2)], [paper(3)], [paper(4), paper(5)])
    assert ids(client) == [["00001", "00002"], ["00003"], ["00004", "00005"]]
    assert [request.path for request in source.requests] == [
        f"/api/daily_papers?date=2026-01-21&p={number}&limit=100" for number in range(4)
    ]


def test_an_empty_day_is_no_error(source, client):
    source.answer = pages()
    assert ids(client) == []


def test_what_slips_to_the_next_page_while_the_list_grows_is_taken_once(source, client):
    source.answer = pages([paper(1), paper(2)], [paper(2, upvotes=9), paper(3), {"paper": {}}], [{"paper": {}}])
    found = list(fetch_day_pages(client, DAY))
    assert [[e.arxiv_id[5:] for e in page.entries] for page in found] == [["00001", "00002"], ["00003"], []]
    assert [len(page.bad) for page in found] == [0, 1, 0]


def test_two_versions_are_one_paper():
    page = read_page([listed(id="2601.00001v1"), listed(id="2601.00001v2")], set())
    assert len(page.entries) == 1


def test_a_bad_entry_costs_only_itself(source, client):
    source.answer = pages([paper(1), None, {"paper": {"id": "abc", "title": "x"}}, 7, paper(2, title=None), paper(3)])
    page = next(fetch_day_pages(client, DAY))
    assert [entry.arxiv_id[5:] for entry in page.entries] == ["00001", "00003"]
    assert [bad.arxiv_id for bad in page.bad] == [None, None, None, "2601.00002"]
    assert len({bad.key for bad in page.bad}) == 4


def test_pages_whose_number_is_ignored_end(source, client):
    source.answer = lambda request: request.reply(json.dumps([paper(1)]).encode())
    assert ids(client) == [["00001"]]


def test_a_day_without_an_end_is_unexpected(source, client):
    source.answer = pages(*([paper(number)] for number in range(1, 100)))
    with pytest.raises(UnexpectedAnswer, match="does not end"):
        ids(client)
    assert len(source.requests) == 50


def test_a_refused_date_says_so(source, client):
    source.answer = lambda request: request.reply(b'{"error": "Invalid\\n date"}', 400)
    with pytest.raises(DateRefused) as caught:
        ids(client)
    assert (caught.value.date, caught.value.message) == (DAY, "Invalid date")
    assert "2026-01-21" in str(caught.value)


@pytest.mark.parametrize("body", [b"", b"<html>", b"[1]", b"\xff\x00"])
def test_a_refusal_may_give_any_reason(source, client, body):
    source.answer = lambda request: request.reply(body, 400)
    with pytest.raises(DateRefused):
        ids(client)


@pytest.mark.parametrize(
    "body",
    [
        b"<html><body>We are down</body></html>",
        b'{"error": "no"}',
        b'"text"',
        b"null",
        b'[{"paper": ',
        b"\x00\x01\x02",
        b"[" * 100_000,
        b"1" * 10_000,
        b"\xef\xbb\xbf",
    ],
)
def test_what_is_no_list_is_asked_for_again_and_then_unexpected(source, client, body):
    source.answer = lambda request: request.reply(body)
    with pytest.raises(UnexpectedAnswer):
        ids(client)
    assert len(source.requests) == 4


def test_odd_characters_and_numbers_cost_no_entry(source, client):
    body = b'\xef\xbb\xbf[{"paper": {"id": "2601.00001", "title": "caf\xe9 \\ud800 x", "upvotes": NaN, "stars": -Infinity}}]'
    source.answer = pages(body)
    (entry,) = next(fetch_day_pages(client, DAY)).entries
    assert (entry.title, entry.upvotes) == ("caf\N{REPLACEMENT CHARACTER} x", None)


def test_another_days_list_served_again_is_refused(source, client):
    yesterday = [paper(number, submittedOnDailyAt="2026-01-20T01:00:00.000Z") for number in (1, 2)]
    today = [paper(3, submittedOnDailyAt="2026-01-21T01:00:00.000Z"), yesterday[0], paper(4)]
    source.answers(pages(yesterday), pages(today))
    assert ids(client) == [["00003", "00001", "00004"]]
    source.answers(pages(yesterday))
    with pytest.raises(UnexpectedAnswer, match="2026-01-20"):
        ids(client)


def test_the_pages_before_a_failure_are_had(source, client):
    good = pages([paper(1)])
    source.answer = lambda request: good(request) if "p=0" in request.path else request.reply(b"", 500)
    iterator = fetch_day_pages(client, DAY)
    assert next(iterator).entries[0].arxiv_id == "2601.00001"
    with pytest.raises(SourceUnavailable):
        next(iterator)


def test_a_flood_is_too_large(source, client):
    source.answer = lambda request: request.reply(b"[" + b" " * 30_000_000 + b"]")
    with pytest.raises(TooLarge):
        ids(client)


def test_the_user_agent_names_the_project_and_where_it_runs(source, settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"base_url": "https://papers.example.org"})
    source.answer = pages()
    with huggingface_client() as client:
        ids(client)
    agent = source.requests[0].headers["User-Agent"]
    assert agent.startswith("Papersite/")
    assert "https://papers.example.org" in agent


# Recorded


def test_all_recorded_days_are_read_without_a_lost_entry(recorded):
    papers = typed_links = kept_links = 0
    for path in sorted((recorded / "hf_daily").glob("*.json")):
        raw = json.loads(path.read_bytes())
        page = read_page(raw, set())
        assert page.bad == ()
        assert [entry.arxiv_id for entry in page.entries] == list(dict.fromkeys(entry["paper"]["id"] for entry in raw))
        assert all(e.title and e.abstract and e.authors and e.published_at for e in page.entries)
        papers += len(page.entries)
        typed_links += sum(bool(entry["paper"].get("githubRepo")) for entry in raw)
        kept_links += sum(bool(entry.code_url) for entry in page.entries)
    assert papers > 6000
    assert typed_links - kept_links <= 3  # an owner alone is no repository


def test_a_replayed_day_comes_whole_in_pages(replayed_sources, recorded, settings):
    raw = json.loads((recorded / "hf_daily" / "2026-01-21.json").read_bytes())
    replayed_sources.start("--most", "7")
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=replayed_sources.addresses)
    with huggingface_client() as client:
        found = [entry.arxiv_id for page in fetch_day_pages(client, DAY) for entry in page.entries]
    assert found == [entry["paper"]["id"] for entry in raw]
    assert len(replayed_sources.log("daily_papers")) == -(-len(raw) // 7) + 1


@pytest.mark.parametrize(
    "fault",
    [
        {"status": 429, "headers": {"Retry-After": "0"}},
        {"status": 429, "headers": {"RateLimit": '"api";r=0;t=1'}},
        {"status": 500},
        {"hang": 3},
        {"cut": 1000},
        {"body": "<html>maintenance</html>"},
        {"body": ""},
    ],
    ids=str,
)
def test_a_fault_that_passes_costs_nothing(replayed_sources, fault):
    replayed_sources.faults([{"match": "daily_papers", "times": 2, **fault}])
    with huggingface_client() as client:
        assert sum(len(page.entries) for page in fetch_day_pages(client, DAY)) > 10


@pytest.mark.parametrize(
    ("fault", "error"), [({"status": 503}, SourceUnavailable), ({"body": "<html>"}, UnexpectedAnswer)]
)
def test_a_fault_that_stays_is_told(replayed_sources, fault, error):
    replayed_sources.faults([{"match": "daily_papers", **fault}])
    with huggingface_client() as client, pytest.raises(error):
        list(fetch_day_pages(client, DAY))


def test_a_future_date_is_refused(replayed_sources):
    with huggingface_client() as client, pytest.raises(DateRefused):
        list(fetch_day_pages(client, date.today() + timedelta(days=2)))
