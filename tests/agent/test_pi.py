"""How pi is started, and what it is given to read."""

import json
from pathlib import Path

import pytest

from operations.agent.pi import Model, pi_command
from operations.agent.providers import KEY_VARIABLES, key_variable
from operations.agent.tools import Pi

NEW, OLD = Pi(("node", "cli.js"), (1, 6, 0)), Pi(("pi",), (0, 73, 1))
KEY = "sk-0123456789abcdef"
OWN = Model("", "some-model", "http://127.0.0.1:1/v1", KEY)


@pytest.mark.parametrize("pi", [NEW, OLD])
def test_it_has_no_tools_and_keeps_nothing(pi: Pi, tmp_path: Path):
    arguments = pi_command(pi, OWN, tmp_path).arguments
    assert arguments[: len(pi.arguments) + 1] == (*pi.arguments, "-p")
    assert {"--no-tools", "--no-session", "--no-extensions", "--no-context-files", "--offline"} <= set(arguments)


@pytest.mark.parametrize(("version", "newer"), [((0, 73, 1), False), ((1, 0, 0), True), ((1, 6, 0), True)])
def test_flags_are_those_the_version_knows(version: tuple[int, int, int], newer: bool, tmp_path: Path):
    arguments = pi_command(Pi(("pi",), version), OWN, tmp_path).arguments
    assert ("--no-mcp" in arguments, "--no-approve" in arguments) == (newer, newer)


def test_a_server_of_ones_own_is_described_without_its_key(tmp_path: Path):
    command = pi_command(NEW, OWN, tmp_path)
    provider = json.loads((tmp_path / "models.json").read_text("utf-8"))["providers"]["papersite"]
    assert (provider["baseUrl"], provider["models"][0]["id"]) == ("http://127.0.0.1:1/v1", "some-model")
    assert command.environment["PAPERSITE_LLM_KEY"] == KEY
    assert not [path for path in tmp_path.iterdir() if KEY in path.read_text("utf-8")]
    assert KEY not in repr(command) + repr(OWN) + " ".join(command.arguments)
    assert command.secrets == (KEY,)


def test_a_server_without_a_key_gets_a_placeholder(tmp_path: Path):
    command = pi_command(NEW, Model("", "m", "http://127.0.0.1:1/v1"), tmp_path)
    assert (command.environment["PAPERSITE_LLM_KEY"], command.secrets) == ("none", ())


def test_a_known_provider_gets_its_key_in_its_own_variable(tmp_path: Path):
    command = pi_command(NEW, Model("deepseek", "deepseek-chat", None, KEY), tmp_path)
    assert command.environment["DEEPSEEK_API_KEY"] == KEY
    assert command.arguments[3:7] == ("--provider", "deepseek", "--model", "deepseek-chat")
    assert json.loads((tmp_path / "models.json").read_text("utf-8")) == {"providers": {}}


def test_what_a_provider_needs_beside_its_key_is_passed_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("CLOUDFLARE_ACCOUNT_ID", "account")
    command = pi_command(NEW, Model("cloudflare-workers-ai", "m", None, KEY), tmp_path)
    assert command.environment["CLOUDFLARE_ACCOUNT_ID"] == "account"


def test_an_unlisted_provider_is_named_as_pi_names_them():
    assert key_variable("some-new-one") == "SOME_NEW_ONE_API_KEY"
    assert all(variable.isupper() for variable in KEY_VARIABLES.values())


def test_files_are_rewritten_only_when_they_change(tmp_path: Path):
    pi_command(NEW, OWN, tmp_path)
    before = {path: path.stat().st_ino for path in tmp_path.iterdir()}
    pi_command(NEW, OWN, tmp_path)
    assert {path: path.stat().st_ino for path in tmp_path.iterdir()} == before
    pi_command(NEW, Model("", "other", "http://127.0.0.1:1/v1"), tmp_path)
    assert "other" in (tmp_path / "models.json").read_text("utf-8")
    assert {path.name for path in tmp_path.iterdir()} == {"models.json", "settings.json"}


def test_compaction_is_off(tmp_path: Path):
    """With it, a prompt too long for the model ends with exit code 0 and nothing said."""
    pi_command(NEW, OWN, tmp_path)
    assert json.loads((tmp_path / "settings.json").read_text("utf-8"))["compaction"] == {"enabled": False}
