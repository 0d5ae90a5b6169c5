"""Files that the addresses of the export menu give."""

import datetime as dt

import bibtexparser
import pytest
from django.conf import settings

from papers.exports import FORMATS, MOST_PAPERS, TooManyPapers, UnknownFormat, export
from papers.models import Paper, UserBookmark, UserNote
from papers.pages import export_selection as selections
from tests.exports.world import unsaved_paper
from tests.factories import DAY, make_paper, make_summary

pytestmark = pytest.mark.django_db
TYPES = {
    "bibtex": ("application/x-bibtex", "bib"),
    "ris": ("application/x-research-info-systems", "ris"),
    "csljson": ("application/vnd.citationstyles.csl+json", "json"),
    "markdown": ("text/markdown", "md"),
    "csv": ("text/csv", "csv"),
}


@pytest.fixture
def papers() -> list[Paper]:
    first = make_paper(arxiv_id="2606.00001", title_en="Walrus attention", upvotes=9)
    make_summary(first)
    second = make_paper(arxiv_id="hep-th/9901001", title_en="Walrus strings", upvotes=3)
    other_day = make_paper(arxiv_id="2606.00003", title_en="Another", paper_date=dt.date(2026, 6, 6))
    return [first, second, other_day]


def ids_in(response) -> list[str]:
    assert response.status_code == 200
    library = bibtexparser.parse_string(response.content.decode())
    return [entry["eprint"] for entry in library.entries]


@pytest.mark.parametrize("export_format", FORMATS)
def test_a_file_has_its_type_and_a_plain_name_and_is_not_guessed_at(client, papers, export_format):
    response = client.get(f"/export/{export_format}/?id=2606.00001")
    content_type, suffix = TYPES[export_format]
    assert response.headers["Content-Type"] == f"{content_type}; charset=utf-8"
    assert response.headers["Content-Disposition"] == f'attachment; filename="2606.00001.{suffix}"'
    assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert response.headers["X-Robots-Tag"] == "noindex"


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("id=2606.00001", ["2606.00001"]),
        ("id=2606.00001v3", ["2606.00001"]),
        ("ids=hep-th/9901001,2606.00001", ["hep-th/9901001", "2606.00001"]),
        ("ids=2606.00001&ids=2606.00003", ["2606.00001", "2606.00003"]),
        ("ids=2606.00001,2606.00001", ["2606.00001"]),
        (f"day={DAY}", ["2606.00001", "hep-th/9901001"]),
        ("q=walrus+strings", ["hep-th/9901001"]),
    ],
)
def test_one_paper_some_a_day_and_a_search(client, papers, query, found):
    assert ids_in(client.get(f"/export/bibtex/?{query}")) == found


@pytest.mark.parametrize(
    "query",
    [
        *("", "id=", "id=nonsense", "id=2606.99999", "ids=2606.00001,2606.99999", "ids=,,", "day=yesterday"),
        *(f"day={DAY}x", f"day={DAY:%Y%m%d}", f"day={DAY:%G-W%V-%u}"),
        *("day=2020-01-01", "day=", "q=", "q=nothinglikethis", "q=%00", "id=%ff", "ids=" + "2606.00001," * 5000),
        *("day=" + "9" * 5000, "id=" + "x" * 5000),
    ],
)
def test_what_selects_nothing_is_told_so_and_is_no_fault(client, papers, query):
    response = client.get(f"/export/bibtex/?{query}")
    assert response.status_code == 400
    assert "不能导出" in response.content.decode()


def test_a_format_that_is_not_there_is_not_found(client, papers):
    assert client.get("/export/docx/?id=2606.00001").status_code == 404
    with pytest.raises(UnknownFormat):
        export([], "docx")


def test_more_papers_than_a_file_holds_are_refused_with_the_limit(client, papers, monkeypatch):
    monkeypatch.setattr(selections, "MOST_PAPERS", 1)
    for query in (f"day={DAY}", "q=walrus", "ids=2606.00001,2606.00003"):
        response = client.get(f"/export/csv/?{query}")
        assert response.status_code == 400
        assert "一次最多导出 1 篇" in response.content.decode()


def test_the_function_refuses_too_many_as_well():
    with pytest.raises(TooManyPapers):
        export([unsaved_paper()] * (MOST_PAPERS + 1), "csv")


@pytest.mark.parametrize(
    ("name", "file"), [("我的收藏", "papers.bib"), ("a/../b\r\n", "a-..-b.bib"), ("", "papers.bib")]
)
def test_a_file_name_is_always_plain(name, file):
    assert export([], "bibtex", name=name).name == file


@pytest.mark.parametrize("export_format", FORMATS)
def test_an_export_costs_the_same_queries_however_long(client, export_format, django_assert_max_num_queries):
    for _ in range(25):
        make_summary(make_paper(tags=["agents"]))
    with django_assert_max_num_queries(6):
        assert client.get(f"/export/{export_format}/?day={DAY}").status_code == 200


def test_a_file_is_asked_for_anew_by_its_etag(client, papers):
    address = "/export/bibtex/?id=2606.00001"
    etag = client.get(address).headers["ETag"]
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 304
    Paper.objects.filter(arxiv_id="2606.00001").update(title_en="Renamed")
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 200


@pytest.mark.parametrize("export_format", FORMATS)
def test_nothing_private_is_in_a_file(client, papers, export_format):
    now = papers[0].crawled_at
    UserBookmark.objects.create(paper=papers[0], note="SECRET", created_at=now)
    UserNote.objects.create(paper=papers[0], content="SECRET", created_at=now, updated_at=now)
    assert b"SECRET" not in client.get(f"/export/{export_format}/?id=2606.00001").content


def test_a_whole_summary_is_in_the_markdown(client, papers):
    text = client.get("/export/markdown/?id=2606.00001").content.decode()
    for part in ("## 方法", "1. 把键值缓存切成固定大小的块", "| LongBench | 准确率 | 47.2 | 47.0 |"):
        assert part in text


def test_in_english_lists_have_english_commas(client, papers):
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    text = client.get("/export/markdown/?id=2606.00001").content.decode()
    assert "- Tags: 稀疏注意力, 长上下文" in text
    assert "9999.00001, 9999.00002" in client.get("/export/ris/?ids=9999.00001,9999.00002").content.decode()


def test_a_search_offers_its_own_files_and_feed(client, papers):
    html = client.get("/search/", {"q": "walrus +strings"}).content.decode()
    assert 'href="/export/ris/?q=walrus+%2Bstrings" download' in html
    assert html.count('href="/feeds/search/?q=walrus+%2Bstrings"') == 2
    assert "/export/" not in client.get("/search/?q=nothinglikethis").content.decode()


def test_a_paper_a_day_and_a_comparison_offer_theirs(client, papers):
    for page, selection in (
        ("/papers/2606.00001/", "id=2606.00001"),
        (f"/day/{DAY}/", f"day={DAY}"),
        ("/compare/?ids=2606.00001,2606.00003", "ids=2606.00001,2606.00003"),
    ):
        assert f'href="/export/bibtex/?{selection}" download' in client.get(page).content.decode()
