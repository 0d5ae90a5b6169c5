"""The lists of tags and authors, and the pages of one of them."""

from urllib.parse import quote

import pytest

from papers.models import Paper
from papers.queries import counted
from tests.factories import make_paper, make_summary

pytestmark = pytest.mark.django_db
LISTS = [("/tags/", "tags"), ("/authors/", "authors")]


def page(client, address: str, status: int = 200) -> str:
    response = client.get(address)
    assert response.status_code == status
    return response.content.decode()


def make(kind: str, name: str, **columns) -> Paper:
    return make_paper(**{"authors": [], "tags": [], kind: [name]}, **columns)


@pytest.mark.parametrize(("address", "kind"), LISTS)
def test_names_with_most_papers_come_first_with_count_and_first_month(client, address, kind):
    make(kind, "Seldom", paper_date="2026-06-05")
    make(kind, "Often", paper_date="2026-06-05")
    make(kind, "Often", paper_date="2025-11-30")
    html = page(client, address)
    assert html.index("Often") < html.index("Seldom")
    assert "2025-11" in html
    assert html.count("<svg") == 2 and "最近 24 个月" in html


@pytest.mark.parametrize(("address", "kind"), LISTS)
def test_a_list_has_pages(client, address, kind, monkeypatch):
    monkeypatch.setattr("papers.pages.counted.PAGE_SIZE", 2)
    for name in ("one", "two", "three"):
        make(kind, name)
    assert 'rel="next" href="?page=2"' in page(client, address)
    last = page(client, f"{address}?page=2")
    assert 'rel="prev" href="?"' in last and 'rel="next"' not in last


@pytest.mark.parametrize("number", ["0", "-1", "x", "9" * 5000, "２"])
def test_what_is_no_page_is_the_first(client, number):
    make("tags", "one")
    assert "one" in page(client, f"/tags/?page={quote(number)}")


@pytest.mark.parametrize(
    ("address", "kind", "name", "query"),
    [
        ("/tags/", "tags", "Video Diffusion", "diffu"),
        ("/tags/", "tags", "视频扩散模型", "扩散"),
        ("/authors/", "authors", "Geoffrey Hinton", "hinton geof"),
        ("/authors/", "authors", "Geoffrey Hinton", "geof hint"),
        ("/authors/", "authors", "José Núñez", "josé"),
        ("/authors/", "authors", "José Núñez", "nunez jo"),
        ("/authors/", "authors", "Xiaolong Li", "li"),
        ("/authors/", "authors", "Xiaolong Li", "li xi"),
        ("/tags/", "tags", "LLM agents", "ll"),
        ("/tags/", "tags", "RLHF", "RL"),
        ("/tags/", "tags", "offline-RL", "rl"),
        ("/tags/", "tags", "多智能体RL", "ＲＬ"),
        ("/tags/", "tags", "3D生成", "3d"),
    ],
)
def test_a_name_is_found_by_a_part_of_it(client, address, kind, name, query):
    make(kind, name)
    make(kind, "Somebody Else")
    html = page(client, f"{address}?q={quote(query)}")
    assert name in html and "Somebody Else" not in html


def test_two_letters_begin_a_word(client):
    make_paper(tags=["RL", "World Models", "Offline-RL agents"])
    html = page(client, "/tags/?q=rl")
    assert "Offline-RL agents" in html and "World Models" not in html


@pytest.mark.parametrize("query", ['"', "AND", "(", "C++", "*", "-x", "tag:", "的" * 500])
def test_any_text_may_be_looked_for(client, query):
    make("tags", "one")
    assert "没有找到" in page(client, f"/tags/?q={quote(query)}")


@pytest.mark.parametrize("kind", ["tags", "authors"])
def test_one_shows_its_papers_newest_first(client, kind):
    old = make(kind, "Name", paper_date="2026-05-01")
    new = make(kind, "Name", paper_date="2026-06-01")
    make(kind, "Other", paper_date="2026-06-02", arxiv_id="2606.77777")
    html = page(client, f"/{kind}/Name/")
    assert html.index(new.arxiv_id) < html.index(old.arxiv_id)
    assert "2606.77777" not in html
    assert "2 篇论文" in html


def test_another_spelling_of_a_tag_leads_to_the_one_shown(client):
    make("tags", "Diffusion Models")
    response = client.get("/tags/diffusion%20models/")
    assert response.status_code == 302
    assert response.headers["Location"] == "/tags/Diffusion%20Models/"


def test_a_tag_given_twice_counts_and_shows_a_paper_once(client):
    make_summary(make("tags", "Agents", arxiv_id="2606.77777"), tags=["agents"])
    html = page(client, "/tags/Agents/")
    assert "1 篇论文" in html
    assert html.count('href="/papers/2606.77777/"') == 1


@pytest.mark.parametrize(
    "name", ["a/b", "C#", "50% off?", "a//b", "<script>", "x" * 300, "עברית", "..x", "a\\b", '"q"']
)
@pytest.mark.parametrize("kind", ["tags", "authors"])
def test_any_name_has_a_page_that_its_links_lead_to(client, kind, name):
    make(kind, name)
    html = page(client, f"/{kind}/")
    address = f"/{kind}/{quote(name, safe='/~:@!$&*()+,;=' + chr(39))}/"
    assert f'href="{address}"'.replace("&", "&amp;").replace("'", "&#x27;") in html or f'href="{address}"' in html
    assert "<script>" not in page(client, address)


def test_a_tag_and_an_author_on_a_paper_lead_to_pages_that_have_it(client):
    paper = make_paper(authors=['José "Pepe" Núñez'], tags=['chain-of-thought, "CoT"'])
    shown = page(client, paper.get_absolute_url())
    for kind in ("authors", "tags"):
        start = shown.index(f'href="/{kind}/', shown.index("<main")) + len('href="')
        assert paper.get_absolute_url() in page(client, shown[start : shown.index('"', start)].replace("&amp;", "&"))


@pytest.mark.parametrize("name", [".", "..", "a/..", "../admin", "a/./b"])
def test_names_that_browsers_take_for_a_way_lead_to_a_search(client, name):
    make("tags", name)
    assert 'href="/search/?q=tag' in page(client, "/tags/")


@pytest.mark.parametrize("address", ["/tags/nothing/", "/authors/Nobody/", "/tags/" + "x" * 3000 + "/"])
def test_a_name_that_no_paper_has_offers_a_search(client, address):
    assert 'href="/search/?q=' in page(client, address, 404)


@pytest.mark.parametrize("few", [1500, 0], ids=["sorted", "walked"])
def test_pages_of_papers_follow_each_other_whatever_the_way(client, monkeypatch, few):
    monkeypatch.setattr(counted, "_FEW", few)
    monkeypatch.setattr("papers.pages.counted.PAPERS_ON_A_PAGE", 3)
    dates = ["2026-06-05", "2026-06-05", "2026-06-01", "2026-05-31", "2026-05-02", "2025-12-31", "2025-12-31"]
    papers = [make("tags", "Agents", paper_date=date, upvotes=number) for number, date in enumerate(dates)]
    make("tags", "Other", paper_date="2026-06-04")
    wanted = sorted(papers, key=lambda paper: (paper.paper_date, paper.upvotes), reverse=True)
    found = counted.find(counted.TAGS, "agents")
    pages = [counted.paper_ids(counted.TAGS, found, limit=3, offset=offset) for offset in (0, 3, 6)]
    assert [len(each) for each in pages] == [3, 3, 1]
    assert [each for ids in pages for each in ids] == [paper.pk for paper in wanted]
    assert "第 2 页，共 3 页" in page(client, "/tags/Agents/?page=2")


def test_a_page_beyond_the_last_is_the_last(client):
    make("tags", "Agents", arxiv_id="2606.77777")
    assert "2606.77777" in page(client, "/tags/Agents/?page=99")


def test_an_empty_library_says_so(client):
    assert "这里还是空的" in page(client, "/tags/") and "这里还是空的" in page(client, "/authors/")


@pytest.mark.parametrize("address", ["/tags/", "/tags/Common/", "/tags/?q=comm", "/authors/", "/authors/Ada Lovelace/"])
def test_the_number_of_questions_is_the_same_for_ten_papers_and_for_a_hundred(
    client, address, django_assert_max_num_queries
):
    for number in range(10):
        make_paper(tags=["Common", f"tag {number}"])
    with django_assert_max_num_queries(12) as few:
        client.get(address)
    for number in range(90):
        make_paper(tags=["Common", f"other {number}"])
    with django_assert_max_num_queries(12) as many:
        client.get(address)
    assert len(few) == len(many)
