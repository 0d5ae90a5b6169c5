"""Fetches the agent `pi`, and a node where this machine's is missing or too old: `python -m operations.agent.install`.

Standard library alone. Into `.tools` of the project, pinned, without running any script of a package. Each part is
made in a folder of another name and moved into place when it is whole, so that an interruption harms nothing.
"""

import argparse
import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from operations.agent.tools import (
    NODE_PACKAGE,
    NODE_PROGRAM,
    NODE_VERSION,
    NPM_SCRIPT,
    OLDEST_NODE,
    PI_PACKAGE,
    PI_SCRIPT,
    PI_VERSION,
    Places,
)

_TIMEOUT = 900  # seconds for one download; 60 MB of node, 45 MB of pi
_PARTIAL = "partial-"


class InstallationFailed(Exception):
    """A part could not be fetched; the message says which and why."""


def install(places: Places) -> str:
    """Make sure that there is a pi that runs, and say which.

    Raises:
        InstallationFailed: nothing was installed; what was there before is still there.
    """
    pi = places.find_pi()
    if pi is None or not pi.is_usable:
        _fetch(places)
        pi = places.find_pi()
    if pi is None or not pi.is_usable:
        raise InstallationFailed(f"pi was installed in {places.own_pi} but does not run")
    return f"pi {'.'.join(map(str, pi.version or ()))}: {' '.join(pi.arguments)}"


def _fetch(places: Places) -> None:
    places.tools.mkdir(parents=True, exist_ok=True)
    if places.find_node() is None:
        _say(f"Fetching node {NODE_VERSION} (pi needs {'.'.join(map(str, OLDEST_NODE[:2]))} or newer) …")
        with _whole(places.own_node, NODE_PROGRAM) as folder:
            _run(_pip_command(folder), f"node could not be fetched from PyPI ({NODE_PACKAGE})")
    if not (places.own_pi / PI_SCRIPT).is_file():
        _say(f"Fetching pi {PI_VERSION} …")
        with _whole(places.own_pi, PI_SCRIPT) as folder:
            _run(_npm_command(places, folder), f"pi could not be fetched from npm ({PI_PACKAGE})", _with_node(places))


def _pip_command(folder: Path) -> list[str]:
    options = ["--quiet", "--disable-pip-version-check", "--no-deps", "--only-binary=:all:", "--no-compile"]
    target = ["--target", str(folder), f"{NODE_PACKAGE}=={NODE_VERSION}"]
    return [sys.executable, "-m", "pip", "install", *options, *target]


def _npm_command(places: Places, folder: Path) -> list[str]:
    options = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-save", "--no-package-lock", "--loglevel=error"]
    return [*_npm(places), "install", "--prefix", str(folder), *options, f"{PI_PACKAGE}@{PI_VERSION}"]


def _npm(places: Places) -> list[str]:
    own = places.own_node / NPM_SCRIPT
    if own.is_file():
        return [str(places.own_node / NODE_PROGRAM), str(own)]
    npm = shutil.which("npm", path=places.path)
    if npm is None:
        raise InstallationFailed("there is a node but no npm on PATH: install npm, or pi by another way")
    return [npm]


def _with_node(places: Places) -> dict[str, str]:
    """Put the node that will run pi first on PATH, for npm and what it starts."""
    node = places.find_node()
    first = f"{node.parent}{os.pathsep}" if node else ""
    return {**os.environ, "PATH": first + places.path}


@contextlib.contextmanager
def _whole(target: Path, needed: Path) -> Iterator[Path]:
    """Give a folder to fill, and move it to `target` when `needed` is in it."""
    _remove_abandoned(target.parent)
    folder = Path(tempfile.mkdtemp(prefix=f"{_PARTIAL}{os.getpid()}-", dir=target.parent))
    try:
        yield folder
        if not (folder / needed).is_file():
            raise InstallationFailed(f"the download is not what was expected: it has no {needed}")
        folder.chmod(0o755)
        _move(folder, target, needed)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _move(folder: Path, target: Path, needed: Path) -> None:
    if target.exists() and not (target / needed).is_file():
        shutil.rmtree(target)  # damaged from outside
    try:
        folder.rename(target)
    except OSError:
        if not (target / needed).is_file():  # else another installation was first, with the same
            raise


def _remove_abandoned(tools: Path) -> None:
    for folder in tools.glob(f"{_PARTIAL}*"):
        pid = folder.name.removeprefix(_PARTIAL).partition("-")[0]
        if not (pid.isdigit() and _is_alive(int(pid))):
            shutil.rmtree(folder, ignore_errors=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


def _run(command: Sequence[str], problem: str, environment: dict[str, str] | None = None) -> None:
    try:
        ran = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_TIMEOUT,
            env=environment,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallationFailed(f"{problem}: {error}") from error
    if ran.returncode != 0:
        raise InstallationFailed(f"{problem}; is this machine online?\n{_reason(ran.stderr or ran.stdout)}")


def _reason(output: str) -> str:
    """Return the first lines of an error, where pip and npm say what happened; advice follows."""
    lines = [line for line in output.splitlines() if line.strip()]
    return "\n".join([line for line in lines if not line.lower().startswith(("warning", "npm warn"))][:4])


def _say(text: str) -> None:
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def main(arguments: Sequence[str] | None = None) -> int:
    """Install, and return the exit code: 1 where pi cannot be had now."""
    parser = argparse.ArgumentParser(
        prog="python -m operations.agent.install",
        description=f"Make sure that the agent pi can be run; fetch pi {PI_VERSION} into .tools where there is none.",
    )
    parser.parse_args(arguments)
    try:
        result = install(Places())
    except InstallationFailed as error:
        _say(f"pi is not installed: {error}")
        return 1
    except OSError as error:
        _say(f"pi is not installed: {error.strerror}: {error.filename}")
        return 1
    sys.stdout.write(f"{result}\n")
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
