"""Whether the agent can be run, and what is said where it cannot."""

import sys
from pathlib import Path

import pytest
from pydantic import SecretStr

from operations.agent import installation
from operations.agent.errors import AgentNotConfigured, AgentNotInstalled
from operations.agent.installation import agent_state, configured_agent
from operations.agent.tools import Pi

KEY = "sk-0123456789abcdef"
NEW_PI = Pi(("pi",), (1, 6, 0))


class FoundPi:
    """Stands for the places where pi may lie."""

    def __init__(self, pi: Pi | None) -> None:
        self.pi = pi

    def find_pi(self) -> Pi | None:
        return self.pi


@pytest.fixture
def set_up(settings, data_dir: Path, monkeypatch: pytest.MonkeyPatch):
    """Set the settings and which pi is found."""
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)

    def change(pi: Pi | None = NEW_PI, **values: object) -> None:
        monkeypatch.setattr(installation, "Places", lambda: FoundPi(pi))
        if isinstance(values.get("llm_key"), str):
            values["llm_key"] = SecretStr(values["llm_key"])
        settings.PAPERSITE = settings.PAPERSITE.model_copy(update=values)

    return change


COMPLETE = {"llm_provider": "openai", "llm_model": "gpt-x", "llm_key": KEY}


@pytest.mark.parametrize(
    ("values", "words"),
    [
        (COMPLETE, "pi 1.6.0，模型 gpt-x"),
        ({"llm_url": "http://127.0.0.1:1/v1", "llm_model": "local"}, "模型 local"),
        ({"agent_command": [sys.executable, "agent.py"]}, sys.executable),
    ],
)
def test_what_is_set_up_is_named(set_up, values: dict[str, object], words: str):
    set_up(**values)
    state = agent_state()
    assert (state.ok, state.problem_code) == (True, "")
    assert words in state.message
    configured_agent()


@pytest.mark.parametrize(
    ("pi", "values", "code", "words"),
    [
        (None, COMPLETE, "pi_missing", "make run"),
        (Pi(("pi",), None), COMPLETE, "pi_unusable", "make agent"),
        (NEW_PI, {}, "not_configured", "PAPERSITE_LLM_MODEL"),
        (NEW_PI, {"llm_model": "m"}, "not_configured", "PAPERSITE_LLM_URL"),
        (NEW_PI, {"llm_model": "m", "llm_provider": "openai"}, "key_missing", "PAPERSITE_LLM_KEY"),
        (None, {"agent_command": ["no-such-program", "x"]}, "command_missing", "no-such-program"),
    ],
)
def test_what_is_missing_is_said(set_up, pi: Pi | None, values: dict[str, object], code: str, words: str):
    set_up(pi, **values)
    state = agent_state()
    assert (state.ok, state.problem_code) == (False, code)
    assert words in state.message


def test_an_agent_that_is_missing_cannot_be_asked_for(set_up):
    set_up(None, **COMPLETE)
    with pytest.raises(AgentNotInstalled, match="make agent"):
        configured_agent()
    set_up()
    settings_missing = {"llm_provider": None, "llm_model": None, "llm_key": None}
    set_up(**settings_missing)
    with pytest.raises(AgentNotConfigured, match="PAPERSITE_LLM_MODEL"):
        configured_agent()


def test_a_command_of_ones_own_is_taken_as_it_is(set_up):
    set_up(agent_command=["my-agent", "--model", "{model}", "a b"], llm_key=KEY)
    command = configured_agent()
    assert command.arguments == ("my-agent", "--model", "{model}", "a b")
    assert not command.is_default
    assert KEY not in command.full_environment().values()


def test_the_default_agent_gets_the_key_and_shows_it_nowhere(set_up, data_dir: Path):
    set_up(**COMPLETE)
    command = configured_agent()
    assert command.is_default
    assert command.full_environment()["OPENAI_API_KEY"] == KEY
    assert command.full_environment()["PI_CODING_AGENT_DIR"] == str(data_dir / "agent")
    assert KEY not in repr(command) + repr(agent_state())


def test_the_providers_own_variable_will_do_for_a_key(set_up, monkeypatch: pytest.MonkeyPatch):
    set_up(llm_provider="openai", llm_model="m")
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    assert agent_state().ok
    assert configured_agent().environment["OPENAI_API_KEY"] == KEY
