"""Owners other than this process, as they stand in the `owner` columns: dead ones, and one that cannot be looked at."""

from operations import owners


def _here() -> owners.Owner:
    here = owners.parse(owners.current_owner())
    assert here
    return here


def that_died() -> str:
    """Return a process of this machine that is gone: this one's number, begun earlier."""
    here = _here()
    return str(owners.Owner(here.host, here.pid, here.start - 1, here.boot, here.namespace))


def of_another_boot() -> str:
    """Return a process from before the machine was started anew."""
    here = _here()
    return str(owners.Owner("old-host", 4242, here.start, "another-boot", here.namespace))


def in_another_container() -> str:
    """Return a process that nobody here can look at."""
    return str(owners.Owner("other", 999_999, 1, _here().boot, "1"))
