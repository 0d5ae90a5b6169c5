"""The actions of the admin on all 63,000 papers at once, and on the 1,000 of a POST that names its rows.

`python -m tests.bench.bench_actions [--papers N]`. Each is run once, by a superuser through the whole stack of
middleware, with the record of who did it for every paper; the wake-ups are written, no worker runs.
"""

import argparse
import resource
from typing import Any

from tests.bench.harness import milliseconds, print_table, recorded, say, temporary_installation, write_results

ACTIONS = ("rerun_summary", "recrawl_date", "refresh_metadata")
LIST = "/admin/papers/paper/"
# Django takes so many fields of a form, and one of them is the action.
NAMED = 990


def main() -> None:
    """Fill an installation, run each action on some rows and on all, and tell how long each took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, help="use so many papers only")
    options = parser.parse_args()
    folder = recorded("scale")
    temporary_installation()
    client = _filled(folder, options.papers)
    figures = {action: _measured(client, action) for action in ACTIONS}
    print_table("actions on papers", figures)
    write_results("actions", figures)


def _filled(folder: Any, most: int | None) -> Any:
    from django.conf import settings
    from django.contrib.auth.models import User
    from django.test import Client

    from tests.bench.library import load_library

    say("Loading the papers …")
    load_library(folder, most)
    settings.ALLOWED_HOSTS = ["*"]
    client = Client()
    user = User.objects.create_superuser("bench", password=None)
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def _measured(client: Any, action: str) -> dict[str, Any]:
    from django.contrib.admin.models import LogEntry

    from papers.models import Paper

    some = list(Paper.objects.values_list("pk", flat=True)[:NAMED])
    named = milliseconds(lambda: _post(client, {"action": action, "_selected_action": some}))
    everything = {"action": action, "_selected_action": some[:1], "select_across": "1", "index": "0"}
    before = LogEntry.objects.count()
    whole = milliseconds(lambda: _post(client, everything))
    return {
        "papers": Paper.objects.count(),
        f"{NAMED} named, s": round(named / 1000, 2),
        "all, s": round(whole / 1000, 2),
        "records of who did it": LogEntry.objects.count() - before,
        "peak MB": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }


def _post(client: Any, data: dict[str, Any]) -> None:
    answer = client.post(LIST, data)
    if answer.status_code != 302:
        raise RuntimeError(f"HTTP {answer.status_code}")


if __name__ == "__main__":
    main()
