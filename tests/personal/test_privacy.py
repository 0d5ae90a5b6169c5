"""Nothing of the owner's is to be seen by others, or guessed."""

import json
import re

import pytest
from django.test import Client
from django.urls import get_resolver
from django.utils import timezone

from papers.models import UserBookmark, UserNote, UserReadingStatus
from papers.personal.verbs import remove_bookmark, remove_note, save_note, set_bookmark, set_reading_status
from tests.factories import DAY
from tests.personal.conftest import SECRET, owner_by_permission

THERE, PLAIN, NOWHERE = "2606.50001", "hep-th/9901001", "2606.99999"
_OF_A_PAPER = ["bookmark", "status", "skimmed", "note"]
_OF_NONE = [
    "/mine/",
    "/mine/?show=notes",
    "/mine/preview/",
    "/mine/export/json/",
    "/mine/export/xml/",
    "/mine/export/bookmarks/bibtex/",
    "/mine/export/bookmarks/bibtex/99/",
    "/mine/nothing/of/the/kind",
]
ADDRESSES = [
    *_OF_NONE,
    *(f"/mine/papers/{paper}/{verb}/" for paper in (THERE, PLAIN, NOWHERE, "no-id") for verb in _OF_A_PAPER),
]
PUBLIC = [
    "/",
    f"/day/{DAY}/",
    f"/day/{DAY}/?sort=newest",
    f"/papers/{THERE}/",
    f"/papers/{THERE}/progress/",
    "/search/?q=marked",
    f"/search/?q={SECRET}",
    f"/compare/?ids={THERE},{PLAIN}",
    "/status/",
    "/feeds/newest/",
    "/feeds/best/",
    f"/export/markdown/?id={THERE}",
    f"/export/csv/?day={DAY}",
    f"/api/v1/papers/{THERE}",
    f"/api/v1/papers?q={SECRET}",
    "/api/v1/openapi.json",
]
# What differs between two answers to the same person: who they are told to be, and tokens of forms.
_VARYING = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')


def answer_to(client: Client, method: str, address: str, accept: str) -> tuple:
    answer = getattr(client, method)(address, headers={"Accept": accept})
    told = answer.headers.get("Location", "").partition("?")[0]
    html = _VARYING.sub("", answer.content.decode()).replace(address, "")
    return answer.status_code, told, html, answer.headers["Cache-Control"]


@pytest.mark.parametrize("accept", ["text/html", "application/json"])
@pytest.mark.parametrize("method", ["get", "post", "put", "delete"])
def test_to_others_all_addresses_answer_the_same(strangers, marked, plain, method, accept):
    for name, client in strangers.items():
        answers = {answer_to(client, method, address, accept) for address in ADDRESSES}
        # The language switch leads back to the page itself.
        assert len({(status, told, cache) for status, told, _html, cache in answers}) == 1, name
        assert all(status in (302, 401, 403) for status, *_ in answers)
        assert not any(SECRET in html for _status, _told, html, _cache in answers)


def test_to_others_the_words_are_the_same_whether_the_paper_is_there_or_not(strangers, marked, plain):
    for client in strangers.values():
        for verb in _OF_A_PAPER:
            answers = {
                answer_to(client, "post", f"/mine/papers/{paper}/{verb}/", "text/html")
                for paper in (THERE, PLAIN, NOWHERE)
            }
            assert len(answers) == 1


def test_nobody_is_led_to_the_sign_in_page_and_staff_are_refused(strangers, marked):
    answer = strangers["nobody"].get("/mine/?show=notes")
    assert answer.status_code == 302 and answer.headers["Location"] == "/admin/login/?next=/mine/%3Fshow%3Dnotes"
    assert strangers["nobody"].post(f"/mine/papers/{THERE}/bookmark/").status_code == 401
    for name in ("visitor", "operator", "editor", "auditor"):
        assert strangers[name].get("/mine/").status_code == 403


def test_others_change_nothing(strangers, marked, plain):
    for client in strangers.values():
        for verb in _OF_A_PAPER:
            client.post(f"/mine/papers/{PLAIN}/{verb}/", {"status": "read_full", "content": "x", "bookmark": "on"})
            client.post(f"/mine/papers/{THERE}/{verb}/", {"status": "unread", "content": "", "bookmark": "off"})
    assert [UserBookmark.objects.get().note, UserNote.objects.get().content] == [f"{SECRET} bookmark", f"{SECRET} note"]
    assert UserReadingStatus.objects.get().status == "read_summary"


def test_for_others_no_query_is_made_about_papers(client, marked, django_assert_num_queries):
    for address in ADDRESSES:
        with django_assert_num_queries(0):
            client.post(address)
        with django_assert_num_queries(0):
            client.get(address)


def test_the_permission_makes_the_owner(marked):
    assert SECRET in owner_by_permission().get("/mine/").content.decode()


def test_everything_of_the_owners_is_kept_by_no_cache(owner, marked, plain):
    for address in ADDRESSES:
        for answer in (owner.get(address), owner.post(address), owner.head(address)):
            assert answer.headers["Cache-Control"] == "private, no-store", address
            assert "ETag" not in answer.headers


@pytest.mark.parametrize("is_owner_first", [True, False])
def test_public_answers_are_the_same_with_and_without_private_things(owner, strangers, plain, marked, is_owner_first):
    def undo() -> None:
        remove_bookmark(THERE)
        remove_note(THERE)
        UserReadingStatus.objects.all().delete()

    def bodies() -> dict[str, tuple]:
        if is_owner_first:
            for address in PUBLIC:
                owner.get(address)
        answers = {address: strangers["nobody"].get(address) for address in PUBLIC}
        assert {answer.status_code for answer in answers.values()} == {200}
        return {
            address: (answer.content, answer.headers.get("ETag"))
            for address, answer in answers.items()
            if address != "/status/"
        }

    before = bodies()
    undo()
    without = bodies()
    assert before == without


def test_no_public_answer_has_private_words_or_forms(strangers, marked, plain):
    for client in strangers.values():
        for address in PUBLIC:
            body = client.get(address).content.decode()
            assert f"{SECRET} note" not in body and f"{SECRET} bookmark" not in body
            assert "data-personal" not in body and "data-note=" not in body


def test_the_owner_sees_marks_and_others_at_the_same_address_do_not(owner, client, marked):
    for address in (f"/day/{DAY}/", f"/papers/{THERE}/"):
        mine = owner.get(address)
        assert 'data-personal="2606.50001"' in mine.content.decode()
        assert "data-personal" not in client.get(address).content.decode()
        assert 'aria-pressed="true"' in owner.get(address).content.decode().partition("data-personal=")[2]


def test_every_address_below_mine_is_the_owners_alone():
    from papers.pages.mine.urls import urlpatterns

    views = [pattern.callback for pattern in urlpatterns]
    assert all(view.__wrapped__ for view in views)
    assert get_resolver().resolve("/mine/anything").func in views


class TestForgery:
    @pytest.fixture
    def careful(self, owner) -> Client:
        """The owner's browser at a site that looks at the tokens of forms."""
        client = Client(enforce_csrf_checks=True)
        client.cookies = owner.cookies
        return client

    @pytest.mark.parametrize("verb", _OF_A_PAPER)
    def test_a_form_of_another_site_changes_nothing(self, careful, marked, verb):
        for headers in ({}, {"Accept": "application/json"}):
            answer = careful.post(
                f"/mine/papers/{THERE}/{verb}/", {"content": "", "bookmark": "off", "status": "unread"}, headers=headers
            )
            assert answer.status_code == 403
        assert UserNote.objects.exists() and UserBookmark.objects.exists()

    def test_the_token_of_the_page_lets_a_script_write(self, careful, marked):
        careful.get(f"/papers/{THERE}/")
        token = careful.cookies["csrftoken"].value
        answer = careful.post(
            f"/mine/papers/{THERE}/status/",
            {"status": "read_full"},
            headers={"X-CSRFToken": token, "Accept": "application/json"},
        )
        assert answer.status_code == 200 and answer.json()["status"] == "read_full"

    @pytest.mark.parametrize("verb", _OF_A_PAPER)
    def test_reading_writes_nothing(self, owner, plain, verb):
        for method in ("get", "head", "put", "delete", "options"):
            assert getattr(owner, method)(f"/mine/papers/{PLAIN}/{verb}/").status_code == 405
        owner.get(f"/papers/{PLAIN}/")
        owner.get(f"/day/{DAY}/")
        assert not (UserBookmark.objects.exists() or UserNote.objects.exists() or UserReadingStatus.objects.exists())

    @pytest.mark.parametrize(
        "paper", ["2606.99999", "nothing", "2606.50001v2", "../admin", "2606.50001%00", "a" * 3000]
    )
    @pytest.mark.parametrize("verb", _OF_A_PAPER)
    def test_an_id_of_nothing_is_a_page_that_is_not_there(self, owner, marked, paper, verb):
        assert owner.post(f"/mine/papers/{paper}/{verb}/", {"status": "skimmed", "content": "x"}).status_code == 404


class TestSessionThatEnded:
    def test_what_was_written_comes_back_to_who_wrote_it(self, owner, marked):
        owner.logout()
        answer = owner.post(f"/mine/papers/{THERE}/note/", {"content": "</textarea>long work", "based_on": ""})
        html = answer.content.decode()
        assert answer.status_code == 401 and "&lt;/textarea&gt;long work" in html and SECRET not in html
        assert answer.headers["Cache-Control"] == "private, no-store"

    def test_a_script_is_told(self, owner, marked):
        owner.logout()
        answer = owner.post(f"/mine/papers/{THERE}/note/", {"content": "x"}, headers={"Accept": "application/json"})
        assert (answer.status_code, answer.json()) == (401, {"code": "signed_out"})

    def test_so_is_one_whose_right_was_taken(self, strangers, marked):
        answer = strangers["editor"].post(
            f"/mine/papers/{THERE}/note/", {"content": "x"}, headers={"Accept": "application/json"}
        )
        assert (answer.status_code, answer.json()) == (403, {"code": "not_allowed"})


def test_private_writes_change_no_public_etag(client, marked, plain):
    before = {address: client.get(address).headers.get("ETag") for address in PUBLIC}
    set_bookmark(PLAIN, note="x")
    save_note(PLAIN, json.dumps({"at": str(timezone.now())}))
    set_reading_status(PLAIN, "read_full")
    after = {address: client.get(address).headers.get("ETag") for address in PUBLIC}
    assert before == after and before["/"]
