"""Where a request comes from, and what a forged header changes: nothing."""

import pytest
from django.test import RequestFactory

from papersite.client_address import client_address, throttled_address

PEER = "192.0.2.1"


def came_from(settings, proxies: int, peer: str = PEER, forwarded: str | None = None):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"proxy_count": proxies})
    headers = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    return RequestFactory().get("/", REMOTE_ADDR=peer, **headers)


@pytest.mark.parametrize("forwarded", [None, "", "203.0.113.9", "203.0.113.9, 203.0.113.8", "localhost", "'; --"])
def test_without_a_proxy_no_header_counts(settings, forwarded):
    assert client_address(came_from(settings, 0, forwarded=forwarded)) == PEER


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.1, 203.0.113.9", "203.0.113.9"),  # what the client sent stands to the left
        (1, "127.0.0.1,203.0.113.9", "203.0.113.9"),
        (2, "198.51.100.1, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
        (2, "203.0.113.9", PEER),  # it came past one of the proxies
        (1, None, PEER),
        (1, "", PEER),
        (1, "unknown", PEER),
        (1, "203.0.113.9, ", PEER),
        (1, "203.0.113.9:50123", "203.0.113.9"),
        (1, "[2001:db8::7]:443", "2001:db8::7"),
        (1, "2001:DB8:0::7", "2001:db8::7"),
        (1, "::ffff:203.0.113.9", "203.0.113.9"),
        (1, "fe80::1%eth0", "fe80::1"),
        (1, "1" * 10_000, PEER),
    ],
)
def test_behind_proxies_the_outermost_of_them_says_it(settings, proxies, forwarded, address):
    assert client_address(came_from(settings, proxies, forwarded=forwarded)) == address


def test_a_socket_has_no_address(settings):
    assert client_address(came_from(settings, 0, peer="")) is None
    assert throttled_address(came_from(settings, 0, peer="")) is None


@pytest.mark.parametrize(
    ("peer", "counted"),
    [
        (PEER, PEER),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2:ffff::", "2001:db8:1:2::"),
        ("::ffff:192.0.2.1", PEER),
    ],
)
def test_one_who_has_a_whole_network_of_addresses_is_counted_as_one(settings, peer, counted):
    assert throttled_address(came_from(settings, 0, peer=peer)) == counted
