"""What a new installation needs to be of use at once: someone who may sign in, and papers."""

import datetime as dt
import logging
import secrets
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone
from django_q.tasks import async_task

from operations.crawl import CrawlFailed, crawl_day
from operations.locks import LockHeld
from operations.tasks import request_summaries
from papers.models import Paper

logger = logging.getLogger(__name__)

LOGIN_NAME = "admin"
# A week holds a day with papers, whatever weekend and holiday fall into it.
DAYS_LOOKED_AT = 7


@dataclass(frozen=True)
class Login:
    """A new account, its password in the clear: to be shown once and forgotten."""

    name: str
    password: str


def make_login(password: str | None = None) -> Login | None:
    """Make an account that may do everything, unless there is an account already.

    Args:
        password: the password to set; without one, a random one is made.
    """
    accounts = get_user_model().objects
    password = password or secrets.token_urlsafe(12)
    with transaction.atomic():
        if accounts.exists():
            return None
        accounts.create_superuser(LOGIN_NAME, email="", password=password)
    return Login(LOGIN_NAME, password)


def request_first_crawl() -> bool:
    """Ask the workers for papers where there are none; tell whether they were asked."""
    if Paper.objects.exists():
        return False
    async_task(crawl_newest_day)
    return True


def crawl_newest_day() -> dt.date | None:
    """Crawl backwards from today (UTC) to the first day that has papers, and return that day.

    None where a week holds no papers, where a day is being crawled already, or where the source cannot be reached: the
    schedules go on from there.
    """
    today = timezone.now().astimezone(dt.UTC).date()
    for date in (today - dt.timedelta(days=age) for age in range(DAYS_LOOKED_AT)):
        try:
            found = crawl_day(date).found
        except (CrawlFailed, LockHeld) as error:
            logger.warning("The first crawl stops: %s", error)
            return None
        if found:
            request_summaries()
            return date
    return None
