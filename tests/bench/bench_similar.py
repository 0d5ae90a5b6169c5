"""Similar papers over 63,000 real papers, beside a bare bm25 query of the same title, p50 and p95, in one run.

`python -m tests.bench.bench_similar [--papers N]`. The bare query ranks all papers that have any word of the title.
"""

import argparse
import re
from functools import partial

from tests.bench.harness import milliseconds, print_table, recorded, say, spread, temporary_installation, write_results

PAPERS = 200
BARE = "SELECT rowid FROM papers_fts WHERE papers_fts MATCH %s ORDER BY bm25(papers_fts), rowid LIMIT 7"


def main() -> None:
    """Load the library, index it, and measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, help="use so many papers only")
    options = parser.parse_args()
    folder = recorded("scale")
    temporary_installation()
    from papers.search.index import rebuild
    from tests.bench.library import load_library

    say("Loading the papers …")
    papers = load_library(folder, options.papers)
    rebuild()
    rows = {name: spread(times) for name, times in _measure().items()}
    print_table(f"Milliseconds for {PAPERS} papers of {papers}", rows)
    write_results("similar", {"papers": papers, "milliseconds": rows})


def _measure() -> dict[str, list[float]]:
    from papers.models import Paper
    from papers.queries import sql
    from papers.queries.paper import find_paper
    from papers.queries.similar import similar_papers

    figures: dict[str, list[float]] = {"bare bm25": [], "similar": []}
    ids = list(Paper.objects.order_by("id").values_list("arxiv_id", flat=True))
    for arxiv_id in ids[:: max(1, len(ids) // PAPERS)][:PAPERS]:
        found = find_paper(arxiv_id)
        paper, tags, line = found.paper, found.tags, found.summary.one_line or ""
        match = " OR ".join(f'"{word}"' for word in re.findall(r"\w+", paper.title_en))
        for name, work in (
            ("bare bm25", lambda match=match: sql.rows(BARE, match)),
            ("similar", partial(similar_papers, paper, tags=tags, summary_line=line)),
        ):
            work()  # warms the cache
            figures[name].append(milliseconds(work))
    return figures


if __name__ == "__main__":
    main()
