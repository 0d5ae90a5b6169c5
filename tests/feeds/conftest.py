"""A feed as a feed reader has it."""

import feedparser
import pytest
from defusedxml import ElementTree


@pytest.fixture
def feed_of(client):
    """Read a feed with a feed reader's own parser, after a strict one."""

    def read(address: str) -> feedparser.FeedParserDict:
        response = client.get(address)
        assert response.status_code == 200
        assert response.headers["Content-Type"] == "application/atom+xml; charset=utf-8"
        ElementTree.fromstring(response.content)
        found = feedparser.parse(response.content, sanitize_html=False)
        assert not found.bozo
        assert found.version == "atom10"
        return found

    return read
