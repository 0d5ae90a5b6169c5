"""A paper's page."""

import datetime as dt
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.models import ErrorType, PaperSummary, SummaryQuality, SummaryState, SummaryStatus
from tests.factories import SUMMARY, make_paper, make_summary

pytestmark = pytest.mark.django_db


def page_of(client, paper) -> str:
    response = client.get(paper.get_absolute_url())
    assert response.status_code == 200
    return response.content.decode()


def test_every_text_of_the_summary_is_shown(client):
    paper = make_paper()
    make_summary(paper)
    page = page_of(client, paper)
    for text in texts_in({key: value for key, value in SUMMARY.items() if key != "paper_date"}):
        assert text in page


def texts_in(value) -> list[str]:
    if isinstance(value, str):
        return [value]
    parts = value.values() if isinstance(value, dict) else value
    return [text for part in parts for text in texts_in(part)]


def test_jump_links_lead_to_the_sections(client):
    paper = make_paper()
    make_summary(paper)
    page = page_of(client, paper)
    for section in ("prerequisites", "motivation", "method", "results", "improvements", "abstract"):
        assert f'href="#{section}"' in page and f'id="{section}"' in page


@pytest.mark.parametrize(
    "missing",
    [
        {"motivation_goal": ""},
        {"motivation_gap": None},
        {"method_overview": "  "},
        {"results_main_json": "[]"},
        {"results_main_json": None},
        {"results_main_json": '["", null]'},
    ],
)
def test_a_missing_important_field_is_said_to_be_missing(client, missing):
    paper = make_paper()
    make_summary(paper, quality=SummaryQuality.DEGRADED, **missing)
    assert page_of(client, paper).count("不完整") == 1


def test_a_complete_summary_has_nothing_said_to_be_missing(client):
    paper = make_paper()
    make_summary(paper)
    page = page_of(client, paper)
    assert "不完整" not in page and "AI 总结质量较低" not in page


def test_a_low_summary_is_marked_before_its_text(client):
    paper = make_paper()
    make_summary(paper, quality=SummaryQuality.LOW)
    page = page_of(client, paper)
    assert page.index("AI 总结质量较低") < page.index('id="motivation"')


LIST_COLUMNS = (
    "prerequisites_json",
    "method_steps_json",
    "results_main_json",
    "results_benchmarks_json",
    "limitations_json",
    "weaknesses_json",
    "future_work_json",
)


@pytest.mark.parametrize(
    "stored",
    [
        "",
        "{",
        "null",
        "7",
        '"text"',
        '{"a": {"b": []}}',
        '[[["x"]], {"k": null}, 1.5, true]',
        "[" * 4000,
        "[NaN, " + "9" * 5000 + "]",
        json.dumps({"concepts": 3, "level": ["x"]}),
        '[{"": ""}, {"a": {"b": {"c": {"d": {"e": {"f": {"g": {"h": 1}}}}}}}}]',
    ],
)
def test_columns_that_hold_nonsense_never_break_the_page(client, stored):
    paper = make_paper()
    make_summary(paper, **dict.fromkeys(LIST_COLUMNS, stored))
    assert "面向长上下文推理的稀疏注意力" in page_of(client, paper)


def test_benchmarks_of_unlike_shapes_share_one_table(client):
    paper = make_paper()
    rows = [
        {"dataset": "MMLU", "value": 71.3},
        {"dataset": "GSM8K", "score": {"dense": 1, "ours": 2}, "ours_wins": True},
        {},
        "not a row",
    ]
    make_summary(paper, results_benchmarks_json=json.dumps(rows))
    page = page_of(client, paper)
    table = page[page.index("<table") : page.index("</table>")]
    assert table.count("<tr>") == 3
    for cell in ("数据集", "结果", "得分 · dense", "得分 · ours", "ours wins", "71.3", ">2<", "✓"):
        assert cell in table


def test_everything_from_outside_is_escaped(client):
    attack = '<script>alert(1)</script>"><img src=x onerror=alert(2)>'
    paper = make_paper(
        title_en=attack, abstract=attack, authors=[attack], tags=[attack], organization=attack, arxiv_comment=attack
    )
    odd = {"dataset": attack, attack: attack}
    make_summary(paper, title_zh=attack, one_line=attack, difficulty=attack, motivation_problem=attack,
                 method_steps_json=json.dumps([attack]), results_benchmarks_json=json.dumps([odd]))  # fmt: skip
    for address in (paper.get_absolute_url(), "/", "/papers/x<script>alert(1)</script>/"):
        page = client.get(address).content.decode()
        assert "<script>alert" not in page and "<img" not in page


@pytest.mark.parametrize("address", ["javascript:alert(1)", "data:text/html,x", "//evil.example", "http://", "ftp://a/b", "http://[", "github.com/a/b"])  # fmt: skip
def test_only_web_addresses_become_links(client, address):
    paper = make_paper(code_url=address, project_url=address, arxiv_url=address, hf_url=address, pdf_url=address)
    assert 'rel="noopener noreferrer nofollow"' not in page_of(client, paper)


def test_links_lead_to_the_public_addresses(client):
    paper = make_paper(arxiv_id="hep-th/9901001", code_url="https://github.com/a/b", code_stars=321)
    page = page_of(client, paper)
    for address in (
        "https://arxiv.org/abs/hep-th/9901001",
        "https://arxiv.org/pdf/hep-th/9901001",
        "https://huggingface.co/papers/hep-th/9901001",
        "https://github.com/a/b",
    ):
        assert f'href="{address}" rel="noopener noreferrer nofollow"' in page
    assert "321" in page


def test_a_withdrawn_paper_says_so(client):
    assert "作者已在 arXiv 撤回这篇论文" in page_of(client, make_paper(is_withdrawn=True))


def test_a_summary_of_an_older_version_says_so(client):
    paper = make_paper(version=3)
    make_summary(paper, source_version=1)
    assert "总结依据的是第 1 版，arXiv 上已有第 3 版" in page_of(client, paper)


@pytest.mark.parametrize(
    ("state", "error_type", "sentence"),
    [
        (SummaryState.PENDING, None, "还在排队等待总结"),
        (SummaryState.PENDING, ErrorType.TIMEOUT, "正在排队重试"),
        (SummaryState.PROCESSING, None, "AI 正在总结"),
        (SummaryState.FAILED, ErrorType.JSON_INVALID, "AI 的回答残缺，无法读取。稍后会自动重试一次"),
        (SummaryState.PERMANENT_FAILURE, ErrorType.PDF_DOWNLOAD_FAILED, "没有取得可读的正文。管理员"),
        (SummaryState.PERMANENT_FAILURE, None, "原因不明"),
        (SummaryState.DONE, None, "还在排队等待总结"),
        (None, None, "还在排队等待总结"),
    ],
)
def test_a_paper_without_a_summary_says_why(client, state, error_type, sentence):
    error = "Traceback (most recent call last): /srv/secret"
    paper = make_paper(state=state, status={"error_type": error_type, "error": error})
    page = page_of(client, paper)
    assert sentence in page
    assert "Traceback" not in page and "/srv/secret" not in page


def test_the_good_summary_stays_beside_a_failed_re_run(client):
    paper = make_paper()
    make_summary(paper)
    paper.status.error_type = ErrorType.TIMEOUT
    paper.status.save()
    page = page_of(client, paper)
    assert "最近一次重新总结没有成功（AI 没有在限定的时间内完成）" in page
    assert SUMMARY["one_line"] in page


def test_a_summary_being_made_anew_says_so(client):
    paper = make_paper()
    make_summary(paper)
    paper.status.status = SummaryState.PROCESSING
    paper.status.save()
    assert "正在重新总结" in page_of(client, paper)


@pytest.mark.parametrize("asked", ["2606.77777v2", "arXiv:2606.77777", "2606.77777v12"])
def test_an_id_written_otherwise_leads_to_the_plain_one(client, asked):
    make_paper(arxiv_id="2606.77777")
    response = client.get(f"/papers/{asked}/")
    assert response.status_code == 301 and response.headers["Location"] == "/papers/2606.77777/"


def test_old_ids_keep_their_slash(client):
    make_paper(arxiv_id="hep-th/9901001", title_en="Old Style")
    assert "Old Style" in client.get("/papers/hep-th/9901001/").content.decode()
    assert client.get("/papers/hep-th/9901001v3/").headers["Location"] == "/papers/hep-th/9901001/"


@pytest.mark.parametrize("asked", ["2606.99999", "hep-th/0000000"])
def test_an_unknown_paper_is_not_found_and_leads_to_arxiv(client, asked):
    response = client.get(f"/papers/{asked}/")
    assert response.status_code == 404
    assert f'href="https://arxiv.org/abs/{asked}"' in response.content.decode()


@pytest.mark.parametrize("asked", ["nonsense", "../admin", "2606.1", "%00", "2606.12345vv", "a" * 3000, "％"])
def test_what_is_no_id_is_not_found_and_leads_to_the_search(client, asked):
    response = client.get(f"/papers/{asked}/")
    assert response.status_code == 404
    assert "/search/?q=" in response.content.decode()


def test_the_papers_before_and_after_are_those_of_the_day(client):
    top, middle, last = (make_paper(upvotes=votes) for votes in (9, 5, 5))
    page = page_of(client, middle)
    assert f'rel="prev" href="{top.get_absolute_url()}"' in page
    assert f'rel="next" href="{last.get_absolute_url()}"' in page
    assert "第 2 篇，共 3 篇" in page


def test_hundreds_of_authors_stand_behind_one_touch(client):
    page = page_of(client, make_paper(authors=[f"Author {number}" for number in range(664)]))
    assert "全部 664 位作者" in page and "Author 663" in page


def test_the_contents_lead_to_the_authors_comment_where_there_is_one(client):
    assert 'href="#comment"' in page_of(client, make_paper(arxiv_comment="12 pages"))
    assert 'href="#comment"' not in page_of(client, make_paper())


@pytest.mark.parametrize(
    ("columns", "sentence"),
    [
        ({}, "总结由 AI 于 2026-06-05 20:30 生成。"),
        ({"source_version": 2}, "依据 arXiv 第 2 版的正文。"),
        ({"edited_at": dt.datetime(2026, 6, 7, 1, 5, tzinfo=dt.UTC)}, "总结由 AI 生成，2026-06-07 09:05 经人工修改。"),
    ],
)
def test_the_page_says_where_its_summary_comes_from(client, columns, sentence):
    paper = make_paper()
    make_summary(paper, updated_at=dt.datetime(2026, 6, 5, 12, 30, tzinfo=dt.UTC), edited_by="wang", **columns)
    page = page_of(client, paper)
    assert sentence in page and "wang" not in page


def test_known_categories_are_named(client):
    page = page_of(client, make_paper(categories="cs.CL xx.YY"))
    assert "计算与语言 <bdi" in page and ">cs.CL<" in page and ">xx.YY<" in page


def test_a_day_of_hundreds_costs_no_more_queries(client, django_assert_num_queries):
    papers = [make_paper(upvotes=9)]
    with CaptureQueriesContext(connection) as few:
        page_of(client, papers[0])
    papers += [make_paper(upvotes=number % 7, authors=[]) for number in range(120)]
    with django_assert_num_queries(len(few)):
        page_of(client, papers[60])


def test_papers_without_votes_have_neighbours_too(client):
    first, middle, last = (make_paper(upvotes=votes) for votes in (0, None, None))
    page = page_of(client, middle)
    assert f'rel="prev" href="{first.get_absolute_url()}"' in page
    assert f'rel="next" href="{last.get_absolute_url()}"' in page


AWAITED = [(SummaryState.PENDING, None), (SummaryState.PROCESSING, None), (SummaryState.FAILED, ErrorType.TIMEOUT)]


@pytest.mark.parametrize(("state", "error_type"), AWAITED)
def test_a_page_that_waits_for_its_summary_says_that_it_will_come(client, state, error_type):
    page = page_of(client, make_paper(state=state, status={"error_type": error_type}))
    assert "data-awaited" in page and "完成后这一页会自己更新" in page and "稍后刷新即可看到" in page


@pytest.mark.parametrize("state", [SummaryState.PERMANENT_FAILURE, SummaryState.DONE])
def test_a_page_whose_summary_will_not_come_by_itself_does_not_wait(client, state):
    paper = make_paper(state=state)
    if state == SummaryState.DONE:
        make_summary(paper)
    assert "data-awaited" not in page_of(client, paper)


def progress_of(client, paper) -> str:
    response = client.get(f"{paper.get_absolute_url()}progress/")
    assert response.status_code == 200
    return response.content.decode()


def stamp_of(page: str) -> str:
    return page.split('data-stamp="')[1].split('"')[0]


def test_the_progress_is_the_same_piece_as_on_the_page(client, django_assert_max_num_queries):
    paper = make_paper(arxiv_id="hep-th/9901001", state=SummaryState.PROCESSING)
    with django_assert_max_num_queries(2):
        piece = progress_of(client, paper)
    assert piece.strip().startswith('<div class="progress"')
    assert stamp_of(piece) == stamp_of(page_of(client, paper))


def test_the_progress_has_another_stamp_with_every_change(client):
    paper = make_paper(state=SummaryState.PENDING)
    stamps = [stamp_of(progress_of(client, paper))]
    for change in ({"status": SummaryState.PROCESSING}, {"status": SummaryState.FAILED, "error_type": "timeout"}):
        SummaryStatus.objects.filter(paper=paper).update(**change)
        stamps.append(stamp_of(progress_of(client, paper)))
    make_summary(paper)
    stamps.append(stamp_of(progress_of(client, paper)))
    PaperSummary.objects.update(updated_at=dt.datetime(2027, 1, 1, tzinfo=dt.UTC))
    stamps.append(stamp_of(progress_of(client, paper)))
    assert len(set(stamps)) == len(stamps)


@pytest.mark.parametrize("asked", ["2606.99999", "nonsense", "%00"])
def test_the_progress_of_an_unknown_paper_is_not_found(client, asked):
    assert client.get(f"/papers/{asked}/progress/").status_code == 404


def test_a_title_in_another_script_keeps_its_direction(client):
    paper = make_paper(title_en="دراسة حول نماذج اللغة", authors=["أحمد"], abstract="نص")
    page = page_of(client, paper)
    assert "<bdi>دراسة حول نماذج اللغة</bdi>" in page and 'lang="en" dir="auto"' in page


def test_the_paper_can_be_exported_and_compared(client):
    paper = make_paper(arxiv_id="hep-th/9901001")
    page = page_of(client, paper)
    assert 'href="/compare/?ids=hep-th/9901001"' in page and "?id=hep-th/9901001" in page
