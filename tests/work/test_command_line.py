"""How working commands are stopped, by people and by faults."""

import errno
import signal

import pytest
from django.core.management import CommandError
from django.db import OperationalError

from operations.command_line import working

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_whatever_stops_a_command_lets_it_put_its_things_in_order(data_dir, number):
    before = signal.getsignal(number)
    with pytest.raises(CommandError) as ended, working():
        signal.raise_signal(number)
    assert ended.value.returncode == 130
    assert signal.getsignal(number) is before


def test_under_nohup_the_end_of_the_terminal_stops_nothing(data_dir):
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with working():
            signal.raise_signal(signal.SIGHUP)
    finally:
        signal.signal(signal.SIGHUP, before)


@pytest.mark.parametrize(
    "fault", [OperationalError("database or disk is full"), OSError(errno.ENOSPC, "No space left on device")]
)
def test_a_full_disk_is_said_in_a_sentence(data_dir, fault):
    with pytest.raises(CommandError, match=r"(disk is full|No space left).* MB are free") as ended, working():
        raise fault
    assert ended.value.returncode == 1
