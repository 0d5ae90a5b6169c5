"""The memory of the running site by its parts, beside a bare Python process that has only imported Django.

`python -m tests.bench.bench_memory [--papers N]`. Proportional memory (PSS): pages that processes share count once.
"""

import argparse
import os
import re
import subprocess
import sys
import time
from pathlib import Path

import psutil

from tests.bench.harness import PROJECT_DIR, print_table, recorded, say, temporary_installation, write_results
from tests.faults.installation import free_port

REQUESTS = 200
PAGES = ("/", "/status/", "/search/?q=模型", "/api/v1/papers?limit=50", "/api/v1/health")


def proportional_memory(pid: int) -> float:
    """Return a process's PSS in MB."""
    text = Path(f"/proc/{pid}/smaps_rollup").read_text("ascii")
    found = re.search(r"^Pss:\s+(\d+) kB", text, re.MULTILINE)
    return int(found[1]) / 1024 if found else 0.0


def part_of(process: psutil.Process) -> str:
    """Return the part of the site that a process belongs to."""
    line = " ".join(process.cmdline())
    for word, part in (("guard.py", "guards"), ("gunicorn", "web"), ("qcluster", "workers"), ("serve", "serve")):
        if word in line:
            return part
    return "other"


def visit(port: int) -> None:
    """Ask for pages until every web process has done its share."""
    import httpx

    with httpx.Client(base_url=f"http://127.0.0.1:{port}", trust_env=False, timeout=60) as client:
        for number in range(REQUESTS):
            client.get(PAGES[number % len(PAGES)], headers={"Connection": "close"}).raise_for_status()


def bare_django() -> float:
    """Return the PSS of a Python process that has set up Django with no app of ours."""
    program = (
        "import django; from django.conf import settings; settings.configure(INSTALLED_APPS=["
        "'django.contrib.admin', 'django.contrib.auth', 'django.contrib.contenttypes', 'django.contrib.sessions', "
        "'django.contrib.messages']); django.setup(); print(1, flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        process.stdout.readline()
        memory = proportional_memory(process.pid)
        process.kill()
    return memory


def main() -> None:
    """Run the bench."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--papers", type=int, default=0, help="papers of the recorded data to load first")
    papers = parser.parse_args().papers
    temporary_installation(allowed_hosts="127.0.0.1")
    if papers:
        from papers.search.index import rebuild
        from tests.bench.library import load_library

        say(f"{load_library(recorded('scale'), papers)} papers loaded")
        rebuild()
    port = free_port()
    serve = psutil.Popen(
        [sys.executable, "manage.py", "serve", "--port", str(port)],
        cwd=PROJECT_DIR,
        stdout=subprocess.PIPE,
        text=True,
        env=dict(os.environ),
    )
    try:
        say(serve.stdout.readline().strip())
        time.sleep(70)  # the first tick of the workers
        visit(port)
        parts: dict[str, list[float]] = {}
        for process in [serve, *serve.children(recursive=True)]:
            parts.setdefault(part_of(process), []).append(proportional_memory(process.pid))
    finally:
        serve.terminate()
        serve.wait(30)
    figures = {name: {"processes": len(found), "PSS MB": round(sum(found), 1)} for name, found in sorted(parts.items())}
    figures["all"] = {
        "processes": sum(len(found) for found in parts.values()),
        "PSS MB": round(sum(map(sum, parts.values())), 1),
    }
    figures["bare Django"] = {"processes": 1, "PSS MB": round(bare_django(), 1)}
    print_table(f"{papers} papers, after {REQUESTS} pages and a minute of schedules", figures)
    write_results("memory", {"papers": papers, **figures})


if __name__ == "__main__":
    main()
