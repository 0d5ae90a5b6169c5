"""The owner's bookmarks, notes and reading status by the API."""

from itertools import product

import pytest
from django.test import Client

from papers.models import Paper, UserBookmark, UserNote, UserReadingStatus
from papers.personal.verbs import LONGEST_BOOKMARK_NOTE, LONGEST_NOTE, set_bookmark
from tests.factories import make_paper

pytestmark = pytest.mark.django_db

IDS = ("2605.00001", "hep-th/9901001")
PATHS = ("bookmark", "note", "reading-status")
BODIES = {"bookmark": {"note": "later"}, "note": {"content": "Read *twice*."}, "reading-status": {"status": "skimmed"}}


@pytest.fixture
def owner(script) -> Client:
    return script("personal")


@pytest.fixture(autouse=True)
def _papers():
    for arxiv_id in IDS:
        make_paper(arxiv_id=arxiv_id)


def address(arxiv_id: str, part: str) -> str:
    return f"/api/v1/papers/{arxiv_id}/{part}"


def put(client, arxiv_id, part, body):
    return client.put(address(arxiv_id, part), body, "application/json")


@pytest.mark.parametrize("arxiv_id", IDS)
@pytest.mark.parametrize("version", ["", "v2"])
@pytest.mark.parametrize("part", PATHS)
def test_what_is_put_is_got_and_put_again_is_the_same(owner, arxiv_id, version, part):
    first = put(owner, arxiv_id + version, part, BODIES[part])
    assert first.status_code == 200
    assert first.json() == {**first.json(), **BODIES[part], "arxiv_id": arxiv_id}
    again = put(owner, arxiv_id, part, BODIES[part])
    assert again.json() == first.json() == owner.get(address(arxiv_id, part)).json()
    assert UserBookmark.objects.count() + UserNote.objects.count() + UserReadingStatus.objects.count() == 1


@pytest.mark.parametrize("arxiv_id", IDS)
@pytest.mark.parametrize("part", ["bookmark", "note"])
def test_delete_twice_is_as_once(owner, arxiv_id, part):
    put(owner, arxiv_id, part, BODIES[part])
    for _ in range(2):
        answer = owner.delete(address(arxiv_id, part))
        assert (answer.status_code, answer.content) == (204, b"")
    answer = owner.get(address(arxiv_id, part))
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_the_paper_itself_is_still_found_by_its_whole_id(client):
    for arxiv_id in IDS:
        assert client.get(f"/api/v1/papers/{arxiv_id}").json()["arxiv_id"] == arxiv_id
    assert client.get("/api/v1/papers/note").status_code == 404


def test_what_was_never_set_is_unread_and_a_status_is_not_deleted(owner):
    path = address(IDS[0], "reading-status")
    assert owner.get(path).json() == {"arxiv_id": IDS[0], "status": "unread", "updated_at": None}
    assert owner.delete(path).status_code == 405


def test_a_bookmark_needs_no_note_and_keeps_the_one_it_has(owner):
    assert put(owner, IDS[0], "bookmark", {}).json()["note"] == ""
    assert put(owner, IDS[0], "bookmark", {"note": "x"}).json()["note"] == "x"
    assert put(owner, IDS[0], "bookmark", {"note": None}).json()["note"] == "x"
    assert put(owner, IDS[0], "bookmark", {"note": ""}).json()["note"] == ""


@pytest.mark.parametrize(
    ("method", "part"), [*product(["get", "put"], PATHS), ("delete", "bookmark"), ("delete", "note")]
)
@pytest.mark.parametrize("arxiv_id", ["2605.99999", "hep-th/9999999", "no-id", "a/b/c", "%00", "é"])
def test_a_paper_that_is_not_there(owner, method, part, arxiv_id):
    arguments = (BODIES[part], "application/json") if method == "put" else ()
    answer = getattr(owner, method)(address(arxiv_id, part), *arguments)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("part", "body", "field"),
    [
        ("bookmark", {"note": "x" * (LONGEST_BOOKMARK_NOTE + 1)}, "note"),
        ("bookmark", {"note": 1}, "note"),
        ("bookmark", {"nota": "x"}, "nota"),
        ("bookmark", [], "bookmark"),
        ("note", {}, "content"),
        ("note", {"content": ""}, "content"),
        ("note", {"content": " \n\u0000"}, "content"),
        ("note", {"content": None}, "content"),
        ("note", {"content": "x" * (LONGEST_NOTE + 1)}, "content"),
        ("note", {"content": "x", "more": 1}, "more"),
        ("reading-status", {"status": "read"}, "status"),
        ("reading-status", {"status": 1}, "status"),
        ("reading-status", {}, "status"),
        ("reading-status", "null", "reading"),
    ],
)
def test_a_body_that_cannot_be_is_told_by_its_field(owner, part, body, field):
    answer = put(owner, IDS[0], part, body)
    assert answer.status_code == 422, answer.content
    assert answer.json()["code"] == "invalid" and f"{field}:" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 422),
        (b"{", 400),
        (b"\xff", 400),
        (b"[" * 100_000, 400),
        (b'{"content": "\\ud800"}', 422),
        (b'{"\\ud800": 1}', 422),
        (b'{"content": ' + b"1" * 5000 + b"}", 400),
        (b'"' + b"x" * 3_000_000 + b'"', 413),
    ],
)
def test_a_body_that_cannot_be_read_is_never_a_500(owner, body, status):
    answer = put(owner, IDS[0], "note", body)
    assert answer.status_code == status, answer.content
    assert set(answer.json()) == {"detail", "code"}


def test_a_form_in_place_of_json_is_told(owner):
    answer = owner.put(address(IDS[0], "note"), b"--x\r\nbroken", "multipart/form-data; boundary=x")
    assert answer.status_code in (400, 422)


# ---------------------------------------------------------------- the list


def test_bookmarks_the_last_one_first_page_by_page(owner):
    for arxiv_id in IDS:
        set_bookmark(arxiv_id, note=f"on {arxiv_id}")
    page = owner.get("/api/v1/bookmarks").json()
    assert [item["arxiv_id"] for item in page["items"]] == ["hep-th/9901001", "2605.00001"]
    assert page["count"] == 2
    assert page["items"][0]["note"] == "on hep-th/9901001"
    assert page["items"][0]["title_en"] == Paper.objects.get(arxiv_id=IDS[1]).title_en
    second = owner.get("/api/v1/bookmarks", {"limit": 1, "offset": 1}).json()
    assert [item["arxiv_id"] for item in second["items"]] == ["2605.00001"] and second["count"] == 2


@pytest.mark.parametrize("query", ["limit=0", "limit=201", "limit=x", "offset=-1", "offset=99999999999", "page=2"])
def test_a_page_that_cannot_be(owner, query):
    assert owner.get(f"/api/v1/bookmarks?{query}").status_code == 422


def test_the_list_asks_as_much_for_ten_as_for_one(owner, django_assert_num_queries):
    for number in range(10):
        set_bookmark(make_paper(arxiv_id=f"2606.0000{number}").arxiv_id)
    with django_assert_num_queries(4):  # the token, that it was used, the page, the count
        assert len(owner.get("/api/v1/bookmarks").json()["items"]) == 10


@pytest.mark.parametrize("path", ["/api/v1/bookmarks", *(address(IDS[0], part) for part in PATHS)])
def test_no_cache_keeps_what_is_private_nor_that_it_is_missing(owner, path):
    assert owner.get(path).headers["Cache-Control"] == "private, no-store"
    if path.startswith("/api/v1/papers"):
        assert put(owner, IDS[0], path.rpartition("/")[2], "{").headers["Cache-Control"] == "private, no-store"
