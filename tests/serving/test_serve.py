"""`serve` as one tree of processes."""

import random
import signal
import socket
import time

import httpx
import psutil
import pytest

from tests.serving.conftest import Site, eventually


def answers(site: Site) -> bool:
    try:
        return httpx.get(site.address, timeout=5).status_code < 500
    except httpx.HTTPError:
        return False


def nothing_left(site: Site) -> bool:
    return eventually(lambda: not site.processes())


def test_it_says_its_address_when_it_answers_and_term_ends_all_of_it(site):
    assert answers(site)
    assert len(site.processes()) > 5
    assert site.stop(signal.SIGTERM) == 0
    assert nothing_left(site)


def test_a_second_serve_on_the_same_data_names_the_first(site, make_site):
    second = make_site()
    output, _ = second.process.communicate(timeout=30)
    assert second.process.returncode == 3
    assert str(site.process.pid) in output
    assert answers(site)


def test_a_first_start_without_a_terminal_prints_no_password_but_says_what_to_do(make_site):
    site = make_site("--port", "0", "--first-start")
    said = next(line for line in site.process.stdout if "login" in line)
    assert "createsuperuser" in said
    assert site.wait_until_up().stop() == 0


def test_an_interrupt_before_it_serves_ends_it_without_a_traceback(tmp_path):
    site = Site(tmp_path)  # nothing is prepared here, so that preparing takes a while
    lock = tmp_path / "locks/serve.lock"
    assert eventually(lambda: lock.exists() and lock.read_text() != "")
    site.process.send_signal(signal.SIGINT)
    output, _ = site.process.communicate(timeout=30)
    assert site.process.returncode == -signal.SIGINT
    assert output == ""
    assert nothing_left(site)


def test_a_port_in_use_is_an_error_that_says_so(make_site):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        site = make_site("--port", str(taken.getsockname()[1]))
        output, _ = site.process.communicate(timeout=30)
    assert site.process.returncode == 1
    assert "in use" in output and "--port" in output
    assert nothing_left(site)


VICTIMS = {
    "serve": lambda site: psutil.Process(site.process.pid),
    "the web guard": lambda site: site.guard("gunicorn"),
    "the web server": lambda site: site.main("gunicorn"),
    "the workers' guard": lambda site: site.guard("qcluster"),
    "the cluster": lambda site: site.main("qcluster"),
    "the sentinel": lambda site: site.sentinel(),
}


@pytest.mark.slow
@pytest.mark.parametrize("victim", VICTIMS)
def test_the_death_of_a_part_ends_all_the_others_and_a_supervisor_can_start_it_again(victim, site, make_site):
    time.sleep(random.uniform(0, 1))
    VICTIMS[victim](site).kill()
    expected = -signal.SIGKILL if victim == "serve" else 1
    assert site.process.wait(40) == expected
    assert nothing_left(site)
    assert answers(make_site().wait_until_up())


@pytest.mark.slow
def test_a_web_process_that_dies_is_replaced(site):
    site.main("gunicorn").children()[0].kill()
    assert eventually(lambda: len(site.main("gunicorn").children()) == 2)
    assert all(answers(site) for _ in range(10))


@pytest.mark.slow
def test_a_worker_that_dies_keeps_nothing_from_ending(site):
    time.sleep(random.uniform(0, 1))
    random.choice(site.sentinel().children()).kill()
    time.sleep(random.uniform(0, 2))
    assert answers(site)
    assert site.stop() == 0
    assert nothing_left(site)


@pytest.mark.slow
@pytest.mark.parametrize("attempt", range(6))
def test_killed_while_it_starts_it_leaves_nothing(attempt, make_site):
    site = make_site()
    time.sleep(random.uniform(0.5, 4))
    site.process.kill()
    site.process.wait()
    assert nothing_left(site)


@pytest.mark.slow
def test_a_serve_and_its_guards_killed_together_are_cleared_away_by_the_next(site, make_site):
    guards = [site.guard("gunicorn"), site.guard("qcluster")]
    for process in (psutil.Process(site.process.pid), *guards):
        process.suspend()
    for process in (psutil.Process(site.process.pid), *guards):
        process.kill()
    site.process.wait()
    old = {process.pid for process in site.processes()}
    following = make_site().wait_until_up()
    assert not old & {process.pid for process in following.processes()}


def test_an_interrupt_ends_it_as_term_does(site):
    assert site.stop(signal.SIGINT) == 0
    assert nothing_left(site)
