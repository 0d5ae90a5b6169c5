"""Pieces of `serve`: heartbeat, output, port, static files, first start."""

import argparse
import datetime as dt
import io
import os

import pytest
from django.contrib.auth import authenticate
from django.test import RequestFactory
from django.utils import timezone
from django_q.models import OrmQ

from operations.models import Heartbeat
from operations.serving import heartbeat, output, static_files
from operations.serving.first_start import make_login, request_first_crawl
from operations.serving.heartbeat import HeartbeatWatch
from operations.serving.listening import PortTaken, listen, port_number, site_address
from operations.serving.lock import AlreadyServing, serving_alone
from operations.serving.output import Output
from tests.factories import make_paper


@pytest.fixture
def clock(monkeypatch):
    """The monotonic clock, moved by hand."""
    now = [1000.0]
    monkeypatch.setattr(heartbeat.time, "monotonic", lambda: now[0])
    monkeypatch.setattr(heartbeat.connection, "close", lambda: None)
    return now


def beat(moment: dt.datetime) -> None:
    Heartbeat.objects.update_or_create(name="worker", defaults={"beat_at": moment})


@pytest.mark.django_db
def test_a_heartbeat_that_moves_is_not_silent(clock):
    watch = HeartbeatWatch("worker", patience=300)
    for minute in range(20):
        beat(timezone.now() + dt.timedelta(minutes=minute))
        clock[0] += 60
        assert not watch.is_silent()


@pytest.mark.django_db
def test_a_heartbeat_that_stands_still_is_silent_after_the_patience_and_not_again_at_once(clock):
    beat(timezone.now())
    watch = HeartbeatWatch("worker", patience=300)
    assert not watch.is_silent()
    clock[0] += 299
    assert not watch.is_silent()
    clock[0] += 2
    assert watch.is_silent()
    watch.begin_again()
    assert not watch.is_silent()


@pytest.mark.django_db
@pytest.mark.parametrize("moment", [dt.datetime(1999, 1, 1, tzinfo=dt.UTC), dt.datetime(2199, 1, 1, tzinfo=dt.UTC)])
def test_a_wall_clock_put_wrong_makes_no_heartbeat_silent(clock, moment):
    watch = HeartbeatWatch("worker", patience=300)
    beat(moment)
    clock[0] += 290
    assert not watch.is_silent()
    clock[0] += 290
    assert not watch.is_silent()


def test_output_goes_to_a_file_whatever_its_bytes(tmp_path):
    log = Output(tmp_path / "logs" / "web.log")
    log.follow(io.BytesIO(b"one\n\xff\xfe two\r\nthree"))
    assert log.last_lines() == ["one", "�� two", "three"]
    assert (tmp_path / "logs/web.log").read_text("utf-8").splitlines() == log.last_lines()


def test_a_log_file_that_is_full_is_put_aside(tmp_path, monkeypatch):
    monkeypatch.setattr(output, "MAX_BYTES", 100)
    log = Output(tmp_path / "web.log")
    for number in range(200):
        log.write(f"line {number}")
    assert len(list(tmp_path.iterdir())) == output.KEPT_FILES + 1
    assert all(path.stat().st_size <= 100 for path in tmp_path.iterdir())


def test_the_address_of_a_site_on_all_interfaces_can_be_opened():
    with listen("0.0.0.0", 0) as listener:
        assert site_address(listener) == f"http://127.0.0.1:{listener.getsockname()[1]}/"


@pytest.mark.parametrize(("host", "port"), [("no-such-host.invalid", 0), ("203.0.113.1", 0)])
def test_an_address_that_cannot_be_listened_on_is_refused_in_words(host, port):
    with pytest.raises(PortTaken, match="cannot listen on"):
        listen(host, port)


@pytest.mark.parametrize("text", ["70000", "-1", "http", "", "8000.0"])
def test_a_port_that_is_none_is_wrong_use(text):
    with pytest.raises(argparse.ArgumentTypeError, match="not a port"):
        port_number(text)


def test_the_lock_of_the_data_is_free_again_after_its_holder(tmp_path):
    with serving_alone(tmp_path), pytest.raises(AlreadyServing, match=str(os.getpid())), serving_alone(tmp_path):
        pass
    with serving_alone(tmp_path):
        pass


def test_static_files_are_collected_once_and_again_when_one_changes(tmp_path, settings):
    source = tmp_path / "source"
    source.mkdir()
    (source / "page.css").write_text("p { color: red }")
    settings.STATICFILES_DIRS, settings.STATIC_ROOT = [source], tmp_path / "static"
    settings.STATICFILES_FINDERS = ["django.contrib.staticfiles.finders.FileSystemFinder"]
    assert static_files.collect_static() is True
    assert static_files.collect_static() is False
    (source / "page.css").write_text("p { color: darkgreen }")
    assert static_files.collect_static() is True
    assert "darkgreen" in (tmp_path / "static/page.css").read_text()


@pytest.mark.django_db
def test_the_first_start_makes_one_login_that_works():
    login = make_login()
    assert login
    user = authenticate(RequestFactory().post("/admin/login/"), username=login.name, password=login.password)
    assert user and user.is_superuser
    assert make_login() is None


@pytest.mark.django_db
def test_the_first_crawl_is_asked_for_only_where_there_is_no_paper():
    assert request_first_crawl() is True
    assert OrmQ.objects.count() == 1
    make_paper()
    assert request_first_crawl() is False
