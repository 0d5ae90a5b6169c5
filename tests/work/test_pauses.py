"""How the queue pauses and goes on."""

import datetime as dt

import pytest
from django.utils import timezone

from operations.models import QueuePause
from operations.pauses import LONGEST, SHORTEST, Cause, active_pauses, clear, end_all, pause

pytestmark = pytest.mark.django_db


def end_pause():
    QueuePause.objects.update(until=timezone.now() - dt.timedelta(seconds=1))


def length() -> dt.timedelta:
    return QueuePause.objects.get().until - timezone.now()


def test_each_pause_is_twice_as_long_up_to_an_hour():
    minutes = []
    for _ in range(9):
        pause(Cause.ARXIV, "503")
        minutes.append(round(length() / SHORTEST))
        end_pause()
    assert minutes == [1, 2, 4, 8, 16, 32, 60, 60, 60]
    assert dt.timedelta(minutes=60) == LONGEST


def test_workers_that_meet_the_same_trouble_do_not_lengthen_the_pause():
    for _ in range(5):
        pause(Cause.ARXIV, "503")
    assert length() <= SHORTEST
    assert QueuePause.objects.get().times == 1


def test_a_pause_says_what_was_met_last():
    pause(Cause.MODEL, "unreachable"), pause(Cause.MODEL, "key refused")
    assert QueuePause.objects.get().message == "key refused"


def test_a_pause_is_over_when_its_time_is_or_its_cause_works_again():
    pause(Cause.ARXIV, "503"), pause(Cause.MODEL, "key refused")
    assert {row.cause for row in active_pauses()} == {"arxiv", "model"}
    clear(Cause.ARXIV)
    assert [row.cause for row in active_pauses()] == ["model"]
    end_pause()
    assert active_pauses() == []


def test_a_pause_that_was_ended_begins_short_again():
    pause(Cause.ARXIV, "503"), end_pause(), pause(Cause.ARXIV, "503")
    clear(Cause.ARXIV)
    pause(Cause.ARXIV, "503")
    assert length() <= SHORTEST


def test_the_message_is_bounded():
    pause(Cause.ARXIV, "x" * 100_000)
    assert len(QueuePause.objects.get().message) < 5000


def test_all_pauses_can_be_ended_by_hand():
    pause(Cause.ARXIV, "503"), pause(Cause.AGENT, "missing")
    end_pause()
    assert end_all() == ["agent", "arxiv"]
    assert not QueuePause.objects.exists()
    assert end_all() == []
