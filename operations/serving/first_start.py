"""What a new installation needs to be of use at once: someone who may sign in, and papers."""

import secrets
from dataclasses import dataclass

from django.contrib.auth import get_user_model
from django.db import transaction
from django_q.tasks import async_task

from papers.models import Paper

LOGIN_NAME = "admin"


@dataclass(frozen=True)
class Login:
    """A new account, its password in the clear: to be shown once and forgotten."""

    name: str
    password: str


def has_login() -> bool:
    """Tell whether anyone may sign in."""
    return get_user_model().objects.exists()


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
    async_task("operations.tasks.first_crawl", task_name="first crawl")
    return True
