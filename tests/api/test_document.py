"""The OpenAPI document is true: cases made out of it, good and bad, meet no answer that it does not tell of.

Hypothesis chooses the cases, the same ones every time. With `SCHEMATHESIS_CASES=200` so many good and bad ones for each
operation and caller are chosen anew, to look for what nobody has met yet.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import product

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections, transaction
from django.test import Client
from django.utils import timezone
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import CHECKS, load_all_checks

from operations.logs import start_log
from operations.models import DataDeleteJob, RunState, Task
from papers.models import UserBookmark, UserNote, UserReadingStatus
from papersite.api_tokens import create_token
from papersite.models import TokenScope
from tests.factories import DAY, make_paper, make_summary
from tests.roles import make_user

FEW, MANY = 5, int(os.environ.get("SCHEMATHESIS_CASES", "26"))
CALLERS = ("anybody", "owner", "read", "personal", "operate")
TRUE = ("not_a_server_error", "status_code_conformance", "content_type_conformance", "response_schema_conformance")

# Nobody between unpacks the answers.
PLAIN = {"Accept-Encoding": "identity"}

load_all_checks()
checks = CHECKS.get_by_names([*TRUE, "response_headers_conformance"])


@pytest.fixture
def known(db, data_dir, settings) -> dict[str, list]:
    """A small library, a few logs and jobs; returns what a parameter can name of them."""
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"api_rate": 0, "metrics": True})
    ids = ["2406.01234", "hep-th/9901001", "2605.00077"]
    now = timezone.now()
    for arxiv_id in ids:
        paper = make_paper(arxiv_id=arxiv_id, tags=["agents", "C++"], code_url="https://github.com/a/b")
        UserBookmark.objects.create(paper=paper, note="x", created_at=now)
        UserNote.objects.create(paper=paper, content="x", created_at=now, updated_at=now)
        UserReadingStatus.objects.create(paper=paper, status="skimmed", updated_at=now)
        if arxiv_id != ids[-1]:
            make_summary(paper)
    make_paper(title_en="A & \u202e<b> 题", authors=['O\'Neil, "X"', "李雷"], state=None, is_withdrawn=True)
    log = start_log(Task.CRAWL, DAY)
    job = DataDeleteJob.objects.create(date_start=DAY, date_end=DAY, status=RunState.SUCCESS, started_at=now, log=log)
    return {
        "arxiv_id": ids,
        "log_id": [log.pk],
        "job_id": [job.pk],
        "arxiv_ids": [ids, ids[:1]],
        **{name: [DAY.isoformat()] for name in ("date", "from", "to", "date_start", "date_end")},
        "tag": [["agents"], ["agents", "C++"]],
        "author": ["李雷"],
        "q": ["attention", "题"],
    }


@pytest.fixture
def credentials(known) -> Callable[[str], dict[str, dict[str, str]]]:
    """Returns a function from a caller to the headers and cookies that are sent."""

    def of(caller: str) -> dict[str, dict[str, str]]:
        if caller == "anybody":
            return {"headers": PLAIN}
        if caller != "owner":
            text = create_token(caller, TokenScope(caller), days=1, by=None)[1]
            return {"headers": PLAIN | {"Authorization": f"Bearer {text}"}}
        client = Client()
        client.force_login(make_user("owner"), backend="django.contrib.auth.backends.ModelBackend")
        client.get("/admin/password_change/")  # a page with a form gives the token of CSRF
        cookies = {name: client.cookies[name].value for name in ("sessionid", "csrftoken")}
        return {"headers": PLAIN | {"X-CSRFToken": cookies["csrftoken"]}, "cookies": cookies}

    return of


def operations() -> list:
    """Return the document's operations, to be called in this process."""
    document = json.loads(Client().get("/api/v1/openapi.json").content)
    config = schemathesis.Config()
    config.projects.default.generation.with_security_parameters = False  # who calls is settled by the test
    schema = schemathesis.openapi.from_dict(document, config=config)
    schema.app = get_wsgi_application()
    return [found.ok() for found in schema.get_all_operations()]


@contextmanager
def one_connection() -> Iterator[None]:
    """Let requests use the test's own connection and leave it open, as those of Django's client do."""
    signals = (request_started, request_finished)
    for signal in signals:
        signal.disconnect(close_old_connections)
    try:
        yield
    finally:
        for signal in signals:
            signal.connect(close_old_connections)


def with_known(draw, case, known: dict[str, list]) -> None:
    """Put what is there in the place of half the values, which chance alone would never hit."""
    for values in (case.path_parameters, case.query, case.body):
        for name in sorted(set(values) & set(known)) if isinstance(values, dict) else ():
            if draw(st.booleans()):
                values[name] = draw(st.sampled_from(known[name]))


def try_operation(operation, sent: dict[str, dict[str, str]], known: dict[str, list], cases: int) -> Counter:
    """Send so many good and so many bad cases; return how often each status was the answer."""
    statuses: Counter = Counter()
    for mode in (schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE):
        strategy = operation.as_strategy(generation_mode=mode)
        if mode == schemathesis.GenerationMode.POSITIVE:
            _send_many(strategy, sent, known, cases, statuses)
        else:
            with suppress(Unsatisfiable):  # where any text at all is a good one
                _send_many(strategy, sent, {}, cases, statuses)
    return statuses


def _send_many(strategy, sent, known, cases, statuses) -> None:
    @settings(
        max_examples=cases,
        derandomize="SCHEMATHESIS_CASES" not in os.environ,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(data=st.data())
    def send(data):
        case = data.draw(strategy)
        with_known(data.draw, case, known)
        with transaction.atomic():
            answer = case.call(**sent)
            transaction.set_rollback(True)
        case.validate_response(answer, checks=checks)
        statuses[answer.status_code] += 1

    send()


def hunt(credentials, known, callers, cases) -> dict[str, Counter]:
    found: dict[str, Counter] = {}
    sent, wanted = [credentials(caller) for caller in callers], operations()
    with one_connection():
        for of_caller, operation in product(sent, wanted):
            statuses = try_operation(operation, of_caller, known, cases)
            found.setdefault(operation.label, Counter()).update(statuses)
    return found


def test_some_cases_of_every_operation(credentials, known):
    found = hunt(credentials, known, ("owner",), FEW)
    assert len(found) > 25


@pytest.mark.slow
def test_thousands_of_cases_of_every_caller(credentials, known, capsys):
    found = hunt(credentials, known, CALLERS, MANY)
    with capsys.disabled():
        print()
        for label, statuses in found.items():
            print(f"{label:60}", dict(sorted(statuses.items())))
        print(sum(sum(statuses.values()) for statuses in found.values()), "cases")
    assert sum(sum(statuses.values()) for statuses in found.values()) > 5000
    never = [label for label, statuses in found.items() if not any(status < 300 for status in statuses)]
    assert never == []
