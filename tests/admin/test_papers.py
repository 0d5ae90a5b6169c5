"""Papers in the admin: found, corrected, and the index kept in step."""

import json

import pytest
from django.contrib.admin.templatetags.admin_list import result_headers
from django.utils import timezone

from operations.files import META_NAME, paper_folder
from papers.models import Paper, PaperTag, SummaryState, TagSource, UserNote
from papers.search.index import index_problems
from papers.search.results import search
from tests.admin.forms import form_of
from tests.factories import make_paper, make_summary

PAPERS = "/admin/papers/paper/"


def found(client, **query) -> set[str]:
    answer = client.get(PAPERS, query)
    assert answer.status_code == 200
    return {paper.arxiv_id for paper in answer.context["cl"].result_list}


def save(client, paper, **changes):
    address = f"{PAPERS}{paper.pk}/change/"
    return client.post(address, form_of(client, address, **changes))


@pytest.mark.parametrize(
    ("term", "expected"),
    [
        ("2605.00001", {"2605.00001"}),
        ("2605.00001v2", {"2605.00001"}),
        ("https://arxiv.org/abs/2605.00001", {"2605.00001"}),
        ("2605", {"2605.00001", "2605.00002"}),
        ("hep-th/", {"hep-th/9901001"}),
        ("扩散", {"2605.00002"}),
        ("diffusion", {"2605.00001"}),
        ("no such thing", set()),
        ('"', set()),
        ("", {"2605.00001", "2605.00002", "hep-th/9901001"}),
    ],
)
def test_papers_are_found_by_id_by_its_beginning_or_by_words(owner, term, expected):
    make_paper(arxiv_id="2605.00001", title_en="Diffusion")
    make_paper(arxiv_id="2605.00002", title_en="Another", title_zh="扩散模型")
    make_paper(arxiv_id="hep-th/9901001", title_en="Strings")
    assert found(owner, q=term) == expected


@pytest.mark.parametrize(
    "query",
    [
        {"status__status__exact": "permanent_failure"},
        {"summary_quality__exact": "low"},
        {"status__error_type__exact": "timeout"},
        {"paper_date__year": "2026", "paper_date__month": "6"},
    ],
)
def test_papers_are_filtered(owner, query):
    make_paper(
        arxiv_id="2605.00001",
        state=SummaryState.PERMANENT_FAILURE,
        status={"error_type": "timeout"},
        summary_quality="low",
    )
    make_paper(arxiv_id="2605.00002", paper_date="2026-05-01")
    assert found(owner, **query) == {"2605.00001"}


def test_a_corrected_title_reaches_index_and_meta_json(owner, django_capture_on_commit_callbacks):
    paper = make_paper(title_en="Wrong")
    with django_capture_on_commit_callbacks(execute=True):
        answer = save(owner, paper, title_en="  Walrus\n population ", title_zh="海象")
    assert answer.status_code == 302
    paper.refresh_from_db()
    assert (paper.title_en, paper.title_zh) == ("Walrus population", "海象")
    assert [hit.paper_id for hit in search("walrus").hits] == [paper.pk]
    assert not index_problems()
    meta = json.loads((paper_folder(paper.arxiv_id) / META_NAME).read_text("utf-8"))
    assert meta["title_en"] == "Walrus population"


def test_a_correction_leaves_alone_what_was_refreshed_meanwhile(owner):
    paper = make_paper(upvotes=1)
    data = form_of(owner, f"{PAPERS}{paper.pk}/change/", title_en="Right")
    Paper.objects.update(upvotes=99)
    owner.post(f"{PAPERS}{paper.pk}/change/", data)
    assert Paper.objects.values_list("title_en", "upvotes").get() == ("Right", 99)


@pytest.mark.parametrize(
    "change",
    [
        {"title_en": "  "},
        {"title_en": "a\x00b"},
        {"code_url": "javascript:alert(1)"},
        {"project_url": "ftp://example.org/code"},
        {"project_url": "not an address"},
        {"tags-1-tag": " AGENTS "},
    ],
)
def test_what_makes_no_sense_is_refused_with_a_message(owner, change):
    paper = make_paper(title_en="Right", tags=[], title_zh="对")
    PaperTag.objects.create(paper=paper, tag="agents", source=TagSource.USER)
    answer = save(owner, paper, **change)
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()
    assert Paper.objects.get().title_en == "Right"


def test_a_tag_added_by_hand_is_the_editors_and_found(owner):
    paper = make_paper(tags=["agents"])
    assert save(owner, paper, **{"tags-1-tag": "Walrus"}).status_code == 302
    tag = PaperTag.objects.get(tag="Walrus")
    assert (tag.source, tag.folded) == (TagSource.USER, "walrus")
    assert [hit.paper_id for hit in search("tag:walrus").hits] == [paper.pk]


def test_the_same_tag_may_come_from_two_sources(owner):
    paper = make_paper(tags=["agents"])
    assert save(owner, paper, **{"tags-1-tag": "Agents"}).status_code == 302
    assert PaperTag.objects.filter(folded="agents").count() == 2


def test_a_removed_tag_is_not_found_any_more(owner):
    paper = make_paper(tags=["walrus"])
    assert save(owner, paper, **{"tags-0-DELETE": "on"}).status_code == 302
    assert not search("tag:walrus").hits
    assert not index_problems()


def test_hostile_text_is_escaped(owner):
    paper = make_paper(title_en="<script>alert(1)</script>", tags=["<b>x"])
    make_summary(paper, title_zh="<img src=x onerror=alert(1)>", one_line="<i>")
    for address in (PAPERS, f"{PAPERS}{paper.pk}/change/", "/admin/papers/papersummary/", "/admin/papers/papertag/"):
        page = owner.get(address).content.decode()
        assert "<script>alert" not in page and "<img src=x" not in page and "<b>x" not in page


def test_staff_who_may_only_look_see_the_page_without_a_form(viewer):
    paper = make_paper(tags=["agents"])
    page = viewer.get(f"{PAPERS}{paper.pk}/change/").content.decode()
    assert "agents" in page and 'name="_save"' not in page
    assert viewer.post(f"{PAPERS}{paper.pk}/change/", {"title_en": "Changed"}).status_code == 403


@pytest.mark.parametrize("papers", [2, 40])
def test_lists_and_pages_cost_the_same_few_queries_however_many_there_are(owner, papers, django_assert_max_num_queries):
    for _ in range(papers):
        make_summary(make_paper(tags=["a", "b", "c"], authors=[f"Author {n}" for n in range(20)]))
    paper = Paper.objects.first()
    owner.get(PAPERS)
    for address in (PAPERS, f"{PAPERS}{paper.pk}/change/", "/admin/papers/summarystatus/", "/admin/papers/papertag/"):
        with django_assert_max_num_queries(16):
            assert owner.get(address).status_code == 200


@pytest.mark.parametrize("lookup", ["regex", "iregex"])
def test_a_list_is_not_filtered_by_patterns(owner, lookup):
    make_paper()
    assert owner.get("/admin/papers/paper/", {f"status__status__{lookup}": "("}).status_code == 400


@pytest.mark.parametrize("rows", ["summarystatus", "papertag", "paperauthor", "usernote"])
def test_lists_are_called_what_their_rows_are_and_name_their_papers_in_words(owner, rows):
    paper = make_paper(tags=["agents"], authors=["Ada"])
    now = timezone.now()
    UserNote.objects.create(paper=paper, content="x", created_at=now, updated_at=now)
    answer = owner.get(f"/admin/papers/{rows}/")
    page = answer.content.decode()
    assert "nav-sidebar" not in page, "the parts of the console stand above each page already"
    assert answer.context["title"] == answer.context["cl"].opts.verbose_name_plural
    heads = [head["text"] for head in result_headers(answer.context["cl"])]
    assert "论文" in heads and str(paper) in page
