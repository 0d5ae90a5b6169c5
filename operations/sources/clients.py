"""The clients of the sources, as the settings say."""

import time
from collections.abc import Callable

from django.conf import settings

from operations.http.client import PoliteClient
from operations.http.pace import RequestPace
from operations.http.patience import Patience
from papersite import __version__
from papersite.configuration import Configuration


def huggingface_client(
    *, patience: Patience | None = None, sleep: Callable[[float], None] = time.sleep
) -> PoliteClient:
    """Return a client for Hugging Face, with the usual patience where none is given.

    `sleep` waits between two attempts; what it raises ends them.
    """
    return _client(None, patience, sleep)


def arxiv_client(
    sleep: Callable[[float], None] = time.sleep,
    *,
    patience: Patience | None = None,
    give_up_after: float | None = None,
) -> PoliteClient:
    """Return a client for arXiv, which keeps one pace with every other process of this installation.

    `sleep` waits between two attempts; what it raises ends them. With `give_up_after` no request begins later than
    so many seconds from now: it fails with TurnTooLate.
    """
    configuration: Configuration = settings.PAPERSITE
    path = configuration.data_dir / "locks" / "arxiv.pace"
    pace = RequestPace(path, configuration.arxiv_interval, give_up_after=give_up_after)
    return _client(pace, patience, sleep)


def _client(
    pace: RequestPace | None, patience: Patience | None, sleep: Callable[[float], None] = time.sleep
) -> PoliteClient:
    configuration: Configuration = settings.PAPERSITE
    return PoliteClient(
        (configuration.hf_url, configuration.arxiv_api_url, configuration.arxiv_url),
        user_agent=_user_agent(configuration),
        # A Django setting, not one of the environment: only tests have a reason to be less patient.
        patience=patience or getattr(settings, "SOURCE_PATIENCE", Patience()),
        pace=pace,
        sleep=sleep,
    )


def _user_agent(configuration: Configuration) -> str:
    """Return who we are, with the site's own address where it has one, so that a source can say what disturbs it."""
    contact = f" (+{configuration.base_url})" if configuration.base_url else ""
    return f"Papersite/{__version__}{contact}"
