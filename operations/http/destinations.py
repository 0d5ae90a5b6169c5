"""Where requests may go: the configured hosts, also after a redirect."""

from collections.abc import Iterable

import httpx

from operations.http.errors import ForbiddenRedirect

_DEFAULT_PORTS = {"http": 80, "https": 443}


class Destinations:
    """The hosts of some configured addresses, each on its own port.

    An address without a port allows both http and https on their usual ports, since sources redirect from one to the
    other; an address with a port allows that one alone, so that a mirror on loopback opens no other local service.
    """

    def __init__(self, addresses: Iterable[str]) -> None:
        """Take the addresses of the settings."""
        self._allowed: set[tuple[str, int]] = set()
        for address in map(httpx.URL, addresses):
            ports = {address.port} if address.port else set(_DEFAULT_PORTS.values())
            self._allowed |= {(address.host, port) for port in ports}

    def check(self, url: httpx.URL) -> httpx.URL:
        """Return `url`.

        Raises:
            ForbiddenRedirect: it is not http or https, or its host and port are not configured.
        """
        port = url.port or _DEFAULT_PORTS.get(url.scheme)
        if url.scheme not in _DEFAULT_PORTS or (url.host, port) not in self._allowed:
            raise ForbiddenRedirect(f"{shown(url)} is not on a configured host")
        return url

    def after_redirect(self, url: httpx.URL, location: str) -> httpx.URL:
        """Return where a redirect leads, without any name and password in it.

        Raises:
            ForbiddenRedirect: it leads away from the configured hosts, or nowhere.
        """
        try:
            target = url.join(location).copy_with(userinfo=b"", fragment=None)
        except (httpx.InvalidURL, ValueError) as error:
            raise ForbiddenRedirect(f"{shown(url)} redirects to nowhere: {location[:200]!r}") from error
        return self.check(target)


def shown(url: httpx.URL) -> str:
    """Return the address for messages and logs, shortened, without a name and password."""
    return str(url.copy_with(userinfo=b""))[:300]
