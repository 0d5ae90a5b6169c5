"""Papers side by side."""

import json
from urllib.parse import unquote

import pytest

from papers.models import SummaryQuality
from tests.factories import SUMMARY, make_paper, make_summary

pytestmark = pytest.mark.django_db


def summarised(arxiv_id: str, **columns):
    paper = make_paper(arxiv_id=arxiv_id, title_en=f"English {arxiv_id}")
    make_summary(paper, title_zh=f"论文{arxiv_id[-3:]}", **columns)
    return paper


def comparison_of(client, ids: str, status: int = 200) -> str:
    response = client.get("/compare/", {"ids": ids})
    assert response.status_code == status
    return response.content.decode()


def rows_of(page: str) -> dict[str, str]:
    """Return the rows of the table by their labels."""
    rows = page.split('<tr class="compare__row" role="row">')[1:]
    return {row.split("</th>")[0].split(">")[-1]: row.split("</tr>")[0] for row in rows}


def test_every_field_of_both_summaries_is_shown(client):
    summarised("2606.11111")
    summarised("2606.22222", one_line="另一句话。", method_novelty="另一个创新点。")
    page = comparison_of(client, "2606.11111,2606.22222")
    for text in ("论文111", "论文222", SUMMARY["one_line"], "另一句话。", "另一个创新点。", "LongBench", "47.2"):
        assert text in page
    rows = rows_of(page)
    for label in ("一句话", "标签", "难度", "基础", "概念", "问题", "目标", "已有工作的不足", "核心思想", "概述", "步骤", "创新点",
                  "主要发现", "基准结果", "局限", "不足", "未来工作", "可复现性", "英文标题", "作者", "票数", "收录", "发表"):  # fmt: skip
        assert rows[label].count("<td") == 2


def test_the_order_is_that_of_the_address(client):
    for arxiv_id in ("2606.11111", "2606.22222", "2606.33333"):
        summarised(arxiv_id)
    page = comparison_of(client, "2606.33333,2606.11111,2606.22222")
    assert page.index("论文333") < page.index("论文111") < page.index("论文222")


def test_what_only_some_lack_is_said_and_what_all_lack_is_said_once(client):
    summarised("2606.11111", motivation_goal="", method_novelty=None, limitations_json="[]")
    summarised("2606.22222", quality=SummaryQuality.DEGRADED, method_novelty="", difficulty="")
    page = comparison_of(client, "2606.11111,2606.22222")
    rows = rows_of(page)
    assert "不完整" in rows["目标"] and "没有" in rows["局限"] and "没有" in rows["难度"]
    assert "创新点" not in rows
    absent = page[page.index("这几篇都没有：") :]
    assert "创新点" in absent[: absent.index("</p>")]


def test_a_paper_without_a_summary_says_so_in_each_field_of_it(client):
    summarised("2606.11111")
    make_paper(arxiv_id="2606.22222", title_en="Waiting Still")
    page = comparison_of(client, "2606.11111,2606.22222")
    assert "还没有总结" in rows_of(page)["问题"] and "Waiting Still" in page


def test_two_papers_without_summaries_are_compared_by_their_facts(client):
    make_paper(arxiv_id="2606.11111")
    make_paper(arxiv_id="2606.22222", code_url="https://github.com/a/b", code_stars=7)
    rows = rows_of(comparison_of(client, "2606.11111,2606.22222"))
    assert "问题" not in rows and "github.com/a/b" in rows["代码"] and "没有" in rows["代码"]


@pytest.mark.parametrize(
    ("asked", "leads_to"),
    [
        ("ids=2606.11111&ids=2606.22222", "2606.11111,2606.22222"),
        ("ids=2606.22222v3,arXiv:2606.11111", "2606.22222,2606.11111"),
        ("ids=2606.11111,2606.11111,2606.22222", "2606.11111,2606.22222"),
        ("ids=%202606.11111%20,,2606.22222,", "2606.11111,2606.22222"),
        ("ids=https://arxiv.org/abs/2606.11111v2,2606.22222", "2606.11111,2606.22222"),
        ("ids=hep-th/9901001v2,2606.22222", "hep-th/9901001,2606.22222"),
    ],
)
def test_ids_written_otherwise_lead_to_the_one_address(client, asked, leads_to):
    for arxiv_id in ("2606.11111", "2606.22222", "hep-th/9901001"):
        make_paper(arxiv_id=arxiv_id)
    response = client.get(f"/compare/?{asked}")
    assert response.status_code == 302
    assert response.headers["Location"] == f"/compare/?ids={leads_to}"
    assert client.get(response.headers["Location"]).status_code == 200


def test_what_cannot_be_used_is_named_and_the_rest_is_compared(client):
    summarised("2606.11111")
    summarised("2606.22222")
    page = comparison_of(client, "2606.11111,nonsense<b>,2606.99999,2606.22222")
    assert "nonsense&lt;b&gt;" in page and "https://arxiv.org/abs/2606.99999" in page
    assert rows_of(page)["问题"].count("<td") == 2


def test_of_more_than_four_the_first_are_compared_and_the_others_named(client):
    ids = [f"2606.0000{number}" for number in range(1, 7)]
    for arxiv_id in ids:
        make_paper(arxiv_id=arxiv_id)
    page = comparison_of(client, ",".join(ids))
    assert rows_of(page)["票数"].count("<td") == 4
    assert "/papers/2606.00005/" in page and "/papers/2606.00006/" in page
    assert 'name="add"' not in page


@pytest.mark.parametrize("ids", ["2606.99999", "nonsense", "2606.99999,2606.88888", "x" * 5000, "," * 3000 + "\0"])
def test_where_nothing_is_known_the_page_says_so_and_lets_one_choose(client, ids):
    page = comparison_of(client, ids, status=404)
    assert 'name="add"' in page and "先选一篇论文" in page


def test_hundreds_of_ids_are_not_all_looked_for(client, django_assert_max_num_queries):
    ids = ",".join(f"2606.{number:05d}" for number in range(300))
    with django_assert_max_num_queries(6):
        assert client.get("/compare/", {"ids": ids}, follow=True).status_code == 404


def test_without_ids_the_page_says_how_to_begin(client):
    page = client.get("/compare/").content.decode()
    assert "先选一篇论文" in page and "勾选两到四篇" in page


def test_one_paper_waits_for_another(client):
    summarised("2606.11111")
    page = comparison_of(client, "2606.11111")
    assert "再选一篇，就可以对比" in page and "论文111" in page


def test_a_paper_is_removed_or_moved_by_a_link(client):
    for arxiv_id in ("2606.11111", "hep-th/9901001", "2606.33333"):
        make_paper(arxiv_id=arxiv_id)
    page = comparison_of(client, "2606.11111,hep-th/9901001,2606.33333")
    assert 'href="/compare/?ids=2606.11111,2606.33333"' in page
    assert 'href="/compare/?ids=hep-th/9901001,2606.11111,2606.33333"' in page


@pytest.mark.parametrize("wanted", ["2606.22222", "arXiv:2606.22222v4", "https://huggingface.co/papers/2606.22222"])
def test_a_known_id_is_added_at_once(client, wanted):
    make_paper(arxiv_id="2606.11111")
    make_paper(arxiv_id="2606.22222")
    response = client.get("/compare/", {"ids": "2606.11111", "add": wanted})
    assert response.headers["Location"] == "/compare/?ids=2606.11111,2606.22222"


def test_words_offer_papers_to_add_but_none_that_is_there(client):
    make_paper(arxiv_id="2606.11111", title_en="Diffusion one")
    make_paper(arxiv_id="2606.22222", title_en="Diffusion two")
    page = client.get("/compare/", {"ids": "2606.11111", "add": "diffusion"}).content.decode()
    offers = page[page.index("compare-offers") :]
    assert 'href="/compare/?ids=2606.11111,2606.22222"' in offers and "Diffusion one" not in offers.split("</ul>")[0]


@pytest.mark.parametrize("wanted", ["nothing of the kind", "2606.99999", '"(', "\0", "长" * 3000])
def test_words_that_find_nothing_are_told(client, wanted):
    make_paper(arxiv_id="2606.11111")
    page = client.get("/compare/", {"ids": "2606.11111", "add": wanted}).content.decode()
    assert "没有找到可以加入的论文" in page or not wanted.strip("\0")


def test_everything_from_outside_is_escaped(client):
    attack = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'
    for arxiv_id in ("2606.11111", "2606.22222"):
        paper = make_paper(arxiv_id=arxiv_id, title_en=attack, authors=[attack], tags=[attack], organization=attack,
                           categories=attack, code_url="javascript:alert(1)")  # fmt: skip
        make_summary(paper, title_zh=attack, one_line=attack, difficulty=attack, motivation_problem=attack,
                     method_steps_json=json.dumps([attack]), results_benchmarks_json=json.dumps([{attack: attack}]))  # fmt: skip
    page = comparison_of(client, "2606.11111,2606.22222")
    assert "<script>alert" not in page and "<img" not in page and 'href="javascript' not in page
    page = comparison_of(client, attack, status=404)
    assert "<script>alert" not in page and "<img" not in page


@pytest.mark.parametrize("stored", ["", "{", "null", "7", "[" * 4000, '[[["x"]], {"k": null}, 1.5, true]', '{"a": {}}'])
def test_columns_that_hold_nonsense_never_break_the_page(client, stored):
    columns = ("prerequisites_json", "method_steps_json", "results_main_json", "results_benchmarks_json",
               "limitations_json", "weaknesses_json", "future_work_json")  # fmt: skip
    summarised("2606.11111", **dict.fromkeys(columns, stored))
    summarised("2606.22222")
    assert "论文111" in comparison_of(client, "2606.11111,2606.22222")


def test_four_papers_cost_no_more_queries_than_two(client, django_assert_max_num_queries):
    ids = [f"2606.0000{number}" for number in range(1, 5)]
    for arxiv_id in ids:
        summarised(arxiv_id)
    with django_assert_max_num_queries(5):
        comparison_of(client, ",".join(ids))


def test_the_comparison_can_be_exported(client):
    summarised("2606.11111")
    summarised("2606.22222")
    assert "?ids=2606.11111,2606.22222" in unquote(comparison_of(client, "2606.11111,2606.22222"))


def test_the_bar_of_ticked_cards_leads_here_without_a_script(client):
    paper = make_paper(arxiv_id="2606.11111")
    page = client.get(f"/day/{paper.paper_date}/").content.decode()
    assert '<form class="compare-bar" id="compare" action="/compare/" method="get"' in page
    assert 'name="ids" value="2606.11111" form="compare"' in page


def test_mathematics_is_rendered_and_prices_are_left_alone(client):
    summarised(
        "2606.11111", motivation_problem="复杂度是 $O(n^2)$，每次 $0.07。", results_benchmarks_json='[{"d": "$x_1$"}]'
    )
    summarised("2606.22222")
    rows = rows_of(comparison_of(client, "2606.11111,2606.22222"))
    assert "<math" in rows["问题"] and "$0.07" in rows["问题"] and "<math" in rows["基准结果"]
