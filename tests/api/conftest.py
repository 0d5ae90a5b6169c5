"""Scripts with tokens, and people with sessions."""

from collections.abc import Callable

import pytest
from django.test import Client

from papersite.api_tokens import create_token
from papersite.models import TokenScope


@pytest.fixture
def script(db) -> Callable[[str], Client]:
    """Return a client that sends a new token with the scope that is named."""

    def make(scope: str) -> Client:
        _token, text = create_token(f"script to {scope}", TokenScope(scope), days=1, by=None)
        return Client(headers={"authorization": f"Bearer {text}"})

    return make
