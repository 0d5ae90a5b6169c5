"""Whether the model's server is the one to blame when the default agent ended badly."""

import httpx
from django.conf import settings

UNREACHABLE = "unreachable"
KEY_REFUSED = "key refused"
TIMEOUT = 10.0  # seconds for each of connecting and waiting; a list of models needs no thought


def llm_problem() -> str | None:
    """Return `UNREACHABLE` or `KEY_REFUSED` if the server at LLM_URL is out of reach or refuses the key, else None.

    Asked only for the default agent with an LLM_URL: of any other, nothing is known. Any other answer, an error too,
    says that the server is there.
    """
    configuration = settings.PAPERSITE
    if configuration.agent_command or not configuration.llm_url:
        return None
    key = configuration.llm_key.get_secret_value().strip() if configuration.llm_key else ""
    if not (key.isascii() and (key.isprintable())):
        return KEY_REFUSED  # no header can carry it
    return _ask(f"{configuration.llm_url}/models", {"Authorization": f"Bearer {key}"} if key else {})


def _ask(address: str, headers: dict[str, str]) -> str | None:
    try:
        with (
            httpx.Client(timeout=TIMEOUT, follow_redirects=False) as client,
            client.stream("GET", address, headers=headers) as answer,  # of the body nothing is read
        ):
            return KEY_REFUSED if answer.status_code in (401, 403) else None
    except (httpx.ConnectError, httpx.TimeoutException):
        return UNREACHABLE
    except (httpx.HTTPError, httpx.InvalidURL):
        return None
