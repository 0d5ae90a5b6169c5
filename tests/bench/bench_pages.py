"""Requests a second of the readers' pages over 63,000 real papers, beside bare views, in one run.

`python -m tests.bench.bench_pages [--papers N] [--seconds N] [--data FOLDER]`. The server is gunicorn as `serve`
starts it, on this machine; eight clients ask for one page after the other, each time by a new connection. A day of 25
papers, one of its papers, and a search, ranked, for a word that about 5 % of the papers have: rendered each time as
after a write, when the pieces that are as they were are kept; rendered without these too, as for the first reader; and
kept whole. The bare views, one query with 25 rows and one ranked query of the index, run
under the same settings and middleware. With `wrk` on the machine, it is asked too, to check our own clients.

The aims: rendered as after a write, day and paper at 0.4 of the bare view's rate and search at half of the bare query's; kept, all
above them. Rounds alternate, so that what else the machine does falls on all.
"""

import argparse
import datetime as dt
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.bench.harness import (
    installation,
    percentile,
    print_table,
    recorded,
    say,
    temporary_installation,
    write_results,
)
from tests.bench.load import CLIENTS, put_load

SECONDS, ROUNDS = 5.0, 3
# Seconds in which the server must have started.
_START = 60.0
DAY, PAPERS_OF_DAY = dt.date(2026, 11, 30), 25
# One of these is found in about 5 % of the papers, whatever part of them is loaded.
WORDS = ("扩散模型", "强化学习", "基准测试", "transformer", "diffusion", "视频", "robust", "推理", "注意力", "图像")
SHARE = 0.05
# Page, the bare view beside it, and the least part of its rate when rendered each time and when kept.
AIMS = {
    "day": ("bare view", 0.4, 1.0),
    "paper": ("bare view", 0.4, 1.0),
    "search": ("bare search", 0.5, 1.0),
}


def main() -> None:
    """Fill an installation, serve it in both ways, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, help="use so many papers only")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each measurement")
    parser.add_argument("--data", type=Path, help="fill this folder, or use it as an earlier run left it")
    options = parser.parse_args()
    folder = recorded("scale")
    if options.data:
        installation(options.data)
    else:
        temporary_installation()
    papers = fill(folder, options.papers)
    word, hits = usual_word()
    say(f"{papers} papers; {word} is in {hits} ({hits / papers:.1%})")
    addresses = _addresses(word)
    rates: dict[str, list[dict[str, float]]] = {}
    with served("pieces") as rendered, served("pages") as kept, served("nothing") as first:
        sites = {"": rendered, ", first": first, ", kept": kept}
        for number in range(ROUNDS):
            say(f"round {number + 1} of {ROUNDS} …")
            for label, found in _round(addresses, sites, options.seconds):
                rates.setdefault(label, []).append(found)
    _report({label: middle(found) for label, found in rates.items()}, papers, hits)


def fill(folder: Path, most: int | None) -> int:
    """Load the papers where there are none, and give a day of its own to 25 of them; return how many there are."""
    from django.core.management import call_command

    from papers.models import Paper
    from papers.search.index import rebuild
    from tests.bench.library import load_library

    if not Paper.objects.exists():
        say("Loading the papers …")
        start = time.perf_counter()
        load_library(folder, most)
        rebuild()
        ids = list(Paper.objects.order_by("-paper_date", "id").values_list("id", flat=True)[:PAPERS_OF_DAY])
        Paper.objects.filter(pk__in=ids).update(paper_date=DAY)
        say(f"loaded in {time.perf_counter() - start:.0f} s")
    call_command("collectstatic", interactive=False, verbosity=0)
    return Paper.objects.count()


def usual_word() -> tuple[str, int]:
    """Return the word that is nearest to 5 % of the papers, and in how many it is."""
    from django.db import connection

    from papers.models import Paper
    from papers.search.results import understand

    wanted = SHARE * Paper.objects.count()
    counts = {}
    with connection.cursor() as cursor:
        for word in WORDS:
            cursor.execute("SELECT count(*) FROM papers_fts WHERE papers_fts MATCH %s", [understand(word).match])
            counts[word] = cursor.fetchone()[0]
    nearest = min(counts, key=lambda word: abs(counts[word] - wanted))
    return nearest, counts[nearest]


def _addresses(word: str) -> dict[str, str]:
    from papers.models import Paper

    paper = Paper.objects.filter(paper_date=DAY).order_by("-upvotes", "id")[PAPERS_OF_DAY // 2]
    return {
        "bare view": "/bare/",
        "bare search": f"/bare-search/?q={quote(word)}",
        "day": f"/day/{DAY}/",
        "paper": paper.get_absolute_url(),
        "search": f"/search/?q={quote(word)}",
    }


@contextmanager
def served(keep: str, application: str = "tests.bench.pages_site") -> Iterator[str]:
    """Serve the installation as `serve` does, on a free port; yield its address."""
    from django.conf import settings
    from django.db import connection

    from operations.serving.parts import web

    connection.close()  # the server has its own
    with closing(socket.create_server(("127.0.0.1", 0), backlog=2048)) as listener:
        listener.set_inheritable(True)
        command = [part.replace("papersite.wsgi", application) for part in web(listener.fileno()).command]
        with (settings.PAPERSITE.data_dir / f"bench-{keep}.log").open("w") as log:
            server = subprocess.Popen(
                command,
                env={**os.environ, "BENCH_KEEP": keep},
                stdout=log,
                stderr=log,
                pass_fds=(listener.fileno(),),
            )
        try:
            _wait_for(server, Path(log.name))
            yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        finally:
            server.send_signal(signal.SIGTERM)
            server.wait(30)


def _wait_for(server: subprocess.Popen, log: Path) -> None:
    deadline = time.monotonic() + _START
    while "Booting worker" not in log.read_text("utf-8"):
        if server.poll() is not None or time.monotonic() > deadline:
            raise SystemExit(f"the server did not start:\n{log.read_text('utf-8')}")
        time.sleep(0.1)


def _round(addresses: dict[str, str], sites: dict[str, str], seconds: float) -> Iterator[tuple[str, dict]]:
    for label, address in addresses.items():
        for how, site in sites.items():
            if label in AIMS or not how:
                yield f"{label}{how}", rate(site + address, seconds)


def rate(url: str, seconds: float) -> dict[str, float]:
    """Return what `seconds` of load on one address give."""
    for _time in range(4 * CLIENTS):  # all processes have it warm
        urllib.request.urlopen(url, timeout=60).read()
    load = put_load(url, seconds=seconds)
    figures = {
        "a second": load.per_second,
        "p50 ms": percentile(load.milliseconds, 50),
        "p95 ms": percentile(load.milliseconds, 95),
        "kB": load.answer_bytes / 1000,
    }
    return figures | ({"by wrk": _by_wrk(url, seconds)} if shutil.which("wrk") else {})


def _by_wrk(url: str, seconds: float) -> float:
    command = ["wrk", "-t1", f"-c{CLIENTS}", f"-d{seconds:.0f}s", "-H", "Connection: close", url]
    told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"Requests/sec:\s+([\d.]+)", told)
    return float(found[1]) if found else 0.0


def middle(rates: list[dict[str, float]]) -> dict[str, Any]:
    """Return the round whose rate is the middle one."""
    middle = sorted(rates, key=lambda rate: rate["a second"])[len(rates) // 2]
    return {name: round(value, 1) for name, value in middle.items()}


def _report(figures: dict[str, dict[str, Any]], papers: int, hits: int) -> None:
    for label, row in figures.items():
        bare, of_made, of_kept = AIMS.get(label.partition(",")[0], (label, 0.0, 0.0))
        row["of bare"] = round(row["a second"] / figures[bare]["a second"], 2)
        row["aim"] = 0.0 if label.endswith("first") else of_kept if label.endswith("kept") else of_made
    print_table(f"{CLIENTS} clients, Connection: close, {papers} papers", figures)
    missed = [label for label, row in figures.items() if row["of bare"] < row["aim"]]
    say(f"Aims missed: {', '.join(missed)}" if missed else "All aims met")
    write_results("pages", {"papers": papers, "hits": hits, "pages": figures, "missed": missed})


if __name__ == "__main__":
    sys.exit(main())
