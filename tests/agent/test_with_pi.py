"""The real pi against a replayed model: what each way the model behaves turns into."""

import json
import os
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from operations.agent.errors import AgentFailed, AgentTimeout
from operations.agent.installation import agent_state, configured_agent
from operations.agent.pi import Model, pi_command
from operations.agent.probe import llm_problem
from operations.agent.prompt import summary_request
from operations.agent.runner import AgentRun, run_agent
from operations.agent.tools import Pi, Places

pytestmark = pytest.mark.pi

PAPER = ("2506.01939", "Beyond the 80/20 Rule", ["A. Author"], "We study entropy of tokens. " * 300)
KEY = "sk-replayed-0123456789"
# Where an old pi may be found to be tried beside the current one.
OLD_PI = os.environ.get("OLD_PI_FOLDER", "")


class Replay:
    """The replayed world: its address, and faults on request."""

    def __init__(self, address: str) -> None:
        self.address = address

    def spoil(self, **fault: object) -> None:
        self._send("POST", "/_faults", [{"match": "/llm", **fault}])

    def clear(self) -> None:
        self._send("DELETE", "/_faults")
        self._send("DELETE", "/_log")

    def requests(self) -> list[dict[str, object]]:
        return [entry for entry in self._send("GET", "/_log") if entry["path"].startswith("/llm")]

    def _send(self, method: str, path: str, body: object = None) -> list[dict]:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.address + path, data, method=method)
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.loads(answer.read())


@pytest.fixture(scope="module")
def started_replay(recorded: Path) -> Iterator[Replay]:
    program = recorded.parent / "tools" / "replay" / "replay.py"
    command = [sys.executable, str(program), "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        yield Replay(process.stdout.readline().split()[0])
        process.kill()


@pytest.fixture
def replay(started_replay: Replay) -> Replay:
    started_replay.clear()
    return started_replay


def known_pis() -> list[Pi | None]:
    old = Places(tools=Path(os.devnull), path=f"{OLD_PI}:{os.environ['PATH']}").find_pi() if OLD_PI else None
    return [Places().find_pi(), old]


@pytest.fixture(params=["installed", "old"])
def pi(request: pytest.FixtureRequest) -> Pi:
    found = known_pis()[request.param == "old"]
    if found is None or not found.is_usable:
        pytest.skip("needs pi: python -m operations.agent.install (an old one: OLD_PI_FOLDER)")
    return found


Ask = Callable[..., AgentRun]


@pytest.fixture
def ask(pi: Pi, replay: Replay, tmp_path: Path) -> Ask:
    model = Model("", "replay", f"{replay.address}/llm/v1", KEY)

    def run(timeout: float = 90) -> AgentRun:
        command = pi_command(pi, model, tmp_path / "agent")
        return run_agent(command, summary_request(*PAPER).sent, timeout=timeout, folder=tmp_path / "tmp")

    return run


def is_new(pi: Pi) -> bool:
    return pi.version >= (1, 0, 0)


def test_a_good_answer_arrives_as_one_json_object(ask: Ask, replay: Replay, tmp_path: Path):
    run = ask()
    assert json.loads(run.stdout)["title_zh"]
    [request] = replay.requests()
    assert (request["paper"], request["authorization"]) == (PAPER[0], True)
    print(f"{run.seconds:.2f} s, of which the model {request['end'] - request['start']:.2f}")


def test_the_key_stands_in_no_file(ask: Ask, tmp_path: Path):
    ask()
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert written
    assert not [path for path in written if KEY.encode() in path.read_bytes()]
    assert list((tmp_path / "tmp").iterdir()) == []


@pytest.mark.slow
def test_a_slow_answer_is_waited_for(ask: Ask, replay: Replay):
    replay.spoil(mode="slow")
    assert json.loads(ask().stdout)["title_zh"]


def test_an_empty_answer_is_blank(ask: Ask, replay: Replay):
    replay.spoil(mode="empty")
    assert ask().stdout.strip() == ""


@pytest.mark.parametrize("status", [401, 404])
def test_a_refusal_is_a_failure_soon(ask: Ask, replay: Replay, status: int):
    replay.spoil(status=status)
    began = time.monotonic()
    with pytest.raises(AgentFailed, match=str(status)) as failed:
        ask()
    assert failed.value.exit_code == 1
    assert KEY not in str(failed.value)
    assert time.monotonic() - began < 30


@pytest.mark.slow
def test_errors_of_the_server_are_a_failure_after_a_few_tries(ask: Ask, replay: Replay):
    replay.spoil(mode="error")
    with pytest.raises(AgentFailed):
        ask()
    assert 2 <= len(replay.requests()) <= 12


@pytest.mark.parametrize("mode", ["hang", "hangmid"])
def test_a_model_that_hangs_is_a_timeout(ask: Ask, replay: Replay, mode: str):
    replay.spoil(mode=mode)
    with pytest.raises(AgentTimeout):
        ask(timeout=6)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["closemid", "length"])
def test_a_cut_answer_is_never_taken_for_a_whole_one(ask: Ask, replay: Replay, pi: Pi, mode: str):
    replay.spoil(mode=mode)
    if is_new(pi):
        with pytest.raises(AgentFailed):
            ask()
        return
    with pytest.raises(json.JSONDecodeError):  # the old one ends with 0 and hands on the part it got
        json.loads(ask().stdout)


def test_an_installation_that_is_set_up_says_so_and_works(replay: Replay, data_dir: Path, settings):
    if not (known_pis()[0] or Pi((), None)).is_usable:
        pytest.skip("needs pi: python -m operations.agent.install")
    update = {"llm_url": f"{replay.address}/llm/v1", "llm_model": "replay"}
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=update)
    assert agent_state().ok
    assert llm_problem() is None
    run = run_agent(configured_agent(), summary_request(*PAPER).sent, timeout=90)
    assert json.loads(run.stdout)["title_zh"]
