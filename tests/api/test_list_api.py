"""`GET papers`: filters, orders, and pages that neither skip nor repeat."""

import datetime as dt

import pytest
from django.db import connection

from papers.models import Paper
from papers.queries import listing
from tests.factories import make_paper, make_summary

pytestmark = pytest.mark.django_db

PAPERS = "/api/v1/papers"
SORTS = ("paper_date", "upvotes", "published_at", "relevance")


def ids(answer) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [item["arxiv_id"] for item in answer.json()["items"]]


def paper(number: int, **columns) -> Paper:
    return make_paper(arxiv_id=f"2605.{number:05d}", **columns)


def walk(client, parameters: dict, between=lambda: None) -> list[str]:
    """Follow the cursor from the first page to the last; `between` runs after each page."""
    found, cursor = [], None
    for _page in range(50):
        answer = client.get(PAPERS, parameters | ({"cursor": cursor} if cursor else {}))
        found += ids(answer)
        cursor = answer.json()["next_cursor"]
        if cursor is None:
            return found
        between()
    raise AssertionError("the pages do not end")


@pytest.fixture
def library():
    """Papers that differ in everything that a list is filtered by."""
    first = paper(1, paper_date=dt.date(2026, 5, 1), tags=["Sparse Attention", "x"], authors=["Ada"], upvotes=5)
    make_summary(first, quality="low")
    paper(2, paper_date=dt.date(2026, 5, 2), tags=["x"], authors=["Ada", "Bo"], upvotes=9, code_url="https://c.example")
    paper(3, paper_date=dt.date(2026, 5, 3), authors=["Bo"], upvotes=1, state="failed", is_withdrawn=True)


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        ("date=2026-05-02", [2]),
        ("from=2026-05-02", [3, 2]),
        ("to=2026-05-02", [2, 1]),
        ("from=2026-05-02&to=2026-05-02", [2]),
        ("from=2026-05-03&to=2026-05-01", []),
        ("tag=x", [2, 1]),
        ("tag=sparse%20attention", [1]),
        ("tag=ＳＰＡＲＳＥattention", [1]),
        ("tag=x&tag=SparseAttention", [1]),
        ("tag=unknown", []),
        ("author=Ada", [2, 1]),
        ("author=ada", []),
        ("author=Ada&tag=x&from=2026-05-02", [2]),
        ("status=failed", [3]),
        ("status=done", [1]),
        ("quality=low", [1]),
        ("difficulty=中等", [1]),
        ("difficulty=困难", []),
        ("code=true", [2]),
        ("code=false", [3, 1]),
        ("withdrawn=true", [3]),
        ("withdrawn=false", [2, 1]),
        ("sort=upvotes", [2, 1, 3]),
        ("sort=upvotes&author=Bo", [2, 3]),
        ("sort=published_at", [3, 2, 1]),
        ("q=sparse&sort=upvotes", [2, 1, 3]),
        ("q=sparse&author=Bo&sort=paper_date", [3, 2]),
        ("q=sparse&status=failed", [3]),
        ("q=sparse&quality=low&difficulty=中等&tag=x&author=Ada&date=2026-05-01&code=false&withdrawn=false", [1]),
        ("updated_since=2020-01-01T00:00:00Z", [3, 2, 1]),
        ("updated_since=2020-01-01T00:00:00%2B08:00", [3, 2, 1]),
        ("updated_since=2999-01-01T00:00:00Z", []),
    ],
)
@pytest.mark.parametrize("few", [listing.FEW, -1], ids=["few", "walked"])
def test_filters_hold_together_and_orders_are_highest_first(client, library, monkeypatch, few, query, numbers):
    monkeypatch.setattr(listing, "FEW", few)
    answer = client.get(f"{PAPERS}?{query}")
    assert ids(answer) == [f"2605.{number:05d}" for number in numbers]
    assert (answer.json()["count"], answer.json()["count_capped"]) == (len(numbers), False)


@pytest.mark.parametrize(
    "query",
    [
        "sort=relevance",
        "sort=votes",
        "sort=",
        "status=x",
        "quality=x",
        "code=perhaps",
        "tag=",
        "author=",
        "author=%00",
        "tag=%20",
        "author=" + "x" * 301,
        "&".join(["tag=x"] * 11),
        "from=1",
        "to=2026-5-1",
        "first=2026-05-01",
        "updated_since=2026-05-01",
        "updated_since=2026-05-01T00:00:00",
        "updated_since=1700000000",
        "updated_since=2026-02-30T00:00:00Z",
        "updated_since=2026-05-01T25:00:00Z",
        "cursor=",
        "cursor=nonsense",
        "cursor=%00",
        "cursor=%ED%A0%80",
        "cursor=a:b:c",
        "cursor=" + "x" * 2000,
    ],
)
def test_what_cannot_be_used_is_refused(client, library, query):
    answer = client.get(f"{PAPERS}?{query}")
    assert answer.status_code == 422, answer.content
    assert set(answer.json()) == {"detail", "code"}


@pytest.mark.parametrize("sort", SORTS)
@pytest.mark.parametrize("few", [listing.FEW, -1], ids=["few", "walked"])
def test_pages_by_cursor_are_the_list(client, monkeypatch, sort, few):
    monkeypatch.setattr(listing, "FEW", few)
    for number in range(1, 12):
        published = dt.date(2026, 1, number % 4 + 1) if number % 3 else None
        paper(number, paper_date=dt.date(2026, 5, number % 3 + 1), upvotes=number % 4 or None, published_at=published)
    parameters = {"sort": sort, "withdrawn": "false", "from": "2026-05-01"} | (
        {"q": "sparse"} if sort == "relevance" else {}
    )
    whole = ids(client.get(PAPERS, parameters))
    assert len(whole) == 11
    for limit in (1, 2, 3, 11):
        assert walk(client, parameters | {"limit": limit}) == whole


@pytest.mark.parametrize("sort", SORTS[:3])
def test_papers_that_arrive_or_go_between_two_pages_move_no_other(client, sort):
    for number in range(1, 10):
        paper(number, paper_date=dt.date(2026, 5, number), upvotes=number)
    arrived = iter(range(100, 200))

    def arrive():
        paper(next(arrived), paper_date=dt.date(2026, 6, 1), upvotes=1000)
        Paper.objects.filter(arxiv_id="2605.00009").delete()

    found = walk(client, {"limit": 2, "sort": sort}, arrive)
    assert found == [f"2605.{number:05d}" for number in range(9, 0, -1)]


def test_a_cursor_holds_for_its_filters_and_order_alone(client, library):
    cursor = client.get(PAPERS, {"limit": 1}).json()["next_cursor"]
    assert ids(client.get(PAPERS, {"limit": 2, "cursor": cursor})) == ["2605.00002", "2605.00001"]
    for other in ({"sort": "upvotes"}, {"tag": "x"}, {"q": "sparse"}, {"offset": 1}, {"cursor": cursor[:-1] + "!"}):
        answer = client.get(PAPERS, {"cursor": cursor} | other)
        assert answer.status_code == 422, other


def test_a_window_that_holds_none_leads_on_to_the_next(client, library, monkeypatch):
    monkeypatch.setattr(listing, "WINDOW", 1)
    first = client.get(PAPERS, {"difficulty": "中等"})
    assert ids(first) == [] and first.json()["next_cursor"] and first.json()["count_capped"]
    assert walk(client, {"difficulty": "中等"}) == ["2605.00001"]


@pytest.mark.parametrize(
    "query", ["", "sort=upvotes", "sort=published_at", "from=2026-05-01", "code=true&sort=upvotes", "difficulty=x"]
)
def test_no_list_is_sorted_without_an_index(client, library, monkeypatch, query):
    plans = []
    ask = listing.rows

    def planned(statement, *parameters):
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {statement}", parameters)
            plans.extend(row[3] for row in cursor.fetchall())
        return ask(statement, *parameters)

    monkeypatch.setattr(listing, "rows", planned)
    monkeypatch.setattr(listing, "FEW", -1)
    client.get(f"{PAPERS}?{query}")
    assert plans and not [step for step in plans if "TEMP B-TREE" in step or step == "SCAN papers"]


def test_a_change_of_a_paper_s_tags_moves_its_updated_at(client):
    stored = paper(1)
    before = client.get(f"{PAPERS}/2605.00001").json()["updated_at"]
    Paper.objects.get(pk=stored.pk).authors.all()[0].delete()
    after = client.get(f"{PAPERS}/2605.00001").json()["updated_at"]
    assert after > before
    assert ids(client.get(PAPERS, {"updated_since": after})) == ["2605.00001"]


def test_what_is_sent_is_what_the_document_says(client):
    from papers.api_schemas import PaperPageOut

    make_summary(paper(1, tags=["a"], categories="cs.CL", code_stars=3))
    paper(2, state=None, upvotes=None, published_at=None)
    sent = client.get(PAPERS).json()
    told = PaperPageOut.model_validate(sent)
    assert set(sent) == set(PaperPageOut.model_fields)
    for item in sent["items"]:
        assert set(item) == set(type(told.items[0]).model_fields)
    assert told.model_dump(mode="json")["items"][1]["summary"] == sent["items"][1]["summary"]


@pytest.mark.parametrize("path", [PAPERS, f"{PAPERS}/2605.00001", f"{PAPERS}?q=sparse"])
def test_an_answer_that_is_the_same_is_304(client, path):
    stored = paper(1)
    answer = client.get(path, headers={"accept-encoding": "gzip"})
    assert answer.headers["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert answer.headers["Content-Encoding"] == "gzip" and "Last-Modified" in answer.headers
    etag = {"if-none-match": answer.headers["ETag"]}
    same = client.get(path, headers=etag)
    assert (same.status_code, same.content) == (304, b"")
    assert client.head(path).headers["ETag"] == answer.headers["ETag"]
    Paper.objects.filter(pk=stored.pk).update(upvotes=500)
    assert client.get(path, headers=etag).status_code == 200


@pytest.mark.parametrize(
    ("form", "content_type", "part"),
    [
        ("bibtex", "application/x-bibtex", "@"),
        ("ris", "application/x-research-info-systems", "TY  -"),
        ("csljson", "application/vnd.citationstyles.csl+json", '"title"'),
        ("markdown", "text/markdown", "Sparse"),
    ],
)
@pytest.mark.parametrize("arxiv_id", ["2605.00001", "hep-th/9901001"])
def test_a_paper_is_exported(client, form, content_type, part, arxiv_id):
    make_paper(arxiv_id=arxiv_id)
    answer = client.get(f"{PAPERS}/{arxiv_id}/export", {"format": form})
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith(content_type)
    assert part in answer.content.decode()


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("2605.00001/export?format=csv", 422),
        ("2605.00001/export?format=", 422),
        ("2605.00001/export", 422),
        ("2605.00001/export?format=ris&x=1", 422),
        ("2605.99999/export?format=ris", 404),
        ("nonsense/export?format=ris", 404),
    ],
)
def test_an_export_that_cannot_be_is_refused(client, path, status):
    paper(1)
    assert client.get(f"{PAPERS}/{path}").status_code == status
