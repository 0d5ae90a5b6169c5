"""The documentation names what exists, and leaves nothing out."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from papersite.configuration import Configuration

PROJECT = Path(__file__).resolve().parent.parent
SETTINGS = (PROJECT / "docs/settings.md").read_text("utf-8")
OPERATIONS = (PROJECT / "docs/operations.md").read_text("utf-8")
PAGES = sorted([*PROJECT.glob("*.md"), *PROJECT.glob("docs/*.md"), PROJECT / ".env.example"])
COMMANDS = {path.stem for path in (PROJECT / "operations/management/commands").glob("[!_]*.py")}
OF_OTHERS = {"createsuperuser", "changepassword", "migrate", "collectstatic", "compilemessages", "axes_reset"}
MAKE_TARGETS = set(re.findall(r"^([a-z-]+):", (PROJECT / "Makefile").read_text("utf-8"), re.M))


def documented_settings() -> dict[str, str]:
    return dict(re.findall(r"^\| `PAPERSITE_([A-Z_]+)` \| (.+?) \|", SETTINGS, re.M))


def test_every_setting_is_documented_and_every_documented_one_exists():
    assert {name.lower() for name in documented_settings()} == set(Configuration.model_fields)


@pytest.mark.parametrize("name", sorted(Configuration.model_fields))
def test_a_setting_has_the_default_that_is_documented(name):
    default = Configuration.model_fields[name].default
    if isinstance(default, list):
        default = ",".join(default)
    if isinstance(default, bool):
        default = str(default).lower()
    expected = "none" if default in (None, "") else f"`{default}`"
    assert documented_settings()[name.upper()] == expected


def test_every_command_is_documented_and_every_documented_one_exists():
    documented = set(re.findall(r"^\| `([a-z_]+)", OPERATIONS, re.M))
    assert documented == COMMANDS


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_names_only_what_exists(page):
    text = page.read_text("utf-8")
    named = {name.lower() for name in re.findall(r"PAPERSITE_([A-Z_]+)", text)}
    assert named <= set(Configuration.model_fields) | {"env_file"}
    assert set(re.findall(r"manage\.py ([a-z_]+)", text)) <= COMMANDS | OF_OTHERS
    assert set(re.findall(r"\bmake ([a-z-]+)(?=[`\n\s]*`)", text)) <= MAKE_TARGETS
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", text):
        assert (page.parent / link).exists(), link


def test_the_architecture_names_only_files_that_exist():
    text = (PROJECT / "docs/architecture.md").read_text("utf-8")
    places = [PROJECT, PROJECT / "papersite", PROJECT / "papers", PROJECT / "operations"]
    for name in re.findall(r"`([a-z_/]+(?:\.py|/))`", text):
        assert any((place / name).exists() for place in places), name


def test_a_command_outside_the_environment_says_which_python_to_take():
    command = [sys.executable, "-S", "manage.py", "help"]  # -S: without what is installed
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    assert done.returncode == 1
    assert ".venv/bin/python" in done.stderr and "Traceback" not in done.stderr
