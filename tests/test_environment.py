"""`scripts/make_environment.py`, which every make target begins with."""

import shutil
import subprocess
import sys
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "scripts/make_environment.py"


def test_a_place_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / ".tools").touch()  # stands where a folder should be; a read-only folder would not stop root
    (tmp_path / "scripts").mkdir()
    script = shutil.copy(SCRIPT, tmp_path / "scripts")
    done = subprocess.run([sys.executable, script, "requirements.txt"], capture_output=True, text=True)
    assert done.returncode == 1
    assert ".tools" in done.stderr and "Traceback" not in done.stderr
