"""A day whose summaries are still being made."""

import datetime as dt
import re

import pytest

from papers.models import SummaryState
from papers.pages.day_progress import MOST_NAMED, progress
from papers.queries.day_papers import day_papers, day_states
from tests.factories import DAY, make_paper, make_summary

pytestmark = pytest.mark.django_db

ADDRESS = f"/day/{DAY}/"
PIECE = f"/day/{DAY}/progress/"


def text_of(response) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def test_how_far_the_day_is(client):
    make_summary(make_paper())
    make_paper(state=SummaryState.PROCESSING, title_en="In Work")
    make_paper(state=SummaryState.PENDING)
    page = text_of(client.get(ADDRESS))
    assert "已总结 1 / 3 篇" in page and '<progress class="day-progress__bar" value="1" max="3"' in page
    assert re.search(r"正在总结：<a href=\"/papers/[^\"]+/\" dir=\"auto\">In Work</a>", page)


def test_a_finished_day_shows_none(client):
    make_summary(make_paper())
    make_paper(state=SummaryState.PERMANENT_FAILURE)
    page = text_of(client.get(ADDRESS))
    assert "day-progress" not in page and "day-news" not in page


def test_the_piece_and_the_page_say_the_same(client):
    for state in (SummaryState.PENDING, SummaryState.PROCESSING, SummaryState.FAILED, SummaryState.PERMANENT_FAILURE):
        make_paper(state=state)
    make_paper(state=None)
    make_summary(make_paper())
    assert progress(day_states(DAY)) == progress(paper.progress for paper in day_papers(DAY))
    piece = text_of(client.get(PIECE)).strip()
    assert piece in text_of(client.get(ADDRESS))
    assert "<html" not in piece and 'data-done="1" data-total="6" data-going-on' in piece


@pytest.mark.parametrize(
    ("state", "sentence"),
    [
        (SummaryState.PENDING, "1 篇在排队等待总结"),
        (SummaryState.FAILED, "1 篇没有成功，稍后自动重试"),
        (SummaryState.PERMANENT_FAILURE, "1 篇没有总结成功"),
        (SummaryState.DONE, "全部总结完成"),
    ],
)
def test_what_there_is_to_wait_for(client, state, sentence):
    make_paper(state=state)
    piece = text_of(client.get(PIECE))
    assert sentence in piece
    assert ("data-going-on" in piece) == (state in (SummaryState.PENDING, SummaryState.FAILED))


def test_many_papers_in_work_are_counted(client):
    for _number in range(MOST_NAMED + 3):
        make_paper(state=SummaryState.PROCESSING)
    piece = text_of(client.get(PIECE))
    assert piece.count("<a ") == MOST_NAMED and "等，另有 3 篇" in piece


def test_a_piece_that_is_the_same_is_not_sent_again(client):
    paper = make_paper(state=SummaryState.PENDING)
    etag = client.get(PIECE).headers["ETag"]
    again = client.get(PIECE, headers={"If-None-Match": etag})
    assert again.status_code == 304 and not again.content
    make_summary(paper)
    assert client.get(PIECE, headers={"If-None-Match": etag}).status_code == 200


def test_a_piece_costs_two_queries(client, django_assert_num_queries):
    for _number in range(30):
        make_paper(state=SummaryState.PENDING)
    # the version of the content; the states
    with django_assert_num_queries(2):
        client.get(PIECE)
    with django_assert_num_queries(1):
        client.get(PIECE)


def test_a_title_is_no_markup(client):
    make_paper(state=SummaryState.PROCESSING, title_en="<script>alert(1)</script>" + "x" * 500)
    piece = text_of(client.get(PIECE))
    assert "<script>" not in piece and "x" * 100 not in piece


def test_a_piece_of_no_day_is_not_found(client):
    assert client.get("/day/2026-13-01/progress/").status_code == 404
    assert client.get(f"{PIECE}?x=1").headers["Location"] == PIECE
    empty = client.get(f"/day/{DAY + dt.timedelta(days=1)}/progress/")
    assert empty.status_code == 200 and "data-going-on" not in text_of(empty)


def test_without_javascript_the_page_says_how_to_see_more(client):
    make_paper()
    assert "<noscript>刷新这一页可以看到最新的进展。</noscript>" in text_of(client.get(ADDRESS))
