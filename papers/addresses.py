"""Addresses of this site as others need them: whole, with scheme and host."""

from functools import lru_cache
from urllib.parse import urlencode, urlsplit

from django.conf import settings
from django.http import HttpRequest
from django.urls import get_script_prefix, reverse


def site_root(request: HttpRequest) -> str:
    """Return scheme and host without a path: those of BASE_URL, else those that the reader used."""
    if settings.PAPERSITE.base_url:
        base = urlsplit(settings.PAPERSITE.base_url)
        return f"{base.scheme}://{base.netloc}"
    return f"{request.scheme}://{request.get_host()}"


def absolute(request: HttpRequest, path: str) -> str:
    """Return the whole address of a path of this site."""
    return site_root(request) + path


def paper_address(arxiv_id: str) -> str:
    """Return the page of a paper."""
    return _paper_address(arxiv_id, get_script_prefix())


@lru_cache(maxsize=4096)
def _paper_address(arxiv_id: str, _prefix: str) -> str:
    # A page names a dozen papers, and Django composes each address anew.
    return reverse("papers:paper", args=[arxiv_id])


def tag_address(tag: str) -> str:
    """Return the page of a tag, or a search for one that an address cannot hold as it is."""
    return _address("papers:tag", "tag", tag)


def author_address(name: str) -> str:
    """Return the page of an author, or a search for a name that an address cannot hold as it is."""
    return _address("papers:author", "author", name)


def _address(page: str, field: str, name: str) -> str:
    # Browsers take parts of a path called so for "here" and "above".
    if name and not {".", ".."} & set(name.split("/")):
        return reverse(page, args=[name])
    return reverse("papers:search") + "?" + urlencode({"q": f'{field}:"{name}"'})
