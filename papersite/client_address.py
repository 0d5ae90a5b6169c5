"""Where a request comes from, as far as that can be believed."""

from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address

from django.conf import settings
from django.http import HttpRequest

# One house or one rented machine is given all addresses that share so many bits (RFC 6177).
_ONE_CUSTOMER = 64


def client_address(request: HttpRequest) -> str | None:
    """Return the IP address of the client, or None where there is none (a Unix socket without a proxy).

    Behind PROXY_COUNT proxies it is what the outermost of them wrote into X-Forwarded-For: the entry so many places
    from the right. What stands further left was sent by the client, and without proxies all of it, so it is not read.
    """
    address = _forwarded(request, settings.PAPERSITE.proxy_count) or _parsed(request.META.get("REMOTE_ADDR", ""))
    return str(address) if address else None


def throttled_address(request: HttpRequest) -> str | None:
    """Return the address by which attempts are counted: of IPv6 the network that one customer has to himself."""
    address = client_address(request)
    if address is None or ":" not in address:
        return address
    return str(IPv6Network((address, _ONE_CUSTOMER), strict=False).network_address)


def _forwarded(request: HttpRequest, proxies: int) -> IPv4Address | IPv6Address | None:
    entries = request.META.get("HTTP_X_FORWARDED_FOR", "").split(",")
    if not proxies or len(entries) < proxies:
        return None
    return _parsed(entries[-proxies])


def _parsed(text: str) -> IPv4Address | IPv6Address | None:
    try:
        address = ip_address(_without_port(text.strip()))
    except ValueError:
        return None
    if isinstance(address, IPv6Address):
        # A zone (`%eth0`) means something on one machine alone.
        return address.ipv4_mapped or IPv6Address(int(address))
    return address


def _without_port(text: str) -> str:
    """Take the port off `192.0.2.1:5000` and `[2001:db8::1]:5000`, as some proxies write."""
    if text.startswith("["):
        return text[1:].partition("]")[0]
    return text.partition(":")[0] if text.count(":") == 1 else text
