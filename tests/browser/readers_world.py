"""A library in every state that a reader can meet: each kind of day, each state of a summary, and what is much too much."""

import datetime as dt

from django.utils import timezone

from operations.models import CrawlLog, DayListing, DeletedPaper, QueuePause, RunState, Task
from papers.models import (
    ErrorType,
    Paper,
    SummaryQuality,
    SummaryState,
    UserBookmark,
    UserNote,
    UserReadingStatus,
)
from tests.factories import DAY, SUMMARY, make_paper, make_summary

HALF_DONE, FAILED, EMPTY = (DAY.replace(day=day) for day in (4, 3, 6))
UNASKED = DAY.replace(day=9)
WORD = "Pneumonoultramicroscopicsilicovolcanoconiosis" * 4  # nothing in it at which a line may be broken
LONG_TITLE = (
    "A Very Long Title That Goes On About Everything That the Authors Ever Did, Including "
    f"{WORD} and a Study of How Titles Are Cut, Wrapped, Balanced and Read Aloud by Readers in Two Languages"
)
RTL_TITLE = "نماذج اللغة الكبيرة: دراسة (GPT-4) حول الفهم العميق للنصوص العربية"
MATHS = r"$\mathcal{O}(n\log n)$ Attention for $0.07: Scaling $\alpha_{t}^{2}$ and $\frac{1}{"
MANY_TAGS = [f"topic {number} of a great many" for number in range(24)]
BENCHMARKS = [
    {"dataset": "LongBench", "metric": "accuracy", "value": "47.2", "baseline": {"dense": "47.0", "window": "44.1"}},
    {
        "dataset": "Needle in a Haystack, extended to two million tokens",
        "metric": "recall",
        "value": 99.1,
        "delta": -0.3,
    },
]


def make_world() -> None:
    """Make all of it."""
    _full_day()
    _half_done_day()
    _listings()
    _logs()


def make_own() -> None:
    """Make what the owner has put on some of its papers: short and much too long."""
    now = timezone.now()
    for arxiv_id, note in (("2606.10001", "Read **this** again: $x^2$"), ("2606.10004", f"# Long\n\n{WORD} " * 20)):
        paper = Paper.objects.get(arxiv_id=arxiv_id)
        UserBookmark.objects.create(paper=paper, note=note[:200], created_at=now)
        UserNote.objects.create(paper=paper, content=note, created_at=now, updated_at=now)
        UserReadingStatus.objects.create(paper=paper, status="skimmed", updated_at=now)


def _full_day() -> None:
    _ordinary()
    _much_too_much()
    _poor_summaries()
    _without_summaries()
    for number in range(12):
        make_summary(make_paper(arxiv_id=f"2606.105{number:02}", upvotes=40 - number, tags=["agents", "reasoning"]))


def _ordinary() -> None:
    complete = make_paper(
        arxiv_id="2606.10001",
        upvotes=312,
        title_en="Sparse Attention for Long Contexts",
        tags=["sparse attention", "long context", "agents"],
        categories="cs.CL cs.LG",
        version=2,
        code_url="https://github.com/example/sparse",
        code_stars=1234,
        project_url="https://example.org/sparse",
        organization="University of Somewhere",
        abstract="We study attention that reads only the blocks that matter.\n\nIt costs $\\mathcal{O}(n \\log n)$.",
    )
    make_summary(complete, summary=SUMMARY | {"results": SUMMARY["results"] | {"benchmarks": BENCHMARKS}})
    make_summary(make_paper(arxiv_id="2606.10002", upvotes=280, title_en=MATHS, tags=["complexity"]))
    make_summary(make_paper(arxiv_id="hep-th/9901001", upvotes=270, title_en="An Old Paper of the Last Century"))


def _much_too_much() -> None:
    many = [f"Ana-María {number} Péréz-O'Neill" for number in range(664)]
    make_summary(make_paper(arxiv_id="2606.10003", upvotes=260, title_en="A Paper of Many Hands", authors=many))
    long = make_paper(arxiv_id="2606.10004", upvotes=250, title_en=LONG_TITLE, authors=[WORD], tags=[WORD[:60]])
    make_summary(long, title_zh="一个非常长的标题" * 20, one_line="一句话说了很多遍仍然没有说完。" * 12)
    rtl = make_paper(arxiv_id="2606.10005", upvotes=240, title_en=RTL_TITLE, authors=["محمد علي", "דוד כהן"])
    make_summary(rtl, title_zh="阿拉伯语文本的深层理解")
    make_summary(make_paper(arxiv_id="2606.10006", upvotes=230, title_en="Tagged Beyond Measure", tags=MANY_TAGS))


def _poor_summaries() -> None:
    low = make_paper(arxiv_id="2606.10007", upvotes=220, title_en="Summarised Poorly")
    make_summary(low, quality=SummaryQuality.LOW, one_line="无", method_key_idea="")
    degraded = make_paper(arxiv_id="2606.10008", upvotes=210, title_en="Summarised in Part")
    make_summary(degraded, quality=SummaryQuality.DEGRADED, motivation_gap="", results_main_json="[]")
    make_summary(make_paper(arxiv_id="2606.10009", upvotes=200, title_en="Taken Back", is_withdrawn=True))


def _without_summaries() -> None:
    now = timezone.now()
    failed = {"error_type": ErrorType.TIMEOUT, "error": "no answer", "completed_at": now}
    make_paper(arxiv_id="2606.10010", upvotes=190, title_en="Waiting Its Turn", state=SummaryState.PENDING)
    make_paper(arxiv_id="2606.10011", upvotes=180, state=SummaryState.PROCESSING, status={"started_at": now})
    make_paper(arxiv_id="2606.10012", upvotes=170, state=SummaryState.FAILED, status=failed)
    make_paper(arxiv_id="2606.10013", upvotes=160, state=SummaryState.PERMANENT_FAILURE, status=failed)
    make_paper(arxiv_id="2606.10014", upvotes=150, abstract=None, authors=[], state=SummaryState.PENDING)


def _half_done_day() -> None:
    states = [SummaryState.PENDING] * 4 + [SummaryState.PROCESSING, SummaryState.FAILED]
    for number, state in enumerate(states):
        status = {
            "started_at": timezone.now(),
            "error_type": ErrorType.TIMEOUT if state == SummaryState.FAILED else None,
        }
        make_paper(arxiv_id=f"2606.200{number:02}", paper_date=HALF_DONE, state=state, status=status)
    for number in range(3):
        make_summary(make_paper(arxiv_id=f"2606.201{number:02}", paper_date=HALF_DONE, tags=["agents"]))


def _listings() -> None:
    now = timezone.now()
    listed = [(paper.paper_date, paper.arxiv_id, None) for paper in Paper.objects.all()]
    listed += [
        (DAY, "2606.20100", None),  # filed under the day before
        (DAY, "2606.99001", None),  # of which nothing is known
        (DAY, "2606.99002", "could not be stored: DataError"),
        (HALF_DONE, "2606.99003", None),  # deleted on purpose
    ]
    DeletedPaper.objects.create(arxiv_id="2606.99003", paper_date=HALF_DONE, deleted_at=now)
    DayListing.objects.bulk_create(
        DayListing(date=date, entry_key=key, arxiv_id=key, skipped_reason=reason, first_seen_at=now)
        for date, key, reason in listed
    )


def _logs() -> None:
    now = timezone.now()
    ended = [(DAY, RunState.SUCCESS, None), (HALF_DONE, RunState.SUCCESS, None), (EMPTY, RunState.SUCCESS, None)]
    ended += [(FAILED, RunState.FAILED, "HTTP 503 for https://internal.example/")]
    for date, state, error in ended:
        CrawlLog.objects.create(task=Task.CRAWL, status=state, date=date, error=error, started_at=now, completed_at=now)
    QueuePause.objects.create(cause="arxiv", message="refused", since=now, until=now + dt.timedelta(minutes=5))
