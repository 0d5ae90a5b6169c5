"""Throttled sign-in: django-axes counts the failures, here stands what it counts by and what it answers.

Failures count for an account from one address, and for that address over all accounts. Neither can one account be
guessed nor one password be tried on all; and as nothing counts for an account from everywhere, nobody can lock an
account for its owner, who comes from another address.
"""

import datetime as dt
from math import ceil
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.handlers.proxy import AxesProxyHandler
from axes.models import AccessAttempt, AccessLog
from django.conf import settings
from django.contrib import admin
from django.db.models import Max, QuerySet, Sum
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.cache import add_never_cache_headers

# Failures from one address, over all accounts, before it is locked. Several people may share one, so it is more than
# AXES_FAILURE_LIMIT for one account.
ADDRESS_LIMIT = 20
# Characters of a name that are kept: someone may paste a whole file.
_LONGEST_NAME = 150
KEEP_VISITS = dt.timedelta(days=365)

Credentials = dict[str, Any] | None


class SignInHandler(AxesDatabaseHandler):
    """Counts for an account at an address, and, with more patience, for the address."""

    def get_failures(self, request: HttpRequest, credentials: Credentials = None) -> int:
        """Return the failures that count, on the scale of AXES_FAILURE_LIMIT."""
        of_account, of_address = (_failures(rows) for rows in self.get_user_attempts(request, credentials))
        return max(of_account, of_address - (ADDRESS_LIMIT - settings.AXES_FAILURE_LIMIT))

    def reset_user_attempts(self, request: HttpRequest, credentials: Credentials = None) -> int:
        """Forget the failures of the account that signed in; whoever owns one account still cannot try the others."""
        of_account, _of_address = self.filter_user_attempts(request, credentials)
        return of_account.delete()[0]

    def seconds_locked(self, request: HttpRequest, credentials: Credentials = None) -> int:
        """Return after how many seconds at most another attempt is heard; attempts made meanwhile add nothing."""
        limits = (settings.AXES_FAILURE_LIMIT, ADDRESS_LIMIT)
        counted = zip(self.get_user_attempts(request, credentials), limits, strict=True)
        last = [rows.aggregate(last=Max("attempt_time"))["last"] for rows, limit in counted if _failures(rows) >= limit]
        until = max(last, default=timezone.now()) + settings.AXES_COOLOFF_TIME
        return max(ceil((until - timezone.now()).total_seconds()), 1)


def _failures(attempts: QuerySet) -> int:
    return attempts.aggregate(failures=Sum("failures_since_start"))["failures"] or 0


def name_tried(request: HttpRequest, credentials: Credentials) -> str:
    """Return the account that someone wants to sign in to, cut to a name's length."""
    name = (credentials or request.POST).get("username") or ""
    return str(name)[:_LONGEST_NAME]


def in_words(username: str | None, ip_address: str | None, *_more: object) -> str:
    """Return who tried, for the log: on one line whatever was typed, and never with what was sent."""
    return f"{(username or '')!r} from {ip_address or 'a socket'}"


def locked_out(request: HttpRequest, response: HttpResponse | None, credentials: Credentials) -> HttpResponse:
    """Answer an attempt that is not heard: 429, and when to come back."""
    handler = AxesProxyHandler.get_implementation()
    assert isinstance(handler, SignInHandler)  # noqa: S101  (AXES_HANDLER)
    seconds = handler.seconds_locked(request, credentials)
    context = {**admin.site.each_context(request), "minutes": ceil(seconds / 60)}
    answer = render(request, "admin/locked_out.html", context, status=429)
    answer.headers["Retry-After"] = str(seconds)
    add_never_cache_headers(answer)
    return answer


def forget_old_sign_ins() -> int:
    """Remove failures that count no more, and visits older than a year; return how many."""
    now = timezone.now()
    failures, _ = AccessAttempt.objects.filter(attempt_time__lt=now - settings.AXES_COOLOFF_TIME).delete()
    visits, _ = AccessLog.objects.filter(attempt_time__lt=now - KEEP_VISITS).delete()
    return failures + visits
