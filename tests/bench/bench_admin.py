"""Every list of the admin over 63,000 papers, beside a bare view of one query and fifty rows, in one run.

`python -m tests.bench.bench_admin [--papers N] [--rounds N]`. Each list is opened as it comes, filtered, searched, by
date and at its last page, by a superuser through the whole stack of middleware. Beside the time on the clock stands
that of the processor, which tells more where the machine does something else too. The aim: p95 of each list's first
page within 150 ms.
"""

import argparse
import re
import time
from typing import Any

from tests.bench.harness import (
    milliseconds,
    print_table,
    recorded,
    say,
    spread,
    temporary_installation,
    write_results,
)

AIM = 150.0  # milliseconds
ROUNDS = 15
# Each list, and how it is narrowed: by its filters, its search box and its dates.
LISTS: dict[str, dict[str, str]] = {
    "papers/paper": {
        "state": "status__status__exact=permanent_failure",
        "waiting": "status__status__exact=pending",
        "done": "status__status__exact=done",
        "error": "status__error_type__exact=timeout",
        "quality": "summary_quality__exact=low",
        "withdrawn": "is_withdrawn__exact=1",
        "search": "q=扩散模型",
        "common word": "q=的",
        "id": "q=2605.0",
        "month": "paper_date__year=2026&paper_date__month=5",
    },
    "papers/papersummary": {"search": "q=2605.0"},
    "papers/summarystatus": {
        "permanent": "status__exact=permanent_failure",
        "done": "status__exact=done",
        "error": "error_type__exact=timeout",
        "quality": "quality__exact=low",
        "search": "q=2605.0",
    },
    "papers/papertag": {"source": "source__exact=ai", "by hand": "source__exact=user", "search": "q=topic 12"},
    "papers/paperauthor": {"search": "q=Wang"},
    "papers/usernote": {"search": "q=2605.0"},
    "papers/userbookmark": {"search": "q=2605.0"},
    "papers/userreadingstatus": {"status": "status__exact=unread"},
    "operations/crawllog": {
        "task": "task__exact=crawl",
        "failed": "status__exact=failed",
        "running": "status__exact=running",
        "search": "q=2605.0",
        "month": "started_at__year=2026&started_at__month=5",
    },
    "operations/tasklock": {"running": "status__exact=running", "search": "q=2605.0"},
    "operations/daylisting": {"skipped": "skipped_reason__isempty=0", "month": "date__year=2026&date__month=5"},
    "operations/deletedpaper": {"search": "q=2605.0"},
    "operations/arxivrequest": {},
    "operations/crawljob": {},
    "operations/datadeletejob": {},
    "admin/logentry": {
        "user": "user__id__exact=1",
        "action": "action_flag__exact=1",
        "search": "q=2605.0",
        "month": "action_time__year=2026&action_time__month=5",
    },
    "django_q/success": {"search": "q=summarize"},
    "django_q/failure": {"search": "q=summarize"},
    "django_q/ormq": {},
    "django_q/schedule": {},
}


def main() -> None:
    """Fill an installation, open every list in every way, and tell how long each took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, help="use so many papers only")
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="how often each page is opened")
    options = parser.parse_args()
    folder = recorded("scale")
    temporary_installation()
    rows = _fill(folder, options.papers)
    addresses = _addresses()
    figures = {label: _figures(times) for label, times in _measure(addresses, options.rounds).items()}
    _report(figures, rows)


def _fill(folder: Any, most: int | None) -> dict[str, int]:
    from papers.search.index import rebuild
    from tests.bench.console_library import fill_console
    from tests.bench.library import load_library

    say("Loading the papers …")
    start = time.perf_counter()
    load_library(folder, most)
    rebuild()
    rows = fill_console()
    say(f"{rows} in {time.perf_counter() - start:.0f} s")
    return rows


def _client() -> Any:
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    settings.ROOT_URLCONF = "tests.bench.bare_view"
    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    client.force_login(User.objects.get(username="bench"), backend="django.contrib.auth.backends.ModelBackend")
    return client


def _addresses() -> dict[str, str]:
    """Return the address of each page that is opened; lists that this installation has not are left out."""
    client = _client()
    found = {"bare view": "/bare/"}
    for name, narrowed in LISTS.items():
        base = f"/admin/{name}/"
        answer = client.get(base)
        if answer.status_code != 200:
            say(f"no list {base}")
            continue
        found[name] = base
        found |= {f"{name}, {way}": f"{base}?{query}" for way, query in narrowed.items()}
        pages = [int(number) for number in re.findall(rb"[?;]p=(\d+)", answer.content)]
        if pages:
            found[f"{name}, page {max(pages)}"] = f"{base}?p={max(pages)}"
    return found


def _measure(addresses: dict[str, str], rounds: int) -> dict[str, list[tuple[float, float]]]:
    """Open all pages in turn, round after round, so that what else the machine does falls on all of them.

    Returns milliseconds on the clock and of the processor for each time a page was opened.
    """
    client = _client()
    times: dict[str, list[tuple[float, float]]] = {label: [] for label in addresses}
    for number in range(rounds + 1):
        for label, address in addresses.items():
            before = time.process_time()
            took = milliseconds(lambda address=address: _open(client, address))
            if number:  # the first round warms the caches for all
                times[label].append((took, (time.process_time() - before) * 1000))
    return times


def _figures(times: list[tuple[float, float]]) -> dict[str, float]:
    clock, processor = (spread(each) for each in zip(*times, strict=True))
    return {
        "p50": clock["p50"],
        "p95": clock["p95"],
        "cpu p50": processor["p50"],
        "cpu p95": processor["p95"],
    }


def _open(client: Any, address: str) -> None:
    answer = client.get(address)
    if answer.status_code != 200:
        raise SystemExit(f"{address} answered {answer.status_code}")


def _report(figures: dict[str, dict[str, float]], rows: dict[str, int]) -> None:
    print_table("Milliseconds for each page of the admin's lists", figures)
    first_pages = {label: row["p95"] for label, row in figures.items() if label in LISTS}
    slow = [label for label, p95 in first_pages.items() if p95 > AIM]
    say(f"Aim: p95 of each first page within {AIM:.0f} ms: {'met' if not slow else 'missed by ' + ', '.join(slow)}")
    write_results("admin", {"rows": rows, "milliseconds": figures, "aim_p95": AIM, "met": not slow})


if __name__ == "__main__":
    main()
