"""What the settings of an installation refuse."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from pydantic import ValidationError

from papersite.configuration import PROJECT_DIR, Configuration, unknown_settings


@pytest.mark.parametrize("cron", ["", "daily", "0 9 * *", "61 9 * * *", "0 9 30 2 *", "0 0 9 * * *", "0 R * * *"])
def test_a_time_that_never_comes_is_no_time_to_crawl(cron):
    with pytest.raises(ValidationError, match="must be a cron expression"):
        Configuration(crawl_cron=cron)


def test_a_line_that_was_not_filled_in_keeps_the_default(monkeypatch):
    for name in ("DATA_DIR", "SUMMARY_DAILY_LIMIT", "REFRESH_DAYS", "ALLOWED_HOSTS", "LLM_KEY"):
        monkeypatch.setenv(f"PAPERSITE_{name}", "")
    configuration = Configuration()
    assert configuration.data_dir == PROJECT_DIR / "data"
    assert (configuration.summary_daily_limit, configuration.refresh_days, configuration.llm_key) == (None, 7, None)
    assert "127.0.0.1" in configuration.allowed_hosts


def test_a_time_that_comes_seldom_will_do():
    assert Configuration(crawl_cron="0 9 29 2 *").crawl_cron == "0 9 29 2 *"


@pytest.mark.parametrize("port", ["0", "99999", "abc", "80 81"])
def test_an_address_names_a_port_that_can_be_one(port):
    with pytest.raises(ValidationError):
        Configuration(hf_url=f"http://127.0.0.1:{port}")


def started(**settings: str) -> subprocess.CompletedProcess[str]:
    """Start with these settings, as any command does."""
    own = {f"PAPERSITE_{name.upper()}": value for name, value in settings.items()}
    command = [sys.executable, "manage.py", "check"]
    return subprocess.run(command, cwd=PROJECT_DIR, env=os.environ | own, capture_output=True, text=True)


@pytest.mark.parametrize("folder", ["a file", "a file/below", "/proc/papersite"])
def test_a_data_folder_that_cannot_be_used_is_said_in_a_line(tmp_path: Path, folder: str):
    (tmp_path / "a file").write_text("")
    ended = started(data_dir=str(tmp_path / folder))
    assert (ended.returncode, "Traceback" in ended.stderr) == (2, False)
    assert "PAPERSITE_DATA_DIR: " in ended.stderr


def test_a_file_of_settings_that_is_no_text_is_named(tmp_path: Path):
    (tmp_path / ".env").write_bytes(b"PAPERSITE_LLM_MODEL=\xff\xfe\n")
    ended = started(env_file=str(tmp_path / ".env"))
    assert (ended.returncode, "Traceback" in ended.stderr) == (2, False)
    assert f"{tmp_path / '.env'}: the file is not UTF-8" in ended.stderr


def test_a_file_of_settings_that_was_named_must_be_there(tmp_path: Path):
    ended = started(env_file=str(tmp_path / "absent"))
    assert ended.returncode == 2
    assert f"PAPERSITE_ENV_FILE: {tmp_path / 'absent'} cannot be read" in ended.stderr


def test_a_new_data_folder_is_for_its_owner_alone(tmp_path: Path):
    assert started(data_dir=str(tmp_path / "new")).returncode == 0
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0


def test_a_misspelt_setting_is_named(tmp_path, monkeypatch):
    file = tmp_path / ".env"
    file.write_text("PAPERSITE_LLM_KYE=secret\nPAPERSITE_LLM_MODEL=m\nOTHER=1\n", "utf-8")
    monkeypatch.setitem(Configuration.model_config, "env_file", str(file))
    monkeypatch.setenv("PAPERSITE_DATADIR", "elsewhere")
    assert unknown_settings() == ["PAPERSITE_DATADIR", "PAPERSITE_LLM_KYE"]
    monkeypatch.setitem(Configuration.model_config, "env_file", os.devnull)
    assert unknown_settings() == ["PAPERSITE_DATADIR"]
