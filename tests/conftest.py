"""What all tests share: a data folder of their own, and where the recorded material lies."""

import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import django.conf
import hypothesis
import pytest

# A shell without job control starts what it runs in the background deaf to Ctrl-C; tests of it need it heard.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
# As `nohup` does to the hang-up.
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Before Django reads its settings: nothing of the developer's own installation is touched or read.
_DATA_DIR = tempfile.mkdtemp(prefix="papersite-tests-")
for _name in [name for name in os.environ if name.startswith("PAPERSITE_")]:
    del os.environ[_name]
os.environ["PAPERSITE_DATA_DIR"] = _DATA_DIR
(Path(_DATA_DIR) / "static").mkdir()  # WhiteNoise warns at every client without it
os.environ["PAPERSITE_ENV_FILE"] = os.devnull
os.environ["PAPERSITE_ARXIV_INTERVAL"] = "0"
os.environ["PAPERSITE_API_RATE"] = "0"  # all tests call from one address
os.environ["DJANGO_SETTINGS_MODULE"] = "papersite.settings"
django.setup()

# Accounts of tests need no password that takes long to guess.
django.conf.settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# The same examples at every run, so that a change is judged by itself; HYPOTHESIS_PROFILE=explore looks for new ones.
hypothesis.settings.register_profile("same", derandomize=True, deadline=None)
hypothesis.settings.register_profile("explore", max_examples=2000, deadline=None)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))

# The `replay` fixture, after the settings above.
pytest_plugins = ["tests.replay"]

RECORDED = Path(__file__).resolve().parents[2] / "shared"


def pytest_unconfigure(config: pytest.Config) -> None:
    """Remove the data folder."""
    shutil.rmtree(_DATA_DIR, ignore_errors=True)


@pytest.fixture(scope="session")
def recorded() -> Path:
    """The folder of recorded data; tests that need it skip where it is absent."""
    if not (RECORDED / "data").is_dir():
        pytest.skip(f"needs the recorded data in {RECORDED}, which is absent")
    return RECORDED / "data"


@pytest.fixture
def data_dir(tmp_path: Path, settings) -> Path:
    """An empty DATA_DIR for one test."""
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"data_dir": tmp_path})
    return tmp_path


@pytest.fixture(autouse=True)
def _no_pages_kept_of_another_test() -> None:
    """Forget rendered pages: the number they are kept under begins anew with each test's database."""
    from papers.pages.public import kept_pages

    kept_pages.clear()


@pytest.fixture(autouse=True)
def _index_emptied_with_the_tables(request: pytest.FixtureRequest) -> Iterator[None]:
    """Empty the search index after a transactional test: Django's flush does not know that table."""
    marker = request.node.get_closest_marker("django_db")
    marked = marker is not None and marker.kwargs.get("transaction")
    if not marked and "transactional_db" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM papers_fts")
