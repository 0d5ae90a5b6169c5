"""What was asked, answered and went wrong, beside each other; and the button that runs it again."""

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from django_q.models import OrmQ

from operations.attempt_record import MOST_RUNS, runs_of
from operations.files import FAILED_PROMPT_NAME, FAILED_RAW_NAME, PROMPT_NAME, RAW_NAME, paper_folder
from operations.kept_files import LONGEST_SHOWN
from operations.models import CrawlLog, DayListing
from papers.models import ErrorType, Paper, PaperSummary, SummaryState, SummaryStatus
from tests.factories import DAY, make_paper, make_summary
from tests.roles import client_of

NOW = timezone.now()
HOSTILE = "</pre><script>alert(1)</script>"


@pytest.fixture
def operator(db):
    return client_of("operator")


def failed_paper(**columns) -> Paper:
    status = {"error_type": ErrorType.TIMEOUT, "error": "no end after 600 s", "retry_count": 1}
    return make_paper(state=SummaryState.PERMANENT_FAILURE, status=status, **columns)


def keep(paper: Paper, **texts: str) -> None:
    folder = paper_folder(paper.arxiv_id)
    folder.mkdir(parents=True, exist_ok=True)
    names = {"prompt": PROMPT_NAME, "raw": RAW_NAME, "failed_prompt": FAILED_PROMPT_NAME, "failed_raw": FAILED_RAW_NAME}
    for key, text in texts.items():
        (folder / names[key]).write_text(text, "utf-8")


def address(paper: Paper) -> str:
    return f"/admin/papers/paper/{paper.pk}/attempt/"


def page(client, paper: Paper) -> str:
    answer = client.get(address(paper))
    assert answer.status_code == 200
    return answer.content.decode()


def log(paper: Paper, detail: str, *, date: dt.date = DAY, ago: int = 0, **columns) -> CrawlLog:
    started = NOW - dt.timedelta(minutes=ago)
    return CrawlLog.objects.create(
        task="summarize", status="failed", date=date, detail=detail, started_at=started, **columns
    )


def test_a_failure_is_shown_with_request_output_error_and_advice(operator):
    paper = failed_paper()
    keep(paper, prompt="THE REQUEST", raw="THE ANSWER")
    text = page(operator, paper)
    for part in ("THE REQUEST", "THE ANSWER", "no end after 600 s", "超时", "没有答完", "prompt.txt"):
        assert part in text


def test_a_failed_rerun_is_shown_beside_the_good_summary(operator):
    paper = make_paper()
    make_summary(paper)
    SummaryStatus.objects.update(error_type=ErrorType.JSON_INVALID, error="cut")
    keep(paper, prompt="GOOD REQUEST", raw="GOOD ANSWER", failed_prompt="BAD REQUEST", failed_raw="BAD ANSWER")
    text = page(operator, paper)
    for part in ("GOOD REQUEST", "GOOD ANSWER", "BAD REQUEST", "BAD ANSWER", "失败的重新运行", "LongBench"):
        assert part in text
    assert text.index("BAD ANSWER") < text.index("GOOD ANSWER")


def test_a_rerun_that_failed_before_anything_was_asked_is_shown_beside_the_good_summary(operator):
    paper = make_paper()
    make_summary(paper)
    SummaryStatus.objects.update(error_type=ErrorType.PDF_DOWNLOAD_FAILED, error="HTTP 404")
    keep(paper, prompt="GOOD REQUEST", raw="GOOD ANSWER")
    text = page(operator, paper)
    for part in ("没有 prompt.failed.txt", "没有 raw_output.failed.txt", "HTTP 404", "GOOD REQUEST", "GOOD ANSWER"):
        assert part in text


def test_what_is_missing_is_said(operator):
    text = page(operator, make_paper(state=None))
    assert "没有 prompt.txt" in text and "没有 raw_output.txt" in text and "还没有总结" in text


def test_a_link_out_of_the_data_folder_is_said_and_not_read(operator, data_dir):
    paper = failed_paper()
    keep(paper, prompt="x")
    (data_dir / "secret_key").write_text("SECRET", "utf-8")
    (paper_folder(paper.arxiv_id) / RAW_NAME).symlink_to(data_dir / "secret_key")
    text = page(operator, paper)
    assert "raw_output.txt 不能读取" in text and "SECRET" not in text


def test_hostile_text_stays_text(operator):
    paper = failed_paper(title_en=HOSTILE)
    make_summary(paper, title_zh=HOSTILE, full_json=HOSTILE, edited_at=NOW, edited_by=HOSTILE)
    SummaryStatus.objects.update(error_type=ErrorType.UNKNOWN, error=HOSTILE)
    keep(paper, prompt=HOSTILE, raw=HOSTILE, failed_prompt=HOSTILE, failed_raw=HOSTILE)
    log(paper, f"{paper.arxiv_id} {HOSTILE}", error=HOSTILE)
    assert "<script>alert" not in page(operator, paper)


def test_a_long_output_is_cut_and_that_is_said(operator):
    paper = failed_paper()
    keep(paper, raw="x" * (LONGEST_SHOWN + 5))
    text = page(operator, paper)
    assert "x" * (LONGEST_SHOWN + 1) not in text and "其后还有 5 个" in text


def test_that_a_summary_was_edited_is_said(operator):
    paper = make_paper()
    make_summary(paper, edited_at=NOW, edited_by="mei")
    assert "由 mei 于" in page(operator, paper)


def test_its_runs_are_listed_and_nobody_elses(operator):
    paper, other = failed_paper(arxiv_id="2606.00001"), failed_paper(arxiv_id="2606.000011")
    earlier = DAY - dt.timedelta(days=3)
    DayListing.objects.create(date=earlier, entry_key="x", arxiv_id=paper.arxiv_id, first_seen_at=NOW)
    mine = [
        log(paper, "2606.00001 failed", ago=1, error="timeout: once"),
        log(paper, "2606.00001 permanent_failure"),
        log(paper, "2606.00001 normal", date=earlier, ago=5),
    ]
    log(other, "2606.000011 failed")
    log(paper, "2606.00001 crawled", error="x").__class__.objects.filter(detail__endswith="crawled").update(
        task="crawl"
    )
    assert list(runs_of(paper)) == [mine[1], mine[0], mine[2]]
    text = page(operator, paper)
    assert "timeout: once" in text and "2606.000011" not in text


def test_its_runs_are_found_by_the_index_of_days_and_bounded(operator, django_assert_num_queries):
    paper = failed_paper()
    for number in range(MOST_RUNS + 5):
        log(paper, f"{paper.arxiv_id} failed", ago=number)
    with django_assert_num_queries(2):
        assert len(runs_of(paper)) == MOST_RUNS
    assert "ix_crawl_logs_day" in runs_of(paper).explain()


def test_an_operator_runs_it_again_and_that_is_logged(operator):
    paper = failed_paper()
    answer = operator.post(address(paper), follow=True)
    assert answer.redirect_chain[0][0] == address(paper)
    assert "重新排队" in answer.content.decode()
    status = SummaryStatus.objects.get()
    assert (status.status, status.retry_count, status.error_type) == (SummaryState.PENDING, 0, None)
    assert OrmQ.objects.exists()
    entry = LogEntry.objects.get()
    assert (entry.user.username, entry.object_id, entry.change_message) == ("operator", str(paper.pk), "重新运行总结")


def test_a_paper_in_work_is_left_alone(operator):
    paper = make_paper(state=SummaryState.PROCESSING, status={"started_at": NOW, "owner": "x"})
    assert "重新运行总结</button>" not in page(operator, paper)
    answer = operator.post(address(paper), follow=True)
    assert "未作改动" in answer.content.decode()
    assert SummaryStatus.objects.get().status == SummaryState.PROCESSING
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize("role", ["editor", "auditor"])
def test_others_read_it_and_have_no_button(role, db):
    client, paper = client_of(role), failed_paper()
    text = page(client, paper)
    assert "no end after 600 s" in text and '<button type="submit">重新' not in text
    assert client.post(address(paper)).status_code == 403
    assert SummaryStatus.objects.get().status == SummaryState.PERMANENT_FAILURE


def test_looking_never_acts_and_nobody_unknown_looks(operator, client):
    paper = failed_paper()
    operator.get(address(paper))
    assert SummaryStatus.objects.get().status == SummaryState.PERMANENT_FAILURE
    assert client.get(address(paper)).status_code == 302


@pytest.mark.parametrize("paper_id", ["0", "999999", "9" * 30])
def test_a_paper_that_is_not_there_is_not_found(operator, paper_id):
    assert operator.get(f"/admin/papers/paper/{paper_id}/attempt/").status_code == 404


def test_a_damaged_summary_is_shown_as_it_is(operator):
    paper = make_paper()
    make_summary(paper, full_json='{"half')
    assert PaperSummary.objects.exists() and "{&quot;half" in page(operator, paper)
