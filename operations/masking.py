"""Blots out what looks like a secret in text that is shown, such as a command line or an address."""

import re
from collections.abc import Iterable, Sequence

MASK = "***"
# `name:password@` of an address.
_USER = re.compile(r"(?<=://)[^/\s@]+(?=@)")
# `--api-key X`, `--token=X`, `OPENAI_API_KEY=X`, `Authorization: Bearer X`, `?key=X`; the name stays.
_NAMED = re.compile(
    r"""(?P<name>[\w.-]*(?:key|token|secret|passw(?:or)?d|credential|authorization|auth|bearer)[\w.-]*)
        (?P<between>["']?\s*[=:]\s*["']?|\s+)
        (?:(?:Bearer|Basic|Token)\s+)?
        (?P<value>[^\s"'&]+)""",
    re.IGNORECASE | re.VERBOSE,
)
# Keys as services give them out: a known beginning, or a long run of letters and digits mixed.
_KEY_LIKE = re.compile(
    r"\b(?:sk|pk|rk|ghp|gho|ghs|hf|glpat|gsk|xai|xox[a-z]|AIza|AKIA|eyJ)[-_A-Za-z0-9.]{12,}"
    r"|(?<![\w/.-])(?=[A-Za-z_-]*\d)(?=[\d_-]*[A-Za-z])[A-Za-z0-9_-]{28,}(?![\w/.-])"
)
_SECRET_NAME = re.compile(r"key|token|secret|passw|credential|auth", re.IGNORECASE)
# Shorter values of secrets are words of any text.
_SHORTEST = 6


def masked(text: str, *, also: Iterable[str] = ()) -> str:
    """Return `text` with credentials blotted out, and each of the secrets `also` wherever it stands.

    It blots out too much rather than too little.
    """
    for secret in also:
        if len(secret) >= _SHORTEST:
            text = text.replace(secret, MASK)
    text = _USER.sub(MASK, text)
    text = _NAMED.sub(lambda match: f"{match['name']}{match['between']}{MASK}", text)
    return _KEY_LIKE.sub(MASK, text)


def masked_arguments(arguments: Sequence[str], *, also: Iterable[str] = ()) -> str:
    """Return a command line with credentials blotted out: `--api-key X`, `TOKEN=X`, whatever blanks X holds."""
    secrets = tuple(also)
    shown = []
    for before, argument in zip(["", *arguments], arguments, strict=False):
        name, equals, _value = argument.partition("=")
        if before.startswith("-") and "=" not in before and _SECRET_NAME.search(before):
            shown.append(MASK)
        elif equals and " " not in name and _SECRET_NAME.search(name):
            shown.append(f"{masked(name, also=secrets)}={MASK}")
        else:
            shown.append(masked(argument, also=secrets))
    return " ".join(shown)
