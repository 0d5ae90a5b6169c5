"""The set-up page: settings, versions and the trial."""

import pytest
from django.contrib.admin.models import LogEntry
from pydantic import SecretStr

from operations import trial
from operations.admin import setup as setup_page
from operations.trial import STEPS, StepOutcome
from papersite.configuration import Configuration
from tests.roles import client_of

pytestmark = pytest.mark.django_db

SETUP, TRY = "/admin/setup/", "/admin/setup/try/"


@pytest.fixture
def tried(monkeypatch) -> list[str]:
    """The names of the steps that were tried; all of them end well but one."""
    names: list[str] = []

    def try_step(name: str) -> StepOutcome:
        names.append(name)
        return StepOutcome(name, name != "arxiv_api", 0.3, "<b>answer</b>")

    monkeypatch.setattr(setup_page, "try_step", try_step)
    return names


def text_of(client) -> str:
    answer = client.get(SETUP)
    assert answer.status_code == 200
    return answer.content.decode()


@pytest.mark.parametrize(("role", "sees", "tries"), [
    ("owner", True, True), ("operator", True, True), ("auditor", True, False), ("editor", False, False),
])  # fmt: skip
def test_who_may_look_and_who_may_try(role, sees, tries, tried):
    client = client_of(role)
    answer = client.get(SETUP)
    assert answer.status_code == (200 if sees else 403)
    assert ("全部检查" in answer.content.decode()) is tries
    assert client.post(TRY).status_code == (200 if tries else 403)
    assert bool(tried) is tries


def test_a_link_tries_nothing(owner, tried):
    assert owner.get(TRY).status_code == 405
    assert owner.post(SETUP).status_code == 405
    assert not tried


def test_one_request_tries_all_that_costs_nothing_and_shows_each(owner, tried):
    page = owner.post(TRY).content.decode()
    assert tried == list(trial.FREE_STEPS)
    assert page.count('class="is-well"') == len(tried) - 1 and page.count('class="is-failed"') == 1
    assert "&lt;b&gt;answer" in page and "<b>answer" not in page
    assert "0.3" in page


def test_a_step_by_itself_is_answered_in_json(owner, tried):
    answer = owner.post(TRY, {"step": "agent_answers"}, headers={"accept": "application/json"})
    assert tried == ["agent_answers"]
    outcome = {"name": "agent_answers", "ok": True, "seconds": 0.3, "message": "<b>answer</b>"}
    assert answer.json() == {"outcomes": [outcome]}


def test_there_is_no_step_of_another_name(owner, tried):
    assert owner.post(TRY, {"step": "os.system"}).status_code == 400
    assert not tried


def test_each_step_is_in_the_audit_log(owner, tried):
    owner.post(TRY, {"step": "arxiv_api"})
    assert LogEntry.objects.get().change_message == "试运行“arXiv 接口：一篇论文的元数据”：失败"


def test_the_page_names_every_setting_and_every_step(owner):
    page = text_of(owner)
    for name in Configuration.model_fields:
        assert f"PAPERSITE_{name.upper()}" in page
    for step in STEPS.values():
        assert str(step.label) in page
    for part in ("Papersite", "Python", "Django", "SQLite"):
        assert f"<dt>{part}</dt>" in page


def test_no_secret_is_shown(owner, settings):
    values = {"llm_key": SecretStr("tops3cret-llm"), "secret_key": SecretStr("tops3cret-own")}
    settings.PAPERSITE = settings.PAPERSITE.model_copy(
        update={
            **values,
            "llm_url": "http://me:tops3cret@127.0.0.1:1/v1?api_key=tops3cret",
            "agent_command": ["/usr/bin/agent", "--api-key", "tops3cret", "--also", "tops3cret-llm"],
        }
    )
    page = text_of(owner)
    assert "tops3cret" not in page
    assert "/usr/bin/agent --api-key *** --also ***" in page
    assert page.count("已设置（不显示）") == 2


def test_misspelt_names_are_told(owner, monkeypatch):
    monkeypatch.setenv("PAPERSITE_DATADIR", "x")
    assert "PAPERSITE_DATADIR" in text_of(owner)
