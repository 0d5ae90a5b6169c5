"""What the head of a page tells reference managers, search engines and those who share a link."""

import datetime as dt
from html.parser import HTMLParser
from urllib.parse import parse_qs

import pytest

from tests.factories import DAY, make_paper, make_summary

pytestmark = pytest.mark.django_db


class Head(HTMLParser):
    """The meta tags, the canonical address and the COinS of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.metas: list[tuple[str, str]] = []
        self.canonical: list[str] = []
        self.coins: list[str] = []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "meta" and "content" in found:
            self.metas.append((found.get("name") or found.get("property") or "", found["content"]))
        if tag == "link" and found.get("rel") == "canonical":
            self.canonical.append(found["href"])
        if found.get("class") == "Z3988":
            self.coins.append(found["title"])

    def all(self, name: str) -> list[str]:
        return [content for found, content in self.metas if found == name]


@pytest.fixture
def head_of(client):
    return lambda address: Head(client.get(address).content.decode())


@pytest.fixture
def paper():
    paper = make_paper(
        arxiv_id="2606.00001",
        title_en='BERT & "GPT" <b>',
        authors=["Laurens van der Maaten", "Ada Lovelace", "Gemini Team", "Smith, John"],
        tags=["agents; tools"],
        published_at=dt.date(2026, 6, 1),
    )
    make_summary(paper)
    return paper


def test_zotero_and_scholar_find_a_paper(head_of, paper):
    head = head_of("/papers/2606.00001/")
    assert head.all("citation_title") == ['BERT & "GPT" <b>']
    # Never with blanks on both sides of a comma: Zotero would take van der Maaten for two people.
    assert head.all("citation_author") == ["van der Maaten, Laurens", "Lovelace, Ada", "Gemini Team", "Smith, John"]
    assert head.all("citation_publication_date") == ["2026/06/01"]
    assert head.all("citation_arxiv_id") == ["2606.00001"]
    assert head.all("citation_doi") == ["10.48550/arXiv.2606.00001"]
    assert head.all("citation_pdf_url") == ["https://arxiv.org/pdf/2606.00001"]
    assert head.all("citation_public_url") == ["https://arxiv.org/abs/2606.00001"]
    assert head.all("citation_abstract_html_url") == ["http://testserver/papers/2606.00001/"]
    assert head.all("citation_abstract") == [paper.abstract]
    assert "agents, tools" in head.all("citation_keywords")[0].split("; ")
    assert head.all("z:itemType") == ["preprint"]


def test_zotero_is_not_told_of_a_web_page_or_a_journal(head_of, paper):
    head = head_of("/papers/2606.00001/")
    assert head.all("og:type") == ["article"]
    assert not head.all("og:site_name")


@pytest.mark.parametrize("name", ["Wil M. P. van der Aalst", "Maer A. De la Torre"])
def test_a_long_name_stays_one_person(head_of, name):
    make_paper(arxiv_id="2606.00002", authors=[name])
    assert head_of("/papers/2606.00002/").all("citation_author") == [name]


def test_the_reference_is_in_the_page_as_coins_too(head_of, paper):
    [coins] = head_of("/papers/2606.00001/").coins
    fields = parse_qs(coins, strict_parsing=True)
    assert fields["rft.type"] == ["preprint"]
    assert fields["rft.title"] == ['BERT & "GPT" <b>']
    assert fields["rft.au"][0] == "van der Maaten, Laurens"
    assert fields["rft_id"] == ["info:doi/10.48550/arXiv.2606.00001"]
    assert fields["rft.date"] == ["2026-06-01"]


def test_of_664_authors_a_page_names_a_hundred(head_of):
    make_paper(arxiv_id="2606.00003", authors=[f"Ada Lovelace {number}" for number in range(664)])
    head = head_of("/papers/2606.00003/")
    assert len(head.all("citation_author")) == 100
    assert len(parse_qs(head.coins[0])["rft.au"]) == 100


def test_an_old_paper_without_authors_abstract_or_date_has_tags_all_the_same(head_of):
    make_paper(arxiv_id="hep-th/9901001", authors=[], abstract=None, published_at=None)
    head = head_of("/papers/hep-th/9901001/")
    assert head.all("citation_publication_date") == [DAY.strftime("%Y/%m/%d")]
    assert head.all("citation_abstract_html_url") == ["http://testserver/papers/hep-th/9901001/"]
    assert not head.all("citation_author") and not head.all("citation_abstract")


PAGES = ["/", f"/day/{DAY}/", "/papers/2606.00001/", "/search/?q=bert", "/compare/", "/feeds/", "/status/"]


@pytest.mark.parametrize("address", PAGES)
def test_every_page_has_a_description_and_one_canonical_address(head_of, paper, address):
    head = head_of(address)
    for name in ("description", "og:title", "og:description", "og:url", "og:image", "og:type"):
        [content] = head.all(name)
        assert content.strip() == content != ""
    assert head.canonical == head.all("og:url")
    assert head.canonical[0].startswith("http://testserver/")
    assert head.all("og:image")[0].startswith("http://testserver/static/")
    assert head.all("twitter:card") == ["summary"]


def test_the_first_page_and_its_day_have_one_address(head_of, paper):
    assert head_of("/").canonical == head_of(f"/day/{DAY}/").canonical == [f"http://testserver/day/{DAY}/"]


def test_canonical_addresses_follow_base_url(head_of, paper, settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"base_url": "https://papers.example.org"})
    assert head_of("/papers/2606.00001/").canonical == ["https://papers.example.org/papers/2606.00001/"]


def test_a_shared_paper_is_told_of_in_one_line(head_of):
    make_summary(make_paper(arxiv_id="2606.00004"), one_line="一\n二 " + "很长" * 300, title_zh="标题")
    head = head_of("/papers/2606.00004/")
    assert head.all("og:title") == ["标题"]
    assert head.all("og:description")[0].startswith("一 二 很长")
    assert len(head.all("og:description")[0]) == 200


def test_an_empty_site_is_described(head_of):
    assert head_of("/").all("og:title")
