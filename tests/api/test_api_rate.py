"""Calls a minute: counted exactly over threads and processes, in a file of fixed size."""

import multiprocessing
import threading

import pytest
from django.test import Client

from papersite import shared_counts
from papersite.api_rate import FILE_NAME
from papersite.shared_counts import SharedCounts


@pytest.fixture
def clock(monkeypatch):
    """The time, in seconds; it begins with a minute."""

    class Clock:
        now = 1_800_000_000.0

        def __call__(self) -> float:
            return self.now

    clock = Clock()
    monkeypatch.setattr(shared_counts.time, "time", clock)
    return clock


@pytest.fixture
def counts(tmp_path):
    return SharedCounts(tmp_path / "counts", "secret")


@pytest.fixture
def rate(settings, data_dir):
    """Set the calls a minute."""

    def set_rate(calls: int) -> None:
        settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"api_rate": calls})

    return set_rate


# ---------------------------------------------------------------- counting


def test_so_many_calls_a_minute_and_no_more(counts, clock):
    clock.now += 10
    assert [counts.seconds_to_wait("one", 3) for _ in range(4)] == [0, 0, 0, 51]
    assert counts.seconds_to_wait("another", 3) == 0


@pytest.mark.parametrize("limit", [1, 2, 7, 300])
@pytest.mark.parametrize("start", [0, 1, 29.5, 59.99])
@pytest.mark.parametrize("later", [0, 30.25, 58])
def test_whoever_waits_as_told_is_heard(counts, clock, limit, start, later):
    clock.now += start
    counts.seconds_to_wait("one", limit)
    clock.now += later
    while not (seconds := counts.seconds_to_wait("one", limit)):
        pass
    assert 0 < seconds <= 120
    clock.now += seconds
    assert counts.seconds_to_wait("one", limit) == 0


def test_no_minute_anywhere_has_more_than_the_limit_by_much(counts, clock):
    heard = []
    for _ in range(3000):  # ten times as many as are allowed, without a pause
        if counts.seconds_to_wait("one", 60) == 0:
            heard.append(clock.now)
        clock.now += 0.1
    for start in heard:
        assert sum(start <= moment < start + 60 for moment in heard) <= 62
    assert len(heard) >= 290  # and all that are allowed are heard: 60 a minute, five minutes


def test_calls_that_were_refused_make_it_no_longer(counts, clock):
    for _ in range(100):
        counts.seconds_to_wait("one", 5)
    clock.now += 60.1
    assert counts.seconds_to_wait("one", 5) == 0


def test_after_a_quiet_minute_nothing_counts(counts, clock):
    for _ in range(5):
        counts.seconds_to_wait("one", 5)
    clock.now += 121
    assert [counts.seconds_to_wait("one", 5) for _ in range(6)][:5] == [0] * 5


def test_a_clock_that_was_put_back_locks_nobody_out(counts, clock):
    for _ in range(5):
        counts.seconds_to_wait("one", 5)
    clock.now -= 10_000
    assert counts.seconds_to_wait("one", 5) == 0


def test_any_number_of_names_takes_the_same_room(tmp_path, counts, clock):
    for number in range(60_000):
        counts.seconds_to_wait(f"address {number}", 5)
    assert (tmp_path / "counts").stat().st_size <= 800_000


def test_in_a_crowd_who_calls_most_is_forgotten_last(counts, clock):
    for _ in range(5):
        counts.seconds_to_wait("greedy", 5)
    for number in range(20_000):
        counts.seconds_to_wait(f"address {number}", 5)
    assert counts.seconds_to_wait("greedy", 5) > 0


def test_a_damaged_file_is_no_fault(tmp_path, clock):
    (tmp_path / "counts").write_bytes(b"\xff" * 800_000)
    damaged = SharedCounts(tmp_path / "counts", "secret")
    assert [damaged.seconds_to_wait("one", 2) for _ in range(3)] == [0, 0, 61]


def _call(path, calls: int, limit: int, heard) -> None:
    counts = SharedCounts(path, "secret")

    def of_a_thread() -> None:
        for _ in range(calls):
            if counts.seconds_to_wait("one", limit) == 0:
                with heard.get_lock():
                    heard.value += 1

    threads = [threading.Thread(target=of_a_thread) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_processes_and_threads_count_together(tmp_path, clock):
    forked = multiprocessing.get_context("fork")  # with the clock that stands still
    heard = forked.Value("i", 0)
    processes = [forked.Process(target=_call, args=(tmp_path / "counts", 200, 1000, heard)) for _ in range(3)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert heard.value == 1000  # of 2,400


# ---------------------------------------------------------------- answers


def test_too_many_calls_are_told_when_to_come_back(client, db, rate, clock):
    rate(2)
    answers = [client.get("/api/v1/papers") for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    last = answers[2]
    assert last.json() == {"detail": last.json()["detail"], "code": "too_many_requests"}
    assert "61 seconds" in last.json()["detail"]
    assert (last.headers["Retry-After"], last.headers["Cache-Control"]) == ("61", "no-store")
    assert client.head("/api/v1/papers").status_code == 429


def test_nothing_is_counted_without_a_limit_nor_of_pages(client, db, rate, data_dir):
    rate(0)
    assert {client.get("/api/v1/papers").status_code for _ in range(5)} == {200}
    rate(1)
    assert {client.get("/status/").status_code for _ in range(3)} == {200}
    assert not (data_dir / FILE_NAME).exists()


def test_an_address_is_that_which_is_believed(db, rate, clock, settings):
    rate(1)
    statuses = [
        Client(headers={"x-forwarded-for": f"192.0.2.{number}"}).get("/api/v1/papers").status_code for number in (1, 2)
    ]
    assert statuses == [200, 429]  # without a proxy nothing of it is read
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"proxy_count": 1})
    for forwarded, status in (("192.0.2.1", 200), ("192.0.2.2", 200), ("8.8.8.8, 192.0.2.2", 429)):
        assert Client(headers={"x-forwarded-for": forwarded}).get("/api/v1/papers").status_code == status
    for forwarded, status in (("2001:db8::1", 200), ("2001:db8::2", 429), ("2001:db8:0:1::1", 200)):
        assert Client(headers={"x-forwarded-for": forwarded}).get("/api/v1/papers").status_code == status


def test_each_token_has_its_own_count_and_a_wrong_one_that_of_its_address(client, script, rate, clock):
    rate(1)
    assert client.get("/api/v1/papers").status_code == 200
    for own in (script("read"), script("personal")):
        assert [own.get("/api/v1/papers").status_code for _ in range(2)] == [200, 429]
    for wrong in ("a", "b"):
        assert client.get("/api/v1/papers", headers={"authorization": f"Bearer {wrong}"}).status_code == 429


def test_a_call_writes_nothing_to_the_database(client, script, rate, django_assert_num_queries):
    rate(1000)
    own = script("read")
    own.get("/api/v1/nothing")
    with django_assert_num_queries(1):  # the token
        own.get("/api/v1/nothing")
    with django_assert_num_queries(0):
        client.get("/api/v1/nothing")


def test_where_nothing_can_be_counted_calls_are_answered(client, db, rate, data_dir):
    (data_dir / FILE_NAME).mkdir()
    rate(1)
    assert {client.get("/api/v1/papers").status_code for _ in range(3)} == {200}
