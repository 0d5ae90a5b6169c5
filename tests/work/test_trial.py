"""The trial of what the site needs: each step ends in time, with an outcome in plain words."""

import fcntl
import json
import socket
import sys
import time
from pathlib import Path

import pytest
from django.db import transaction

from operations import trial
from operations.agent.installation import AgentState
from operations.locks import hold
from operations.models import Measurement, TaskLock
from operations.trial import FREE_STEPS, STEPS, UnknownStep, last_outcomes, steps, try_step
from operations.trial import trying as trying_module
from operations.trial.in_time import NotInTime, in_time
from tests.factories import make_paper

pytestmark = pytest.mark.django_db

HF, API, FILES = "/hf/api/daily_papers", "/arxiv/api/query", "/arxiv/e-print"


@pytest.fixture
def here(data_dir, replayed_sources):
    """The sources, and a paper that they know."""
    make_paper(arxiv_id="hep-th/9901001")
    return replayed_sources


def configure(settings, **values):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=values)


@pytest.mark.parametrize("name", ["huggingface", "arxiv_api", "arxiv_files"])
def test_a_source_that_answers_is_well(here, settings, name):
    here.start("--today", "2999-01-01")
    configure(settings, **here.addresses)
    outcome = try_step(name)
    assert (outcome.ok, outcome.name) == (True, name), outcome.message
    assert outcome.seconds < 5
    assert outcome.label


@pytest.mark.parametrize(
    ("name", "match", "fault", "said"),
    [
        ("huggingface", HF, {"status": 429}, "放慢"),
        ("huggingface", HF, {"status": 500}, "HTTP 500"),
        ("huggingface", HF, {"body": "<html>sign in</html>"}, "不是想要的内容"),
        ("arxiv_api", API, {"status": 403}, "限制了这台机器"),
        ("arxiv_api", API, {"status": 404}, "没有要找的东西"),
        ("arxiv_api", API, {"body": "nonsense"}, "不是想要的内容"),
        ("arxiv_files", FILES, {"status": 503}, "HTTP 503"),
        ("arxiv_files", FILES, {"status": 404}, "没有要找的东西"),
        ("arxiv_files", FILES, {"status": 302, "headers": {"Location": "http://elsewhere.example/"}}, "设置之外"),
    ],
    ids=str,
)
def test_what_is_wrong_with_a_source_is_said_in_plain_words(here, name, match, fault, said):
    here.faults([{"match": match, **fault}])
    outcome = try_step(name)
    assert not outcome.ok
    assert said in outcome.message
    assert len(here.log(match)) == 1, "a trial asks once"


@pytest.mark.parametrize("name", ["huggingface", "arxiv_api", "arxiv_files"])
def test_a_source_that_is_not_there_is_told(data_dir, settings, name):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        address = f"http://me:hidden@127.0.0.1:{taken.getsockname()[1]}"
    configure(settings, hf_url=address, arxiv_api_url=address, arxiv_url=address)
    outcome = try_step(name)
    assert not outcome.ok and "连接不上" in outcome.message
    assert "hidden" not in outcome.message


def test_a_source_that_keeps_silent_is_given_up(here, monkeypatch):
    monkeypatch.setattr(steps, "_PATIENCE", steps.Patience(connect=1, read=0.3, total=0.5, attempts=1))
    here.faults([{"match": HF, "hang": 5}])
    outcome = try_step("huggingface")
    assert not outcome.ok and outcome.seconds < 3


def test_a_crawl_that_has_arxivs_turn_is_told_and_not_waited_for(here, settings, data_dir, monkeypatch):
    monkeypatch.setattr(steps, "_TURN_WITHIN", 0.5)
    configure(settings, arxiv_interval=3.0)
    (data_dir / "locks").mkdir(exist_ok=True)
    with (data_dir / "locks" / "arxiv.pace").open("a") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        outcome = try_step("arxiv_api")
    assert not outcome.ok and "按约定的间隔" in outcome.message
    assert 0.3 < outcome.seconds < 3
    assert here.log(API) == []


def test_the_pace_of_arxiv_is_kept(here, settings):
    configure(settings, arxiv_interval=0.4)
    try_step("arxiv_api"), try_step("arxiv_files")
    first, second = here.log("/arxiv/")
    assert second["start"] - first["start"] >= 0.4


def test_the_data_folder_is_written_to_and_left_as_it_was(data_dir):
    outcome = try_step("data_folder")
    assert outcome.ok and "剩余" in outcome.message
    assert list(data_dir.iterdir()) == []


def test_a_data_folder_that_is_gone_is_told(data_dir):
    data_dir.rmdir()
    outcome = try_step("data_folder")
    assert not outcome.ok and "写不进去" in outcome.message


@pytest.mark.django_db(transaction=True)
def test_the_database_can_be_written_and_is_whole():
    outcome = try_step("database")
    assert outcome.ok, outcome.message


@pytest.mark.django_db(transaction=True)
def test_a_large_database_is_not_looked_through_for_ever(monkeypatch):
    monkeypatch.setattr(steps, "_CHECK_WITHIN", -1.0)
    monkeypatch.setattr(steps, "_OPERATIONS_BETWEEN_LOOKS", 1)
    outcome = try_step("database")
    assert outcome.ok and "没有查完" in outcome.message


@pytest.mark.django_db(transaction=True)
def test_a_write_lock_that_others_keep_is_told(monkeypatch):
    monkeypatch.setattr(steps, "_LOCK_WITHIN", 0.2)
    with transaction.atomic():
        outcome = try_step("database")
    assert not outcome.ok and "写锁" in outcome.message


def test_a_missing_agent_is_told(monkeypatch):
    monkeypatch.setattr(steps, "agent_state", lambda: AgentState(False, "pi_missing", "请运行 make run"))
    outcome = try_step("agent_installed")
    assert (outcome.ok, outcome.message) == (False, "请运行 make run")


def test_a_models_server_is_asked_and_its_outcome_kept(replay, settings):
    configure(settings, agent_command=[], llm_url=replay.llm_url, llm_model="m")
    assert try_step("model").ok
    assert last_outcomes()["model"].value == 1
    replay.faults([{"match": "/llm/v1/models", "status": 401}])
    outcome = try_step("model")
    assert not outcome.ok and "PAPERSITE_LLM_KEY" in outcome.message
    assert last_outcomes()["model"].value == 0
    assert Measurement.objects.count() == 1


def test_the_agents_answer_is_shown(data_dir, agent):
    agent("import sys; print('{\"ok\": true}' if 'JSON' in sys.stdin.read() else 'no prompt')")
    outcome = try_step("agent_answers")
    assert outcome.ok and '{"ok": true}' in outcome.message
    assert last_outcomes()["agent_answers"].value == 1


def test_the_agent_of_the_demo_answers_too(data_dir, settings):
    configure(settings, agent_command=[sys.executable, str(Path("demo/agent.py").absolute())])
    outcome = try_step("agent_answers")
    assert outcome.ok and '{"ok": true}' in outcome.message, outcome.message


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("raise SystemExit('no such model')", "no such model"),
        ("", "什么也没有说"),
        ("import time; time.sleep(60)", "没有按时"),
        ("print('x' * 2_000_000)", "输出过多"),
    ],
    ids=["fails", "silent", "slow", "wordy"],
)
def test_what_is_wrong_with_the_agent_is_told(data_dir, agent, monkeypatch, program, said):
    monkeypatch.setattr(steps, "_ANSWER_WITHIN", 2.0)
    agent(program)
    outcome = try_step("agent_answers")
    assert not outcome.ok and said in outcome.message
    assert not TaskLock.objects.filter(status="running").exists()


def test_an_agent_that_is_not_there_is_told(data_dir, settings):
    configure(settings, agent_command=["/nowhere/agent"])
    outcome = try_step("agent_answers")
    assert not outcome.ok and "没有安装" in outcome.message


def test_one_person_at_a_time_asks_the_agent(data_dir, agent):
    agent("print('hello')")
    with hold("scheduler", "trial"):
        outcome = try_step("agent_answers")
    assert not outcome.ok and "另一个人" in outcome.message


def test_what_nobody_foresaw_is_an_outcome_too(monkeypatch):
    step = trying_module.Step("broken", lambda: json.loads("{"))
    monkeypatch.setitem(STEPS, "broken", step)
    outcome = try_step("broken")
    assert not outcome.ok and "JSONDecodeError" in outcome.message


def test_only_the_question_to_the_agent_costs_anything():
    assert set(STEPS) - set(FREE_STEPS) == {"agent_answers"}


@pytest.mark.parametrize("name", ["", "os.system", "broken"])
def test_there_are_no_other_steps(name):
    with pytest.raises(UnknownStep):
        trial.try_step(name)


def test_work_that_hangs_is_given_up():
    began = time.monotonic()
    with pytest.raises(NotInTime):
        in_time(0.1, lambda: time.sleep(20))
    assert time.monotonic() - began < 10


def test_what_the_work_raises_comes_through():
    with pytest.raises(ZeroDivisionError):
        in_time(5, lambda: 1 / 0)
