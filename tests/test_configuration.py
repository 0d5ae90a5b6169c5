"""What the settings of an installation refuse."""

import pytest
from pydantic import ValidationError

from papersite.configuration import PROJECT_DIR, Configuration


@pytest.mark.parametrize("cron", ["", "daily", "0 9 * *", "61 9 * * *", "0 9 30 2 *", "0 0 9 * * *"])
def test_a_time_that_never_comes_is_no_time_to_crawl(cron):
    with pytest.raises(ValidationError, match="must be a cron expression"):
        Configuration(crawl_cron=cron)


def test_a_line_that_was_not_filled_in_keeps_the_default(monkeypatch):
    for name in ("DATA_DIR", "SUMMARY_DAILY_LIMIT", "API_RATE", "ALLOWED_HOSTS", "LLM_KEY"):
        monkeypatch.setenv(f"PAPERSITE_{name}", "")
    configuration = Configuration()
    assert configuration.data_dir == PROJECT_DIR / "data"
    assert (configuration.summary_daily_limit, configuration.api_rate, configuration.llm_key) == (None, 300, None)
    assert "127.0.0.1" in configuration.allowed_hosts


def test_a_time_that_comes_seldom_will_do():
    assert Configuration(crawl_cron="0 9 29 2 *").crawl_cron == "0 9 29 2 *"
