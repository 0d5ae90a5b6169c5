"""Fixtures of the main job's tests."""

import stat
import sys
from pathlib import Path

import pytest


@pytest.fixture
def agent(tmp_path: Path, settings):
    """Returns a function that makes a Python program, given as text, the agent."""

    def make(program: str) -> Path:
        path = tmp_path / "agent.py"
        path.write_text(f"#!{sys.executable}\n{program}", "utf-8")
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"agent_command": [str(path)]})
        return path

    return make
