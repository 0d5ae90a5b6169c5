"""What every bench shares: an installation of its own, the recorded data, timing, a table and a JSON file.

Import it before anything of Django: it points the settings at a temporary DATA_DIR.
"""

import atexit
import json
import os
import platform
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

PROJECT_DIR = Path(__file__).resolve().parents[2]
RECORDED = PROJECT_DIR.parent / "shared" / "data"
RESULTS = PROJECT_DIR / "bench-results"


def temporary_installation(**settings: str) -> Path:
    """Set up Django on a fresh DATA_DIR that is removed at exit; return that folder.

    `settings` are names of the configuration without their prefix: `summary_workers="4"`.
    """
    folder = Path(tempfile.mkdtemp(prefix="papersite-bench-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return installation(folder, **settings)


def installation(folder: Path, **settings: str) -> Path:
    """Set up Django on the DATA_DIR `folder`, which stays for the next run; return it."""
    for name in [name for name in os.environ if name.startswith("PAPERSITE_")]:
        del os.environ[name]
    own = {"data_dir": str(folder), "env_file": os.devnull, "arxiv_interval": "0"}
    for name, value in (own | settings).items():
        os.environ[f"PAPERSITE_{name.upper()}"] = value
    os.environ["DJANGO_SETTINGS_MODULE"] = "papersite.settings"
    import django
    from django.core.management import call_command

    django.setup()
    call_command("migrate", verbosity=0)
    return folder


def recorded(*parts: str) -> Path:
    """Return a path of the recorded data, or end the bench, with success, saying that it is absent."""
    path = RECORDED.joinpath(*parts)
    if not path.exists():
        sys.stdout.write(f"Skipped: needs the recorded data in {path}, which is absent.\n")
        raise SystemExit(0)
    return path


def milliseconds(work: Callable[[], Any]) -> float:
    """Return how long one call of `work` takes, in milliseconds."""
    start = time.perf_counter()
    work()
    return (time.perf_counter() - start) * 1000


def percentile(values: Iterable[float], percent: int) -> float:
    """Return the smallest value that `percent` of a hundred do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * percent // 100) - 1)]


def spread(values: Sequence[float]) -> dict[str, float]:
    """Return mean, p50, p95 and the greatest of `values`, rounded to a hundredth."""
    figures = {
        "mean": statistics.fmean(values),
        "p50": percentile(values, 50),
        "p95": percentile(values, 95),
        "max": max(values),
    }
    return {name: round(value, 2) for name, value in figures.items()}


def print_table(title: str, rows: Mapping[str, Mapping[str, Any]]) -> None:
    """Print one line for each row, under the names of the first row's figures."""
    names = list(next(iter(rows.values())))
    width = max(len(label) for label in rows)
    lines = [title, " " * width + "".join(f"{name:>12}" for name in names)]
    lines += [f"{label:<{width}}" + "".join(f"{row[name]:>12}" for name in names) for label, row in rows.items()]
    sys.stdout.write("\n".join(lines) + "\n")


def say(line: str) -> None:
    """Print a line at once, also into a pipe."""
    print(line, flush=True)


def write_results(name: str, figures: Mapping[str, Any]) -> Path:
    """Write `bench-results/NAME.json` with the figures and what they were measured on."""
    RESULTS.mkdir(exist_ok=True)
    path = RESULTS / f"{name}.json"
    machine = {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version, "cores": os.cpu_count()}
    path.write_text(json.dumps({"machine": machine, **figures}, ensure_ascii=False, indent=2) + "\n", "utf-8")
    say(f"Written: {path.relative_to(PROJECT_DIR)}")
    return path
