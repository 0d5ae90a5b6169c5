"""`GET papers` and `GET papers/{arxiv_id}`."""

import datetime as dt
import json

import pytest

from papers.models import ErrorType, SummaryState, UserBookmark, UserNote
from tests.factories import DAY, SUMMARY, make_paper, make_summary

pytestmark = pytest.mark.django_db

PAPERS = "/api/v1/papers"


def ids(answer) -> list[str]:
    assert answer.status_code == 200, answer.content
    return [item["arxiv_id"] for item in answer.json()["items"]]


def test_papers_come_newest_day_first_then_by_votes(client):
    for arxiv_id, day, votes in (("2605.00001", 1, 3), ("2605.00002", 2, 1), ("2605.00003", 2, 9)):
        make_paper(arxiv_id=arxiv_id, paper_date=dt.date(2026, 5, day), upvotes=votes)
    answer = client.get(PAPERS)
    assert ids(answer) == ["2605.00003", "2605.00002", "2605.00001"]
    assert answer.json()["count"] == 3
    assert answer.json()["count_capped"] is False
    assert answer.json()["next_cursor"] is None


def test_a_date_selects_its_day(client):
    make_paper(arxiv_id="2605.00001", paper_date=dt.date(2026, 5, 1))
    make_paper(arxiv_id="2605.00002", paper_date=dt.date(2026, 5, 2))
    assert ids(client.get(PAPERS, {"date": "2026-05-02"})) == ["2605.00002"]
    assert ids(client.get(PAPERS, {"date": "2026-05-03"})) == []


def test_pages_cover_everything_once(client):
    for _ in range(7):
        make_paper()
    seen = [arxiv_id for offset in (0, 3, 6, 9) for arxiv_id in ids(client.get(PAPERS, {"limit": 3, "offset": offset}))]
    assert len(seen) == len(set(seen)) == 7
    assert client.get(PAPERS, {"limit": 3, "offset": 9}).json()["count"] == 7


def test_a_search_finds_chinese_and_english_and_keeps_to_the_day(client):
    found = make_paper(arxiv_id="2605.00001", title_en="Diffusion for everyone")
    make_summary(found, title_zh="人人可用的扩散模型")
    make_paper(arxiv_id="2605.00002", title_en="Diffusion again", paper_date=DAY - dt.timedelta(days=1))
    make_paper(arxiv_id="2605.00003", title_en="Something else")
    assert ids(client.get(PAPERS, {"q": "扩散模型"})) == ["2605.00001"]
    assert set(ids(client.get(PAPERS, {"q": "diffusion"}))) == {"2605.00001", "2605.00002"}
    answer = client.get(PAPERS, {"q": "diffusion", "date": DAY.isoformat()})
    assert ids(answer) == ["2605.00001"]
    assert answer.json()["count"] == 1


@pytest.mark.parametrize("q", ["", "  ", "\t"])
def test_a_blank_search_is_no_search(client, q):
    make_paper()
    assert len(ids(client.get(PAPERS, {"q": q}))) == 1


@pytest.mark.parametrize(
    "q",
    [
        '"',
        "C++",
        "low-rank",
        "AND",
        "(a",
        "-",
        "-x",
        "title:",
        "😀",
        "what's",
        "*",
        "\x00",
        "\ud800",
        pytest.param("a" * 1000, id="aaa…"),
        "'; --",
    ],
)
def test_no_search_is_an_error(client, q):
    make_paper()
    query = b"q=" + b"".join(b"%%%02x" % byte for byte in q.encode("utf-8", "surrogatepass"))
    assert client.get(f"{PAPERS}?{query.decode()}").status_code == 200


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=201",
        "limit=-1",
        "limit=x",
        "limit=",
        "limit=1.5",
        pytest.param("limit=" + "9" * 400, id="limit=999…"),
        "limit=1e999",
        "limit=nan",
        "offset=-1",
        "offset=99999999999999999999",
        "date=0",
        "date=1700000000",
        "date=2026-13-01",
        "date=2026-02-30",
        "date=today",
        "date=",
        "date=2026-05-01T00:00:00",
        "date=20260501",
        "date=２０２６-05-01",
        "date=0000-01-01",
        pytest.param("q=" + "x" * 1001, id="q=xxx…"),
        "tag_=x",
        "limitt=3",
        "Limit=3",
        "%00=1",
        "q[]=x",
    ],
)
def test_what_cannot_be_used_is_refused_with_a_sentence(client, query):
    make_paper()
    answer = client.get(f"{PAPERS}?{query}")
    assert answer.status_code == 422
    assert set(answer.json()) == {"detail", "code"}
    assert isinstance(answer.json()["detail"], str) and answer.json()["detail"]


def test_a_paper_shows_what_a_reader_may_see(client):
    paper = make_paper(
        arxiv_id="2605.00001",
        authors=["Zoe", "Ada"],
        tags=["agents"],
        categories="cs.CL cs.AI",
        asset_error="/secret/path",
        meta_path="papers/2605.00001/meta.json",
    )
    make_summary(paper)
    UserNote.objects.create(paper=paper, content="PRIVATE", created_at=DAY_TIME, updated_at=DAY_TIME)
    UserBookmark.objects.create(paper=paper, note="PRIVATE", created_at=DAY_TIME)
    answer = client.get(f"{PAPERS}/2605.00001")
    body = answer.json()
    assert body["authors"] == ["Zoe", "Ada"]
    assert {"tag": "agents", "source": "hf"} in body["tags"]
    assert {"tag": "稀疏注意力", "source": "ai"} in body["tags"]
    assert body["categories"] == ["cs.CL", "cs.AI"]
    assert body["paper_date"] == DAY.isoformat()
    assert body["status"] == {"status": "done", "quality": "normal", "error_type": None, "retry_count": 0}
    assert body["summary"]["motivation"]["problem"] == SUMMARY["motivation"]["problem"]
    assert set(body["summary"]) == {
        *("title_zh", "one_line", "tags", "difficulty", "paper_date"),
        *("prerequisites", "motivation", "method", "results", "improvements"),
    }
    text = answer.content.decode()
    assert "PRIVATE" not in text and "/secret" not in text and "meta.json" not in text


DAY_TIME = dt.datetime(2026, 5, 1, tzinfo=dt.UTC)


def test_a_list_shows_papers_as_one_paper_is_shown(client):
    make_summary(make_paper(arxiv_id="2605.00001"))
    assert client.get(PAPERS).json()["items"] == [client.get(f"{PAPERS}/2605.00001").json()]


@pytest.mark.parametrize("asked", ["hep-th/9901001", "hep-th/9901001v2", "hep-th%2F9901001"])
def test_old_ids_keep_their_slash_and_versions_are_the_same_paper(client, asked):
    make_paper(arxiv_id="hep-th/9901001")
    assert client.get(f"{PAPERS}/{asked}").json()["arxiv_id"] == "hep-th/9901001"


def test_a_version_is_the_same_paper(client):
    make_paper(arxiv_id="2605.00001")
    assert client.get(f"{PAPERS}/2605.00001v3").json()["arxiv_id"] == "2605.00001"


def test_a_paper_without_a_summary_says_why(client):
    status = {"error_type": ErrorType.TIMEOUT, "retry_count": 1, "error": "Traceback /home/x"}
    make_paper(arxiv_id="2605.00001", state=SummaryState.PERMANENT_FAILURE, status=status)
    answer = client.get(f"{PAPERS}/2605.00001")
    assert answer.json()["summary"] is None
    assert answer.json()["status"] == {
        "status": "permanent_failure",
        "quality": None,
        "error_type": "timeout",
        "retry_count": 1,
    }
    assert "Traceback" not in answer.content.decode()


@pytest.mark.parametrize(
    "full_json",
    ["", "{", "[]", "{}", "null", json.dumps({"one_line": 3}), "[" * 100_000],
    ids=["empty", "truncated", "list", "object", "null", "wrong type", "too deep"],
)
def test_a_damaged_stored_summary_is_null_not_an_error(client, full_json):
    paper = make_paper(arxiv_id="2605.00001")
    make_summary(paper, full_json=full_json)
    assert client.get(f"{PAPERS}/2605.00001").json()["summary"] is None


def test_a_paper_without_a_status_row_has_a_null_status(client):
    make_paper(arxiv_id="2605.00001", state=None)
    assert client.get(f"{PAPERS}/2605.00001").json()["status"] is None


@pytest.mark.parametrize(
    "path",
    [
        "2605.99999",
        "nonsense",
        "2605.00001/extra",
        "hep-th/",
        "..%2F..%2Fetc%2Fpasswd",
        "%00",
        "😀",
        "2605.00001 x",
        pytest.param("x" * 5000, id="xxx…"),
    ],
)
def test_an_unknown_paper_is_404_in_json(client, path):
    answer = client.get(f"{PAPERS}/{path}")
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


@pytest.mark.parametrize("size", [1, 30])
def test_a_page_costs_the_same_few_queries_whatever_its_size(client, django_assert_num_queries, size):
    for _ in range(size):
        make_summary(make_paper(tags=["agents"]))
    client.get(PAPERS)
    with django_assert_num_queries(7):  # version, ids, count, authors, tags, papers with the rest, newest change
        assert len(ids(client.get(PAPERS, {"limit": 200}))) == size
    with django_assert_num_queries(6):  # version, hits, authors, tags, papers with the rest, newest change
        assert len(ids(client.get(PAPERS, {"q": "attention", "limit": 200}))) == size


def test_chinese_is_sent_as_it_is(client):
    paper = make_paper()
    make_summary(paper)
    answer = client.get(f"{PAPERS}/{paper.arxiv_id}")
    assert SUMMARY["title_zh"] in answer.content.decode()
    assert answer.headers["Content-Type"] == "application/json; charset=utf-8"
