"""A site of its own for one test: `manage.py serve` in a subprocess, and a look at its processes."""

import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

PROJECT = Path(__file__).resolve().parents[2]
START = 60  # seconds


class Site:
    """One `serve` and what it started."""

    def __init__(self, data_dir: Path, *options: str) -> None:
        self.data_dir = data_dir
        self.process = start(data_dir, *options)
        self.address = ""

    def wait_until_up(self) -> "Site":
        assert self.process.stdout
        while line := self.process.stdout.readline():
            if found := re.search(r"http://\S+", line):
                self.address = found[0]
                return self
        raise AssertionError(f"the site did not start: exit code {self.process.wait()}")

    def processes(self) -> list[psutil.Process]:
        """Every living process of this DATA_DIR."""
        return [process for process in psutil.process_iter() if is_of(process, self.data_dir)]

    def guard(self, name: str) -> psutil.Process:
        """The guard of `gunicorn` or of `qcluster`."""
        return next(
            process
            for process in psutil.Process(self.process.pid).children()
            if any("guard.py" in word for word in process.cmdline()) and name in process.cmdline()
        )

    def main(self, name: str) -> psutil.Process:
        """The main process of `gunicorn` or of `qcluster`."""
        return self.guard(name).children()[0]

    def sentinel(self) -> psutil.Process:
        """The process of the cluster that watches its workers."""
        return self.main("qcluster").children()[0]

    def stop(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(40)


def is_of(process: psutil.Process, data_dir: Path) -> bool:
    with suppress(psutil.Error):
        alive = process.status() != psutil.STATUS_ZOMBIE
        return alive and process.environ().get("PAPERSITE_DATA_DIR") == str(data_dir)
    return False


def start(data_dir: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "manage.py", "serve", *(options or ["--port", "0"])]
    environment = {**os.environ, "PAPERSITE_DATA_DIR": str(data_dir), "DJANGO_SETTINGS_MODULE": "papersite.settings"}
    return subprocess.Popen(
        command, cwd=PROJECT, env=environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
    )


def eventually(true: Callable[[], bool], seconds: float = 40) -> bool:
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@pytest.fixture(scope="session")
def prepared(tmp_path_factory) -> Path:
    """A DATA_DIR that was served once, to be copied: tables and static files are there."""
    site = Site(tmp_path_factory.mktemp("prepared")).wait_until_up()
    assert site.stop() == 0
    return site.data_dir


@pytest.fixture
def make_site(prepared, tmp_path) -> Iterator[Callable[..., Site]]:
    """Starts sites on a copy of the prepared folder; whatever is left at the end is killed."""
    data_dir = tmp_path / "data"
    shutil.copytree(prepared, data_dir, ignore=shutil.ignore_patterns("*.log"))
    sites: list[Site] = []

    def make(*options: str) -> Site:
        sites.append(Site(data_dir, *options))
        return sites[-1]

    yield make
    for site in sites:
        for process in site.processes():
            with suppress(psutil.Error):
                process.kill()
        site.process.wait()


@pytest.fixture
def site(make_site) -> Site:
    """A site that is up."""
    return make_site().wait_until_up()
