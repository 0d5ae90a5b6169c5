"""What the settings of an installation refuse."""

import pytest
from pydantic import ValidationError

from papersite.configuration import Configuration


@pytest.mark.parametrize("cron", ["", "daily", "0 9 * *", "61 9 * * *", "0 9 30 2 *", "0 0 9 * * *"])
def test_a_time_that_never_comes_is_no_time_to_crawl(cron):
    with pytest.raises(ValidationError, match="must be a cron expression"):
        Configuration(crawl_cron=cron)


def test_a_time_that_comes_seldom_will_do():
    assert Configuration(crawl_cron="0 9 29 2 *").crawl_cron == "0 9 29 2 *"
