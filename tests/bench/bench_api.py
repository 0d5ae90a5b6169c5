"""Requests a second of the API over 63,000 real papers, beside bare JSON views of one query, and a whole mirror.

`python -m tests.bench.bench_api [--papers N] [--seconds N] [--data FOLDER]`. The server is gunicorn as `serve` starts
it; eight clients ask for one address, each time by a new connection. A list of fifty papers, one paper and a search,
ranked, made each time with nothing kept; and kept whole. Then one client follows the cursor through all papers, 200 at
a time. The bare views run under the same settings and middleware.

The aim: 0.4 of the bare view's rate when made each time. Rounds alternate, so that what else the machine does falls on
all.
"""

import argparse
import json
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from tests.bench import bench_pages
from tests.bench.bench_pages import ROUNDS, SECONDS, fill, middle, rate, served, usual_word
from tests.bench.harness import installation, print_table, recorded, say, temporary_installation, write_results
from tests.bench.load import CLIENTS

AIM = 0.4
KINDS = ("list", "paper", "search")
API = "/api/v1/papers"


def main() -> None:
    """Fill an installation, serve it in both ways, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, help="use so many papers only")
    parser.add_argument("--seconds", type=float, default=SECONDS, help="of each measurement")
    parser.add_argument("--data", type=Path, help="fill this folder, or use it as an earlier run left it")
    options = parser.parse_args()
    folder = recorded("scale")
    settings = {"api_rate": "0"}
    if options.data:
        installation(options.data, **settings)
    else:
        temporary_installation(**settings)
    papers = fill(folder, options.papers)
    word, hits = usual_word()
    say(f"{papers} papers; {word} is in {hits} ({hits / papers:.1%})")
    addresses = _addresses(word)
    rates: dict[str, list[dict[str, float]]] = {}
    with served("nothing", "tests.bench.api_site") as made, served("pages", "tests.bench.api_site") as kept:
        for number in range(ROUNDS):
            say(f"round {number + 1} of {ROUNDS} …")
            for label, found in _round(addresses, made, kept, options.seconds):
                rates.setdefault(label, []).append(found)
        mirror = _mirror(made)
    _report({label: middle(found) for label, found in rates.items()}, papers, mirror)


def _addresses(word: str) -> dict[str, str]:
    from papers.models import Paper

    paper = Paper.objects.filter(paper_date=bench_pages.DAY).order_by("-upvotes", "id")[10]
    return {
        "bare list": "/bare/list",
        "list": API,
        "bare paper": f"/bare/paper?id={paper.arxiv_id}",
        "paper": f"{API}/{paper.arxiv_id}",
        "bare search": f"/bare/search?q={quote(word)}",
        "search": f"{API}?q={quote(word)}",
    }


def _round(addresses: dict[str, str], made: str, kept: str, seconds: float) -> Iterator[tuple[str, dict[str, float]]]:
    for label, address in addresses.items():
        yield label, rate(made + address, seconds)
        if label in KINDS:
            yield f"{label}, kept", rate(kept + address, seconds)


def _mirror(site: str) -> dict[str, float]:
    """Read all papers, and then all changes; return how many, and in how many seconds."""
    start, papers, cursor = time.perf_counter(), 0, ""
    while cursor is not None:
        page = _read(f"{site}{API}?limit=200" + (f"&cursor={quote(cursor)}" if cursor else ""))
        papers, cursor = papers + len(page["items"]), page["next_cursor"]
    seconds = time.perf_counter() - start
    start, changes, since, more = time.perf_counter(), 0, "", True
    while more:
        page = _read(f"{site}/api/v1/changes?limit=1000" + (f"&since={quote(since)}" if since else ""))
        changes, since, more = changes + len(page["items"]), page["next_since"], page["has_more"]
    return {
        "papers": papers,
        "seconds": round(seconds, 1),
        "changes": changes,
        "seconds of changes": round(time.perf_counter() - start, 1),
    }


def _read(url: str) -> dict[str, Any]:
    with urllib.request.urlopen(url, timeout=60) as answer:
        return json.load(answer)


def _report(figures: dict[str, dict[str, Any]], papers: int, mirror: dict[str, float]) -> None:
    for label, row in figures.items():
        bare = label if label.startswith("bare") else f"bare {label.partition(',')[0]}"
        row["of bare"] = round(row["a second"] / figures[bare]["a second"], 2)
    print_table(f"{CLIENTS} clients, Connection: close, {papers} papers", figures)
    say(f"A mirror: {mirror}")
    missed = [label for label in KINDS if figures[label]["of bare"] < AIM]
    say(f"Aims missed: {', '.join(missed)}" if missed else "All aims met")
    write_results("api", {"papers": papers, "calls": figures, "mirror": mirror, "missed": missed})


if __name__ == "__main__":
    sys.exit(main())
