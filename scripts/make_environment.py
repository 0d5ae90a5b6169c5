"""Make `.venv` hold exactly what a requirements file pins, and do nothing where it already does.

Run by the Makefile with any Python of 3.11 or newer: `python scripts/make_environment.py requirements.txt`.
A stamp keeps the hash of what was installed, so that the second time needs no network.
"""

import fcntl
import hashlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PROJECT_DIR = Path(__file__).resolve().parent.parent
ENVIRONMENT = PROJECT_DIR / ".venv"
PYTHON = ENVIRONMENT / "bin" / "python"
# What Debian and Ubuntu leave out of their python3 package.
NO_VENV = "Python's venv module does not work here. On Debian or Ubuntu: apt-get install python3-venv"


def main(requirements: Path) -> int:
    """Install `requirements` into the environment unless its stamp says that they are there."""
    with _one_at_a_time():
        works = _runs()
        if works and _installed(requirements):
            return 0
        if not works and not _make():
            sys.stderr.write(f"{NO_VENV}\n")
            return 1
        _stamp(requirements).unlink(missing_ok=True)
        if not _install(requirements):
            sys.stderr.write(f"Installing {requirements.name} failed; see above. Is there a network?\n")
            return 1
        for installed in (requirements, *_included(requirements)):
            _stamp(installed).write_text(_fingerprint(installed))
    return 0


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    """Hold back a second `make` until the first has finished here."""
    path = PROJECT_DIR / ".tools" / "environment.lock"
    path.parent.mkdir(exist_ok=True)
    with path.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _stamp(requirements: Path) -> Path:
    return ENVIRONMENT / f".installed-{requirements.stem}"


def _installed(requirements: Path) -> bool:
    stamp = _stamp(requirements)
    return stamp.is_file() and stamp.read_text() == _fingerprint(requirements)


def _included(requirements: Path) -> list[Path]:
    lines = requirements.read_text("utf-8").splitlines()
    return [requirements.parent / line[3:].strip() for line in lines if line.startswith("-r ")]


def _fingerprint(requirements: Path) -> str:
    """Return a hash of the file, of those it includes by `-r`, and of where the environment lies."""
    digest = hashlib.sha256(f"{ENVIRONMENT}\n{requirements.read_text('utf-8')}".encode())
    for included in _included(requirements):
        digest.update(_fingerprint(included).encode())
    return digest.hexdigest()


def _runs() -> bool:
    """Tell whether the environment's Python starts, is new enough and has pip (a copied or half-made one does not)."""
    check = "import sys, pip; sys.exit(sys.version_info < (3, 11))"
    return PYTHON.exists() and subprocess.run([PYTHON, "-c", check], stderr=subprocess.DEVNULL).returncode == 0


def _make() -> bool:
    sys.stderr.write(f"Making {ENVIRONMENT.name} with Python {sys.version.split()[0]}\n")
    command = [sys.executable, "-m", "venv", "--clear", str(ENVIRONMENT)]
    made = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    if made.returncode:
        sys.stderr.write(made.stdout)
    return made.returncode == 0


def _install(requirements: Path) -> bool:
    sys.stderr.write(f"Installing {requirements.name} (a minute or two, the first time)\n")
    quiet = ["--quiet", "--disable-pip-version-check", "--no-input"]
    return subprocess.run([PYTHON, "-m", "pip", "install", *quiet, "-r", requirements]).returncode == 0


if __name__ == "__main__":
    try:
        sys.exit(main(PROJECT_DIR / sys.argv[1]))
    except KeyboardInterrupt:
        sys.exit(130)  # the next run goes on, or makes it anew
    except OSError as error:
        sys.exit(f"The environment cannot be made here: {error}")
