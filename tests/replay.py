"""The outside world on a loopback port, played back from recorded data: Hugging Face, arXiv and a model."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from operations.http.patience import Patience

# Enough to see every retry happen, and nobody waits for it.
QUICK = Patience(
    connect=2,
    read=1,
    total=2,
    download_total=3,
    attempts=4,
    first_pause=0.02,
    longest_pause=0.1,
    longest_retry_after=0.3,
)


class Replay:
    """A running replay. What a test changes in it is undone before the next one."""

    def __init__(self, program: Path, data: Path) -> None:
        self._program, self._data = program, data
        self._process: subprocess.Popen[str] | None = None
        self._options: tuple[str, ...] = ()
        self._is_changed = False
        self.url = ""

    @property
    def hf_url(self) -> str:
        """The setting HF_URL."""
        return f"{self.url}/hf"

    @property
    def arxiv_url(self) -> str:
        """The settings ARXIV_URL and ARXIV_API_URL."""
        return f"{self.url}/arxiv"

    @property
    def llm_url(self) -> str:
        """The setting LLM_URL."""
        return f"{self.url}/llm/v1"

    @property
    def addresses(self) -> dict[str, str]:
        """The sources' addresses, as `model_copy(update=…)` of a Configuration takes them."""
        return {"hf_url": self.hf_url, "arxiv_url": self.arxiv_url, "arxiv_api_url": self.arxiv_url}

    @property
    def environment(self) -> dict[str, str]:
        """The sources' addresses for a subprocess."""
        return {f"PAPERSITE_{name.upper()}": address for name, address in self.addresses.items()}

    def faults(self, faults: list[dict[str, Any]]) -> None:
        """Add faults, as the program's --help says."""
        httpx.post(f"{self.url}/_faults", json=faults, trust_env=False).raise_for_status()

    def world(self, change: dict[str, Any]) -> None:
        """Change the world: votes, what is listed so far, versions, withdrawn papers, sources."""
        self._is_changed = True
        httpx.post(f"{self.url}/_world", json=change, trust_env=False).raise_for_status()

    def log(self, part: str = "") -> list[dict[str, Any]]:
        """Return the requests so far whose path holds `part`."""
        requests = json.loads(httpx.get(f"{self.url}/_log", trust_env=False).content)
        return [request for request in requests if part in request["path"]]

    def clear(self) -> None:
        """Forget all faults and requests."""
        httpx.delete(f"{self.url}/_faults", trust_env=False)
        httpx.delete(f"{self.url}/_log", trust_env=False)

    def start(self, *options: str) -> None:
        """Start, anew if it runs with other options or with a changed world (`--most 10`, `--today 2026-08-21`)."""
        if self._process and options == self._options and not self._is_changed:
            self.clear()
            return
        self.stop()
        command = [sys.executable, str(self._program), "--data", str(self._data), "--port", "0", *options]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout
        self.url = self._process.stdout.readline().split()[0]
        self._options, self._is_changed = options, False

    def stop(self) -> None:
        """End the process."""
        if self._process:
            self._process.kill()
            self._process.communicate()
            self._process = None


@pytest.fixture(scope="session")
def _replay(recorded: Path) -> Iterator[Replay]:
    program = recorded.parent / "tools" / "replay" / "replay.py"
    if not program.is_file():
        pytest.skip(f"needs {program}, which is absent")
    replay = Replay(program, recorded)
    yield replay
    replay.stop()


@pytest.fixture
def replay(_replay: Replay) -> Replay:
    """The replay, as if just started."""
    _replay.start()
    return _replay


@pytest.fixture
def replayed_sources(replay: Replay, settings) -> Replay:
    """The replay, and settings that point to it, with little patience."""
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=replay.addresses)
    settings.SOURCE_PATIENCE = QUICK
    return replay
