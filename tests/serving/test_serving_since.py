"""Since when a data folder is served, as seen from another process."""

import datetime as dt
import os
import subprocess
import sys

import pytest

from operations.serving.lock import serving_alone, serving_since

_SERVE = """
import sys, time
from pathlib import Path
from operations.serving.lock import serving_alone
with serving_alone(Path(sys.argv[1])):
    print("serving", flush=True)
    time.sleep(60)
"""


def test_nobody_serves_a_new_folder(tmp_path):
    assert serving_since(tmp_path) is None


def test_the_beginning_of_the_process_that_serves_is_told_until_it_ends(tmp_path):
    before = dt.datetime.now(dt.UTC) - dt.timedelta(seconds=2)
    with subprocess.Popen([sys.executable, "-c", _SERVE, str(tmp_path)], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        process.stdout.readline()
        since = serving_since(tmp_path)
        process.kill()
    assert since is not None and before < since < dt.datetime.now(dt.UTC)
    assert serving_since(tmp_path) is None


@pytest.mark.parametrize("text", ["", "nobody", "999999999", "9" * 30])
def test_a_number_of_no_process_is_not_believed(tmp_path, text):
    (tmp_path / "locks").mkdir()
    (tmp_path / "locks" / "serve.lock").write_text(text)
    assert serving_since(tmp_path) is None


def test_a_later_process_with_the_same_number_is_not_believed(tmp_path):
    (tmp_path / "locks").mkdir()
    lock = tmp_path / "locks" / "serve.lock"
    lock.write_text(str(os.getpid()))
    assert serving_since(tmp_path) is not None
    os.utime(lock, (1000, 1000))
    assert serving_since(tmp_path) is None


def test_asking_turns_no_serve_away(tmp_path):
    with serving_alone(tmp_path):
        assert serving_since(tmp_path) is not None
