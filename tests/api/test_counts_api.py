"""`GET dates`, `GET tags`, `GET authors`, `GET stats` and `GET changes`."""

import datetime as dt

import pytest

from papers import api_changes, api_counts
from papers.models import Paper, PaperTag
from tests.factories import make_paper, make_summary

pytestmark = pytest.mark.django_db

API = "/api/v1/"


@pytest.fixture(autouse=True)
def library():
    first = make_paper(
        arxiv_id="2605.00001", paper_date=dt.date(2026, 5, 1), tags=["Agents", "x"], authors=["Ada", "Bo"]
    )
    make_summary(first, tags=[])
    make_paper(arxiv_id="2605.00002", paper_date=dt.date(2026, 5, 3), tags=["agents"], authors=["Ada"])


def body(client, path: str, **parameters):
    answer = client.get(API + path, parameters)
    assert answer.status_code == 200, answer.content
    return answer.json()


@pytest.mark.parametrize(
    ("path", "schema", "items"),
    [
        ("dates", api_counts.DatesOut, [{"date": "2026-05-03", "papers": 1}, {"date": "2026-05-01", "papers": 1}]),
        ("tags", api_counts.TagsOut, [{"tag": "Agents", "papers": 2}, {"tag": "x", "papers": 1}]),
        ("authors", api_counts.AuthorsOut, [{"name": "Ada", "papers": 2}, {"name": "Bo", "papers": 1}]),
    ],
)
def test_counts_come_with_their_names_in_pages(client, path, schema, items):
    found = body(client, path)
    assert (found["items"], found["count"]) == (items, 2)
    assert set(found) == set(schema.model_fields)
    assert schema.model_validate(found)
    assert body(client, path, limit=1)["items"] == items[:1]
    assert body(client, path, limit=1, offset=1) == found | {"items": items[1:]}
    assert body(client, path, offset=5)["items"] == []


@pytest.mark.parametrize(
    ("path", "q", "names"),
    [("authors", "ad", ["Ada"]), ("authors", "zz", []), ("tags", "agent", ["Agents"]), ("authors", " ", ["Ada", "Bo"])],
)
def test_names_are_found_by_a_part(client, path, q, names):
    found = body(client, path, q=q)
    assert [item.get("name") or item["tag"] for item in found["items"]] == names
    assert found["count"] == len(names)


def test_an_empty_library_has_no_days(client):
    Paper.objects.all().delete()
    assert body(client, "dates") == {"items": [], "count": 0}
    stats = body(client, "stats")
    assert (stats["papers"], stats["days"], stats["newest_day"], stats["states"]) == (0, 0, None, {})


def test_totals(client):
    stats = body(client, "stats")
    assert api_counts.StatsOut.model_validate(stats)
    assert stats == {
        "papers": 2,
        "days": 2,
        "newest_day": "2026-05-03",
        "oldest_day": "2026-05-01",
        "states": {"done": 1, "pending": 1},
        "qualities": {"normal": 1},
    }


@pytest.mark.parametrize(
    "address",
    [
        "dates?limit=0",
        "dates?q=x",
        "tags?limit=1001",
        "authors?offset=-1",
        "stats?x=1",
        "changes?since=yesterday",
        "changes?since=2026-05-01",
        "changes?since=2026-05-01T00:00:00",
        "changes?since=",
        "changes?since=5",
        "changes?since=2026-02-30T00:00:00Z",
        "changes?since=%00",
        "changes?since=%ED%A0%80",
        "changes?limit=1001",
    ],
)
def test_what_cannot_be_used_is_refused(client, address):
    answer = client.get(API + address)
    assert answer.status_code == 422, answer.content


def named(found) -> list[tuple[str, bool]]:
    return [(item["arxiv_id"], item["deleted"]) for item in found["items"]]


def test_a_mirror_follows_changes_and_deletions(client):
    found = body(client, "changes", limit=1)
    assert api_changes.ChangesOut.model_validate(found)
    assert (named(found), found["has_more"]) == ([("2605.00001", False)], True)
    found = body(client, "changes", since=found["next_since"])
    assert (named(found), found["has_more"]) == ([("2605.00002", False)], False)
    found = body(client, "changes", since=found["next_since"])
    assert named(found) == []
    PaperTag.objects.filter(paper__arxiv_id="2605.00001").delete()
    Paper.objects.get(arxiv_id="2605.00002").delete()
    found = body(client, "changes", since=found["next_since"])
    assert named(found) == [("2605.00001", False), ("2605.00002", True)]


@pytest.mark.parametrize(("since", "number"), [("2020-01-01T00:00:00Z", 2), ("2999-01-01T00:00:00+08:00", 0)])
def test_changes_since_a_moment(client, since, number):
    assert len(body(client, "changes", since=since)["items"]) == number


def test_a_token_of_what_was_taken_back_says_so(client):
    answer = client.get(f"{API}changes", {"since": api_changes._signer().sign("999999")})
    assert (answer.status_code, answer.json()["code"]) == (422, "since_unknown")
