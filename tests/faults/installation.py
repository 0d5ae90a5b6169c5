"""An installation of its own in processes of its own, to be killed at will."""

import os
import signal
import socket
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import psutil

PROJECT_DIR = Path(__file__).resolve().parents[2]


class Installation:
    """Commands over one DATA_DIR, their processes, and what they left in the database."""

    def __init__(self, folder: Path, **settings: str) -> None:
        """`settings` are names of the configuration without their prefix."""
        self.folder = folder
        own = {
            "data_dir": str(folder),
            "env_file": os.devnull,
            "arxiv_interval": "0",
            "summary_workers": "2",
            "allowed_hosts": "127.0.0.1",
        }
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("PAPERSITE_")}
        self.environment |= {f"PAPERSITE_{name.upper()}": value for name, value in (own | settings).items()}
        self.output = folder.with_name(f"{folder.name}.log").open("ab")

    def use_agent(self, program: str) -> None:
        """Make a Python program, given as text, the agent."""
        path = self.folder.with_name(f"{self.folder.name}-agent.py")
        path.write_text(f"#!{sys.executable}\n{program}", "utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        self.environment["PAPERSITE_AGENT_COMMAND"] = str(path)

    def start(self, *arguments: str) -> psutil.Popen:
        """Start a command in a session of its own."""
        return psutil.Popen(
            [sys.executable, "manage.py", *arguments],
            cwd=PROJECT_DIR,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=self.output,
            stderr=self.output,
            start_new_session=True,
        )

    def run(self, *arguments: str, seconds: float = 300) -> int:
        """Run a command to its end and return its exit code."""
        return self.start(*arguments).wait(seconds)

    def processes(self) -> list[psutil.Process]:
        """Return every living process that carries this installation's DATA_DIR in its environment."""
        found = []
        for process in psutil.process_iter():
            try:
                environment = process.environ()
                if process.status() != psutil.STATUS_ZOMBIE and self._is_ours(environment):
                    found.append(process)
            except psutil.Error:
                continue
        return found

    def _is_ours(self, environment: dict[str, str]) -> bool:
        folder = str(self.folder)
        return environment.get("PAPERSITE_DATA_DIR") == folder or f"|{folder}#" in environment.get("PAPERSITE_RUN", "")

    def wait_until_gone(self, seconds: float) -> list[psutil.Process]:
        """Wait until no process is left, at most so long, and return those that are."""
        deadline = time.monotonic() + seconds
        while (left := self.processes()) and time.monotonic() < deadline:
            time.sleep(0.1)
        return left

    def kill_all(self) -> None:
        """Kill the whole tree: again and again, since a process may be born between the look and the blow."""
        while alive := self.processes():
            kill(alive)
            time.sleep(0.02)

    def rows(self, sql: str) -> list[tuple]:
        """Return the rows of a query."""
        with sqlite3.connect(self.folder / "papersite.sqlite3", timeout=20) as connection:
            return connection.execute(sql).fetchall()

    def counts(self, sql: str) -> dict[str, int]:
        """Return the rows of a query of names and numbers."""
        return dict(self.rows(sql))

    def tail(self) -> str:
        """Return the end of what the commands printed."""
        self.output.flush()
        return Path(self.output.name).read_text("utf-8", "replace")[-4000:]


def kill(processes: list[psutil.Process]) -> None:
    """Kill processes as the kernel would: at once and without a word."""
    for process in processes:
        try:
            process.send_signal(signal.SIGKILL)
        except psutil.NoSuchProcess:
            continue


def free_port() -> int:
    """Return a port of loopback that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
