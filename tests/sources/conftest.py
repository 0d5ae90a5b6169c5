"""The small server, standing for a source."""

from collections.abc import Iterator

import pytest

from operations.http.client import PoliteClient
from tests.http.conftest import SmallServer, server  # noqa: F401 -- the fixture
from tests.replay import QUICK


@pytest.fixture
def source(server: SmallServer, settings, data_dir) -> SmallServer:  # noqa: F811
    """The small server, as all three sources."""
    addresses = {"hf_url": server.url, "arxiv_url": server.url, "arxiv_api_url": server.url}
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=addresses)
    settings.SOURCE_PATIENCE = QUICK
    return server


@pytest.fixture
def client(source: SmallServer) -> Iterator[PoliteClient]:
    """A client of the small server that does not really sleep."""
    with PoliteClient([source.url], user_agent="x", patience=QUICK, sleep=lambda seconds: None) as client:
        yield client
