"""What all tests share: a data folder of their own, and where the recorded material lies."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import django
import hypothesis
import pytest

# Before Django reads its settings: nothing of the developer's own installation is touched or read.
_DATA_DIR = tempfile.mkdtemp(prefix="papersite-tests-")
for _name in [name for name in os.environ if name.startswith("PAPERSITE_")]:
    del os.environ[_name]
os.environ["PAPERSITE_DATA_DIR"] = _DATA_DIR
(Path(_DATA_DIR) / "static").mkdir()  # WhiteNoise warns at every client without it
os.environ["PAPERSITE_ENV_FILE"] = os.devnull
os.environ["PAPERSITE_ARXIV_INTERVAL"] = "0"
os.environ["DJANGO_SETTINGS_MODULE"] = "papersite.settings"
django.setup()

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
def _index_emptied_with_the_tables(request: pytest.FixtureRequest) -> Iterator[None]:
    """Empty the search index after a transactional test: Django's flush does not know that table."""
    marker = request.node.get_closest_marker("django_db")
    if marker is None or not marker.kwargs.get("transaction"):
        yield
        return
    request.getfixturevalue("transactional_db")
    yield
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM papers_fts")
