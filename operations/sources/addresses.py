"""Links that people typed in: code repositories and project pages."""

import re
from urllib.parse import SplitResult, urlsplit

_LONGEST = 2000
_NAME = re.compile(r"[A-Za-z0-9_.\-]{1,100}", re.ASCII)
_GITHUB = "github.com"
# First parts of GitHub addresses that are no owners.
_NO_OWNERS = frozenset({"orgs", "topics", "features", "search", "sponsors", "collections", "settings", "marketplace"})
_HUGGINGFACE = "huggingface.co"
_HUGGINGFACE_KINDS = frozenset({"datasets", "spaces"})
_HUGGINGFACE_NO_OWNERS = frozenset({"papers", "collections", "blog", "docs", "organizations", "models", "posts"})
_OTHER_HOSTS = frozenset({"gitlab.com", "bitbucket.org", "codeberg.org", "gitee.com"})
_KNOWN_HOSTS = _OTHER_HOSTS | {_GITHUB, _HUGGINGFACE}


def web_address(text: str) -> str | None:
    """Return an http or https address as it was typed, without blanks round it; None for anything else."""
    text = text.strip()
    parts = _split(text)
    if parts is None or re.search(r"[\s\x00-\x1f\x7f\"<>\\^`{|}\ud800-\udfff]", text):
        return None
    return text


def repository_address(text: str) -> str | None:
    """Return the address of a code repository, without what leads into it; None where no repository is named.

    `https://github.com/owner/repo` whatever follows (`.git`, `/tree/main`, `?tab=…`), and the repositories of a few
    other well-known hosts.
    """
    text = re.sub(r"\s+", "", text)
    text = re.sub(r"^(?:git@|ssh://git@)([a-z.]+)[:/]", r"https://\1/", text, flags=re.ASCII)
    if re.match(rf"(?:www\.)?(?:{'|'.join(map(re.escape, sorted(_KNOWN_HOSTS)))})/", text, re.I):
        text = f"https://{text}"
    parts = _split(text)
    if parts is None or parts.port is not None:
        return None
    host = (parts.hostname or "").removeprefix("www.")
    path = _repository_path(host, [part for part in parts.path.split("/") if part])
    return f"https://{host}/{path}" if path else None


def _split(text: str) -> SplitResult | None:
    """Return the parts of an http or https address that names a host and carries no name or password."""
    if len(text) > _LONGEST:
        return None
    try:
        parts = urlsplit(text)
        _ = parts.port  # raises where it is no number
    except ValueError:
        return None
    named = parts.scheme in ("http", "https") and parts.hostname and "@" not in parts.netloc
    return parts if named else None


def _repository_path(host: str, names: list[str]) -> str | None:
    if host == _GITHUB:
        return None if names and names[0].lower() in _NO_OWNERS else _joined(names[:2], 2)
    if host == _HUGGINGFACE:
        return _huggingface_path(names)
    if host in _OTHER_HOSTS:
        # GitLab's groups nest, and "-" parts a repository from its pages.
        names = names[: names.index("-")] if "-" in names else names[:2]
        return _joined(names, 2)
    return None


def _huggingface_path(names: list[str]) -> str | None:
    if not names or names[0].lower() in _HUGGINGFACE_NO_OWNERS:
        return None
    count = 3 if names[0] in _HUGGINGFACE_KINDS else 2
    return _joined(names[:count], count)


def _joined(names: list[str], least: int) -> str | None:
    if len(names) < least:
        return None
    names = [*names[:-1], names[-1].removesuffix(".git")]
    plain = all(_NAME.fullmatch(name) and name.strip(".") for name in names)
    return "/".join(names) if plain else None
