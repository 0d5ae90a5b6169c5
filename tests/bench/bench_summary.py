"""What a summary takes beyond the agent's own time, beside the bare agent process.

The agent is a small program that answers at once, so that all that is left is Papersite's. `python -m
tests.bench.bench_summary [PAPERS]`
"""

import json
import subprocess
import sys

from tests.bench.bench_crawl import replayed
from tests.bench.harness import milliseconds, print_table, recorded, spread, temporary_installation, write_results


def main() -> None:
    """Run the bench."""
    papers = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    recorded("hf_daily")
    with replayed() as address:
        folder = temporary_installation(
            hf_url=f"{address}/hf",
            arxiv_url=f"{address}/arxiv",
            arxiv_api_url=f"{address}/arxiv",
            summary_workers="1",
            agent_command=f"{sys.executable} -I -S AGENT",
        )
        from django.conf import settings

        from operations.summarize import summarize_waiting
        from tests.factories import SUMMARY

        agent = folder / "agent.py"
        agent.write_text(f"import sys\nsys.stdin.read()\nprint({json.dumps(SUMMARY, ensure_ascii=False)!r})\n", "utf-8")
        command = [sys.executable, "-I", "-S", str(agent)]
        settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"agent_command": command})
        crawl(papers)
        outcomes = []
        summarize_waiting(limit=papers, told=outcomes.append)
        bare = [
            milliseconds(lambda: subprocess.run(command, input=b"x" * 5000, capture_output=True, check=True))
            for _ in outcomes
        ]
        figures = {
            "whole": spread([outcome.seconds * 1000 for outcome in outcomes]),
            "agent, guarded": spread([outcome.agent_seconds * 1000 for outcome in outcomes]),
            "beyond the agent": spread([(outcome.seconds - outcome.agent_seconds) * 1000 for outcome in outcomes]),
            "bare agent process": spread(bare),
        }
        print_table(f"{len(outcomes)} summaries, one at a time; milliseconds each", figures)
        write_results("summary", {"summaries": len(outcomes), **figures})


def crawl(papers: int) -> None:
    """Crawl the newest days until there are enough papers."""
    import datetime as dt

    from operations.crawl import crawl_day
    from papers.models import Paper

    for path in sorted(recorded("hf_daily").glob("*.json"), reverse=True):
        if Paper.objects.count() >= papers:
            return
        crawl_day(dt.date.fromisoformat(path.stem))


if __name__ == "__main__":
    main()
