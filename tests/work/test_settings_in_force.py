"""The settings in force, and where each came from."""

import os

import pytest

from operations.masking import masked, masked_arguments
from operations.schedules import DAILY_CRAWL, change_time
from operations.settings_in_force import MEANINGS, Source, settings_report
from operations.versions import _sqlite_warning, versions
from papersite.configuration import Configuration

pytestmark = pytest.mark.django_db


@pytest.fixture
def file(tmp_path, monkeypatch):
    """A file of settings."""
    path = tmp_path / ".env"
    path.write_text("")
    monkeypatch.setitem(Configuration.model_config, "env_file", str(path))
    return path


def row(name):
    return next(row for row in settings_report().rows if row.name == f"PAPERSITE_{name.upper()}")


def test_every_setting_is_listed_and_explained():
    assert [row.name for row in settings_report().rows] == [
        f"PAPERSITE_{name.upper()}" for name in Configuration.model_fields
    ]
    assert set(Configuration.model_fields) <= set(MEANINGS)


def test_the_environment_comes_before_the_file_and_the_file_before_the_default(file, monkeypatch):
    assert row("summary_workers").source == Source.DEFAULT
    file.write_text("papersite_summary_workers=4\nPAPERSITE_REFRESH_DAYS=\n")
    assert row("summary_workers").source == Source.FILE
    assert row("refresh_days").source == Source.DEFAULT, "a blank line is not filled in"
    monkeypatch.setenv("PAPERSITE_SUMMARY_WORKERS", "3")
    assert row("summary_workers").source == Source.ENVIRONMENT


def test_a_value_that_was_changed_since_the_start_is_told(file):
    assert not row("summary_workers").needs_restart
    file.write_text("PAPERSITE_SUMMARY_WORKERS=4\n")
    assert row("summary_workers").needs_restart
    assert row("summary_workers").value == "2"


def test_what_would_stop_the_next_start_is_told_without_its_value(file):
    file.write_text("PAPERSITE_SUMMARY_WORKERS=tops3cret\n")
    (problem,) = settings_report().problems
    assert problem.startswith("PAPERSITE_SUMMARY_WORKERS: ")
    assert "tops3cret" not in problem


def test_a_time_changed_in_the_console_is_the_one_in_force():
    assert row("crawl_cron").source == Source.DEFAULT
    change_time(DAILY_CRAWL, "40 6 * * *", by="ada")
    assert (row("crawl_cron").value, row("crawl_cron").source) == ("40 6 * * *", Source.CONSOLE)


def test_a_file_that_is_not_there_is_no_trouble(monkeypatch):
    monkeypatch.setitem(Configuration.model_config, "env_file", "/nowhere/.env")
    report = settings_report()
    assert not report.file_exists and not report.problems
    monkeypatch.setitem(Configuration.model_config, "env_file", os.devnull)
    assert not settings_report().problems


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://huggingface.co", "https://huggingface.co"),
        ("http://192.168.1.1:8000/v1", "http://192.168.1.1:8000/v1"),
        ("http://me:hidden@host/v1", "http://***@host/v1"),
        ("http://token@host/v1", "http://***@host/v1"),
        ("http://host/v1?api_key=hidden&b=1", "http://host/v1?api_key=***&b=1"),
        ("sh -c 'OPENAI_API_KEY=hidden pi -p'", "sh -c 'OPENAI_API_KEY=*** pi -p'"),
        ("curl -H 'Authorization: Bearer hidden'", "curl -H 'Authorization: ***'"),
        ("sk-proj-abcdefghijklmnop1234", "***"),
        ("a1b2c3d4e5f6a1b2c3d4e5f6a1b2c3d4", "***"),
        (
            "/srv/papersite/agents/a-long-folder-name-2026/run.py",
            "/srv/papersite/agents/a-long-folder-name-2026/run.py",
        ),
        ("claude-3-5-sonnet-20241022", "claude-3-5-sonnet-20241022"),
        ("0 9 * * *", "0 9 * * *"),
    ],
)
def test_credentials_are_blotted_out_and_nothing_else(text, shown):
    assert masked(text) == shown


@pytest.mark.parametrize(
    ("arguments", "shown"),
    [
        (["pi", "-p", "--provider", "openai"], "pi -p --provider openai"),
        (["agent", "--api-key", "a b"], "agent --api-key ***"),
        (["agent", "--token=a b"], "agent --token=***"),
        (["env", "MY_SECRET=a b", "agent"], "env MY_SECRET=*** agent"),
        (["agent", "plainword"], "agent ***"),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else "",
)
def test_a_command_line_is_shown_without_what_it_must_not_tell(arguments, shown):
    assert masked_arguments(arguments, also=["plainword"]) == shown


def test_an_old_sqlite_is_warned_of():
    assert "3.51.3" in _sqlite_warning((3, 51, 2))
    assert _sqlite_warning((3, 51, 3)) == ""
    assert {part.name for part in versions()} >= {"Papersite", "Python", "Django", "SQLite"}
