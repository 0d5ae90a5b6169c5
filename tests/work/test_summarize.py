"""Summaries from claim to page: a real agent process, recorded sources, and everything that can go wrong."""

import json
import textwrap

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from operations import owners, states, tasks
from operations.addition import add_papers
from operations.attempt import attempt_summary
from operations.files import paper_folder, temporary_folder
from operations.http.patience import Patience
from operations.locks import LockHeld
from operations.models import CrawlLog, QueuePause, TaskLock
from operations.stopping import WorkStopped, let_workers_work, raise_if_stopping
from operations.summarize import summarize_claimed, summarize_next, summarize_waiting
from papers.models import Paper, SummaryStatus
from papers.search.results import search
from tests.factories import SUMMARY

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("replayed_sources", "data_dir")]

ID = "2608.19880"
GOOD = f"import sys\nprompt = sys.stdin.read()\nprint({json.dumps(SUMMARY, ensure_ascii=False)!r})\n"


def answering(text: str) -> str:
    return f"import sys\nsys.stdin.read()\nsys.stdout.write({text!r})\n"


def altered(**columns) -> str:
    return answering(json.dumps({**SUMMARY, **columns}, ensure_ascii=False))


@pytest.fixture
def paper(replayed_sources) -> Paper:
    add_papers([ID])
    return Paper.objects.get(arxiv_id=ID)


def status_of(paper: Paper) -> SummaryStatus:
    return SummaryStatus.objects.get(paper=paper)


def run(**options):
    return summarize_waiting(**options)


def test_a_summary_is_stored_searchable_written_and_cleaned_up(paper, agent):
    agent(GOOD)
    assert run().done == 1
    paper.refresh_from_db()
    row = status_of(paper)
    assert (row.status, row.quality, paper.summary_quality, paper.asset_status) == (
        "done",
        "normal",
        "normal",
        "cleaned",
    )
    assert paper.title_zh == SUMMARY["title_zh"]
    assert paper.summary.motivation_goal == SUMMARY["motivation"]["goal"]
    assert paper.summary.source_version == 1
    assert set(paper.tags.filter(source="ai").values_list("tag", flat=True)) == set(SUMMARY["tags"])
    assert [hit.paper_id for hit in search("打分网络", limit=5, offset=0).hits] == [paper.pk]
    assert json.loads((paper_folder(ID) / "summary.json").read_text("utf-8")) == SUMMARY
    assert json.loads((paper_folder(ID) / "raw_output.txt").read_text("utf-8")) == SUMMARY
    assert paper.summary_path == f"papers/{ID}/summary.json"
    assert not temporary_folder(ID).exists()
    log = CrawlLog.objects.get(task="summarize")
    assert (log.status, log.detail) == ("success", f"{ID} normal")
    assert not TaskLock.objects.filter(status="running").exists()


def test_the_prompt_names_the_paper_and_holds_its_text(paper, agent, tmp_path):
    agent(f"import sys\nopen({str(tmp_path / 'prompt')!r}, 'w').write(sys.stdin.read())\n")
    run()
    prompt = (tmp_path / "prompt").read_text("utf-8")
    assert ID in prompt
    assert paper.title_en in prompt
    assert "Chengsong Huang" in prompt
    assert "On the benchmark our score is 71.3" in prompt


@pytest.mark.parametrize(
    ("program", "error_type"),
    [
        (answering(""), "json_not_found"),
        (answering("抱歉，我无法处理这个请求。"), "json_not_found"),
        (answering(json.dumps(SUMMARY)[:300]), "json_invalid"),
        (altered(one_line="Error"), "field_missing"),
        (altered(tags=[]), "field_missing"),
        (altered(title_zh={"zh": "题"}), "schema_error"),
        (altered(arxiv_id="2405.15738", title_en="ConvLLaVA: Hierarchical Backbones"), "schema_error"),
        ("import sys\nprint(sys.stdin.read())\n", "field_missing"),
        ("import sys\nsys.exit(3)\n", "process_error"),
        ("print('长' * 600_000)\n", "process_error"),
    ],
    ids=[
        "blank",
        "refusal",
        "truncated",
        "failure word",
        "no tags",
        "type",
        "other paper",
        "echo",
        "exit code",
        "flood",
    ],
)
def test_a_bad_answer_is_tried_twice_and_then_fails_for_good(paper, agent, program, error_type):
    agent(program)
    result = run()
    row = status_of(paper)
    assert (row.status, row.error_type, row.retry_count) == ("permanent_failure", error_type, 1)
    assert len(result.failed) == 1
    assert CrawlLog.objects.filter(task="summarize", status="failed").count() == 2
    assert row.raw_output_saved
    assert (paper_folder(ID) / "raw_output.txt").is_file()
    assert not temporary_folder(ID).exists()


def test_an_agent_that_hangs_is_ended_and_its_output_kept(paper, agent, settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"agent_timeout": 1})
    agent("import time\nprint('begun', flush=True)\ntime.sleep(60)\n")
    run()
    assert status_of(paper).error_type == "timeout"
    assert (paper_folder(ID) / "raw_output.txt").read_text("utf-8") == "begun\n"


def test_a_retry_that_works_makes_the_paper_done(paper, agent, tmp_path):
    flag = str(tmp_path / "second")
    agent(f"import os, sys\nif not os.path.exists({flag!r}):\n    open({flag!r}, 'w')\n    sys.exit(1)\n{GOOD}")
    result = run()
    assert (result.done, result.failed) == (1, [])
    assert status_of(paper).status == "done"


def test_a_failed_rerun_leaves_the_good_summary_and_keeps_its_output_beside(paper, agent):
    agent(GOOD)
    run()
    agent(answering("nonsense"))
    result = run(paper_ids=[paper.pk])
    row = status_of(paper)
    assert (row.status, row.quality, row.error_type) == ("done", "normal", "json_not_found")
    assert len(result.failed) == 1
    assert json.loads((paper_folder(ID) / "raw_output.txt").read_text("utf-8")) == SUMMARY
    assert (paper_folder(ID) / "raw_output.failed.txt").read_text("utf-8") == "nonsense"
    assert paper.summary.one_line == SUMMARY["one_line"]


def test_what_was_asked_is_kept_beside_each_answer_without_the_papers_text(paper, agent, tmp_path):
    agent(f"import sys\nopen({str(tmp_path / 'sent')!r}, 'w').write(prompt := sys.stdin.read())\n{GOOD}")
    run()
    folder, sent = paper_folder(ID), (tmp_path / "sent").read_text("utf-8")
    kept = (folder / "prompt.txt").read_text("utf-8")
    assert kept[:500] == sent[:500] and kept[-500:] == sent[-500:]
    assert "此处略去" in kept and len(kept) < len(sent)
    agent(answering("nonsense"))
    run(paper_ids=[paper.pk])
    assert (folder / "prompt.txt").read_text("utf-8") == kept
    assert "此处略去" in (folder / "prompt.failed.txt").read_text("utf-8")
    agent(GOOD)
    run(paper_ids=[paper.pk])
    left = {path.name for path in folder.iterdir()}
    assert left == {"meta.json", "prompt.txt", "raw_output.txt", "summary.json"}


def test_what_was_asked_is_kept_of_a_first_attempt_that_fails(paper, agent):
    agent("import sys\nsys.exit(1)\n")
    run()
    assert f"arXiv 编号：{ID}" in (paper_folder(ID) / "prompt.txt").read_text("utf-8")


def test_a_rerun_that_works_replaces_the_summary_and_its_tags(paper, agent):
    agent(GOOD)
    run()
    agent(altered(one_line="换了一种说法来概括这篇论文的主要贡献与实验结论。", tags=["新标签"]))
    run(paper_ids=[paper.pk])
    paper.refresh_from_db()
    assert paper.summary.one_line.startswith("换了一种说法")
    assert list(paper.tags.filter(source="ai").values_list("tag", flat=True)) == ["新标签"]
    assert search("打分网络 新标签", limit=5, offset=0).count == 1


def test_keys_beyond_the_schema_are_kept(paper, agent):
    agent(altered(confidence="高"))
    run()
    assert json.loads(paper.summary.full_json)["confidence"] == "高"


def test_a_withdrawn_paper_fails_for_good_at_once(replay, agent):
    agent(GOOD)
    replay.world({"withdrawn": [ID]})
    add_papers([ID])
    run()
    row = SummaryStatus.objects.get()
    assert (row.status, row.error_type, row.retry_count) == ("permanent_failure", "pdf_download_failed", 0)
    assert "withdrawn" in row.error


def test_a_paper_withdrawn_since_the_crawl_is_noticed_by_its_source(paper, replay, agent):
    agent(GOOD)
    replay.world({"withdrawn": [ID]})
    run()
    paper.refresh_from_db()
    assert (status_of(paper).status, paper.is_withdrawn) == ("permanent_failure", True)
    assert json.loads((paper_folder(ID) / "meta.json").read_text("utf-8"))["is_withdrawn"]


def test_without_source_the_pdf_is_read(paper, replay, agent):
    agent(GOOD)
    replay.world({"no_source": [ID]})
    assert run().done == 1


def test_without_any_text_nothing_is_summarised_from_the_abstract(paper, replay, agent):
    agent(GOOD)
    replay.world({"no_source": [ID]})
    replay.faults([{"match": "/arxiv/pdf", "body": "<html>a page in place of the PDF</html>"}])
    run()
    paper.refresh_from_db()
    row = status_of(paper)
    assert (row.status, row.error_type, paper.asset_status) == ("permanent_failure", "pdf_download_failed", "failed")
    assert paper.asset_error


def test_files_that_are_cut_each_time_are_the_papers_own_trouble(paper, replay, agent):
    agent(GOOD)
    replay.faults([{"match": "/arxiv/e-print", "cut": 20}, {"match": "/arxiv/pdf", "cut": 20}])
    run()
    row = status_of(paper)
    assert (row.status, row.error_type) == ("permanent_failure", "pdf_download_failed")
    assert "cut short" in row.error
    assert not QueuePause.objects.exists()


@pytest.mark.parametrize("fault", [{"status": 503}, {"status": 429}], ids=["503", "429"])
def test_arxiv_being_down_pauses_the_queue_and_costs_no_attempt(paper, replay, agent, fault):
    agent(GOOD)
    replay.faults([{"match": "/arxiv/e-print", **fault}])
    assert run().paused
    row = status_of(paper)
    assert (row.status, row.retry_count, row.error_type) == ("pending", 0, None)
    assert QueuePause.objects.get().cause == "arxiv"
    replay.clear()
    assert run().done == 1
    assert not QueuePause.objects.exists()


def test_a_wish_to_stop_is_heard_while_arxiv_is_waited_for(paper, replay, agent, settings):
    agent(GOOD)
    settings.SOURCE_PATIENCE = Patience(attempts=2, first_pause=4, longest_pause=4)
    replay.faults([{"match": "/arxiv/e-print", "status": 503}])

    def stopped():
        raise WorkStopped

    with pytest.raises(WorkStopped):
        attempt_summary(states.claim_next(states.due()), stopped)
    assert (status_of(paper).status, QueuePause.objects.count()) == ("pending", 0)


def test_a_paper_is_given_back_only_when_its_downloads_are_gone(paper, replay, agent, monkeypatch):
    agent(GOOD)
    replay.faults([{"match": "/arxiv/e-print", "status": 503}])
    seen = []

    def look(arxiv_id: str) -> None:
        seen.append(status_of(paper).status)

    monkeypatch.setattr("operations.attempt.remove_temporary", look)
    assert run().paused
    assert seen == ["processing"]


def test_a_paper_whose_file_arxiv_never_gives_does_not_stand_in_the_way_of_others(replay, agent):
    agent(GOOD)
    add_papers([ID, "2405.15738"])
    Paper.objects.filter(arxiv_id=ID).update(upvotes=99)
    replay.faults([{"match": f"/arxiv/e-print/{ID}", "status": 500}])
    assert run(limit=1).paused
    assert run(limit=1).done == 1
    assert Paper.objects.get(status__status="done").arxiv_id == "2405.15738"


def test_an_agent_that_is_not_there_pauses_the_queue(paper, settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"agent_command": ["/nowhere/agent"]})
    with pytest.raises(CommandError, match="paused") as caught:
        call_command("summarize")
    assert caught.value.returncode == 1
    assert (status_of(paper).status, QueuePause.objects.get().cause) == ("pending", "agent")


def test_an_agent_that_fails_only_when_it_is_started_pauses_until_it_is_mended(paper, agent):
    agent(GOOD).write_bytes(b"\x00no program")
    assert "not installed" in run().paused
    assert (status_of(paper).status, QueuePause.objects.get().cause) == ("pending", "system")
    tasks.tick()
    assert QueuePause.objects.exists()


def test_chatter_of_an_agent_whose_model_is_away_costs_no_attempt(paper, agent, monkeypatch):
    agent(answering("Connection error."))
    monkeypatch.setattr("operations.attempt.llm_problem", lambda: "unreachable")
    assert run().paused == "unreachable"
    assert (status_of(paper).status, QueuePause.objects.get().cause) == ("pending", "model")


def test_a_full_disk_is_no_papers_fault(paper, agent, monkeypatch):
    agent(GOOD)

    def full(*_args, **_options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("operations.attempt.obtain_text", full)
    assert "No space left" in run().paused
    row = status_of(paper)
    assert (row.status, row.queued_at is not None, QueuePause.objects.get().cause) == ("pending", True, "system")


def test_a_claim_lost_meanwhile_stores_nothing(paper, agent, tmp_path):
    lost = textwrap.dedent(
        f"""
        import sqlite3, sys
        sys.stdin.read()
        with sqlite3.connect({str(connection.settings_dict["NAME"])!r}, timeout=20) as c:
            c.execute("UPDATE summary_status SET owner = 'another'")
        """
    )
    agent(lost + GOOD)
    result = run()
    assert (result.done, result.failed) == (0, [])
    row = status_of(paper)
    assert (row.status, row.owner) == ("processing", "another")
    assert not hasattr(Paper.objects.get(pk=paper.pk), "summary")


@pytest.mark.parametrize("when", ["before", "during"])
def test_a_paper_deleted_meanwhile_leaves_nothing(paper, agent, when):
    delete = textwrap.dedent(
        f"""
        import sqlite3, sys
        sys.stdin.read()
        with sqlite3.connect({str(connection.settings_dict["NAME"])!r}, timeout=20) as c:
            c.execute("PRAGMA foreign_keys=ON")
            c.execute("DELETE FROM papers")
        """
    )
    agent(GOOD if when == "before" else delete + GOOD)
    claim = states.claim_next(states.due())
    if when == "before":
        Paper.objects.all().delete()
    with pytest.raises(states.ClaimLost):
        summarize_claimed(claim)
    assert not Paper.objects.exists()
    assert not TaskLock.objects.filter(status="running").exists()
    assert not (paper_folder(ID) / "summary.json").exists()


def test_a_paper_locked_by_someone_alive_is_left_to_them(paper, agent):
    agent(GOOD)
    TaskLock.objects.create(
        task="summarize", lock_key=ID, status="running", owner=owners.current_owner(), acquired_at=timezone.now()
    )
    with pytest.raises(CommandError, match=ID) as caught:
        call_command("summarize", "--paper", ID)
    assert caught.value.returncode == 3
    assert status_of(paper).status == "pending"


def test_a_locked_paper_does_not_stand_in_the_way_of_others(agent):
    agent(GOOD)
    add_papers([ID, "2405.15738"])
    Paper.objects.filter(arxiv_id=ID).update(upvotes=99)
    TaskLock.objects.create(
        task="summarize", lock_key=ID, status="running", owner=owners.current_owner(), acquired_at=timezone.now()
    )
    with pytest.raises(LockHeld):
        summarize_next()
    assert summarize_next().arxiv_id == "2405.15738"


def test_a_paper_in_work_is_left_to_who_has_it(paper, agent):
    agent(GOOD)
    assert states.claim_next(states.due())
    with pytest.raises(CommandError) as caught:
        call_command("summarize", "--paper", ID)
    assert caught.value.returncode == 3


def test_the_daily_limit_leaves_the_rest_for_tomorrow(agent, settings, capsys):
    agent(GOOD)
    add_papers([ID, "2405.15738", "0704.0156"])
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"summary_daily_limit": 1, "summary_workers": 1})
    call_command("summarize")
    assert SummaryStatus.objects.filter(status="done").count() == 1
    assert "limit" in capsys.readouterr().out
    assert summarize_next() is None


def test_summaries_made_at_once_keep_to_the_daily_limit_together(agent, settings):
    agent(f"import time\ntime.sleep(1)\n{GOOD}")
    add_papers([ID, "2405.15738", "0704.0156"])
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"summary_daily_limit": 1, "summary_workers": 3})
    result = run()
    assert (result.done, result.limited) == (1, True)
    assert sorted(SummaryStatus.objects.values_list("status", flat=True)) == ["done", "pending", "pending"]


def test_a_paused_attempt_is_not_counted_by_the_daily_limit(paper, replay, agent, settings):
    agent(GOOD)
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"summary_daily_limit": 1})
    replay.faults([{"match": "/arxiv/e-print", "status": 503}])
    assert run().paused
    replay.clear()
    assert run().done == 1


def test_limit_bounds_the_papers_not_their_retries(agent, settings):
    agent("import sys\nsys.exit(1)\n")
    add_papers([ID, "2405.15738"])
    assert len(run(limit=1).failed) == 1
    assert sorted(SummaryStatus.objects.values_list("status", flat=True)) == ["pending", "permanent_failure"]


def test_a_worker_takes_one_paper_and_no_more_than_have_a_place(agent, settings):
    agent(GOOD)
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"summary_workers": 1})
    add_papers([ID, "2405.15738"])
    assert summarize_next().state == "done"
    assert states.claim_next(states.due())
    assert summarize_next() is None


def test_a_site_that_is_stopped_gives_the_paper_in_work_back_uncounted(paper, agent, data_dir):
    flag = data_dir / "locks" / "stopping"
    flag.parent.mkdir(exist_ok=True)
    agent(f"import time\nopen({str(flag)!r}, 'w').write({owners.current_owner()!r})\ntime.sleep(60)\n")
    with pytest.raises(WorkStopped):
        summarize_next(raise_if_stopping)
    row = status_of(paper)
    assert (row.status, row.retry_count, row.interruptions, row.queued_at) == ("pending", 0, 0, None)
    assert tasks.summarize() == "paused"
    let_workers_work()
    agent(GOOD)
    assert tasks.summarize() == f"{ID} done"


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (["--paper", "nonsense"], 2),
        (["--paper", "2601.00001"], 1),
        (["--paper", ID, "--limit", "1"], 2),
        (["--limit", "-1"], 2),
    ],
)
def test_wrong_arguments_are_named(arguments, code):
    with pytest.raises(CommandError) as caught:
        call_command("summarize", *arguments)
    assert caught.value.returncode == code


def test_nothing_to_do_is_no_failure(agent):
    agent(GOOD)
    call_command("summarize")


def test_old_ids_keep_their_slash(agent):
    agent(GOOD)
    add_papers(["hep-th/9901001"])
    assert run().done == 1
    assert (paper_folder("hep-th/9901001") / "summary.json").is_file()
    assert not temporary_folder("hep-th/9901001").parent.exists()
