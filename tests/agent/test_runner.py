"""What an agent gives, what it gets, and how each way to fail is told."""

import os
import stat
import sys
import time
from pathlib import Path

import pytest

from operations.agent.command import AgentCommand
from operations.agent.errors import AgentFailed, AgentNotInstalled, AgentOutputTooLarge, AgentTimeout
from operations.agent.runner import run_agent

from .conftest import agent

ECHO = "import sys; sys.stdout.buffer.write(sys.stdin.buffer.read())"


def test_the_prompt_goes_in_and_the_answer_comes_out(folder: Path):
    run = run_agent(agent(ECHO, "sys.stderr.write('一些话')"), "问：what？", timeout=30, folder=folder)
    assert (run.exit_code, run.stdout, run.stderr) == (0, "问：what？", "一些话")
    assert 0 < run.seconds < 30


def test_a_prompt_of_two_megabytes_arrives_whole():
    prompt = "数学 $x$\n" * 200_000
    count = "import sys; data = sys.stdin.buffer.read(); print(len(data), data == data.strip() + b'\\n')"
    assert run_agent(agent(count), prompt, timeout=30).stdout.split() == [str(len(prompt.encode())), "True"]


def test_lone_surrogates_in_a_prompt_do_no_harm():
    assert run_agent(agent(ECHO), "a\ud800b", timeout=30).stdout == "a?b"


def test_an_agent_that_never_reads_its_input_can_answer():
    assert run_agent(agent("print('no questions')"), "x" * 2_000_000, timeout=30).stdout == "no questions\n"


def test_an_agent_may_say_nothing():
    assert run_agent(agent("pass"), "", timeout=30).stdout == ""


def test_bytes_that_are_no_utf8_are_replaced():
    assert run_agent(agent(r"import os; os.write(1, b'a\xff\xe4\xb8')"), "", timeout=30).stdout == "a\ufffd\ufffd"


def test_it_works_in_an_empty_folder_that_is_removed(folder: Path):
    look = "import os; print(os.getcwd(), os.listdir(), os.environ['TMPDIR'] == os.getcwd()); open('left', 'w'); os.mkdir('locked', 0)"
    work, listing, temporary = run_agent(agent(look), "", timeout=30, folder=folder).stdout.split()
    assert Path(work).parent == folder
    assert (listing, temporary) == ("[]", "True")
    assert list(folder.iterdir()) == []


def test_folders_of_killed_runs_are_removed_in_time(data_dir: Path):
    old, new = data_dir / "tmp" / "agent-old", data_dir / "tmp" / "agent-new"
    for folder in (old, new, data_dir / "tmp" / "2406.01234"):
        folder.mkdir(parents=True)
    (old / "file").touch()
    os.utime(old, (1, 1))
    run_agent(agent("pass"), "", timeout=30)
    assert sorted(path.name for path in (data_dir / "tmp").iterdir()) == ["2406.01234", "agent-new"]


def test_it_gets_no_more_of_the_environment_than_it_needs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PAPERSITE_SECRET_KEY", "not for agents")
    monkeypatch.setenv("AWS_SECRET_ACCESS_KEY", "nor this")
    show = agent("import os; print(sorted(os.environ))")
    command = AgentCommand(show.arguments, {"OWN": "1"})
    names = run_agent(command, "", timeout=30).stdout
    assert "'OWN'" in names
    assert "'PATH'" in names
    assert "SECRET" not in names


def test_a_key_is_neither_shown_nor_passed_on_in_what_the_agent_says():
    key = "sk-0123456789abcdef"
    command = AgentCommand(
        agent("import os, sys; print(os.environ['KEY']); sys.stderr.write(os.environ['KEY']); sys.exit(1)").arguments,
        {"KEY": key},
        secrets=(key,),
    )
    assert key not in repr(command)
    with pytest.raises(AgentFailed) as failed:
        run_agent(command, "", timeout=30)
    assert failed.value.stdout == "***\n"
    assert "***" in str(failed.value)


def test_a_placeholder_for_a_key_is_no_secret():
    command = AgentCommand(agent("print('none of these')").arguments, secrets=("none",))
    assert run_agent(command, "", timeout=30).stdout == "none of these\n"


def test_an_exit_code_is_a_failure_with_the_reason_and_the_output():
    with pytest.raises(AgentFailed, match="exit code 3: boom") as failed:
        run_agent(
            agent("import sys; print('half', flush=True); print('boom', file=sys.stderr); sys.exit(3)"), "", timeout=30
        )
    assert (failed.value.exit_code, failed.value.stdout, failed.value.stderr) == (3, "half\n", "boom\n")


def test_death_by_a_signal_is_a_failure():
    with pytest.raises(AgentFailed) as failed:
        run_agent(agent("import os; os.kill(os.getpid(), 9)"), "", timeout=30)
    assert failed.value.exit_code == 128 + 9


def test_time_over_is_told_with_what_was_written_so_far():
    began = time.monotonic()
    with pytest.raises(AgentTimeout, match=r"0\.5 seconds") as over:
        run_agent(agent(r"import os, time; os.write(1, '半'.encode() + b'\xe4\xb8'); time.sleep(600)"), "", timeout=0.5)
    assert over.value.stdout == "半"
    assert time.monotonic() - began < 30


@pytest.mark.parametrize("stream", [1, 2])
def test_too_much_output_is_stopped_at_the_limit(stream: int):
    with pytest.raises(AgentOutputTooLarge, match="1,000 bytes") as flood:
        run_agent(
            agent(f"import os\nwhile True: os.write({stream}, '好'.encode() * 1000)"), "", timeout=30, output_limit=1000
        )
    assert (flood.value.stdout or flood.value.stderr) == "好" * 333


def test_output_of_just_the_limit_is_accepted():
    assert len(run_agent(agent("print('x' * 999)"), "", timeout=30, output_limit=1000).stdout) == 1000
    with pytest.raises(AgentOutputTooLarge):
        run_agent(agent("print('x' * 1000)"), "", timeout=30, output_limit=1000)


@pytest.mark.parametrize(
    ("content", "mode"),
    [
        (None, 0),
        ("#!/bin/sh\n", 0o644),
        ("#!/no/such/interpreter\n", 0o755),
        ("#!/usr/bin/env no-such-interpreter\n", 0o755),
        ("#! /bin/true\0\n", 0o755),
        ("plain text", 0o755),
    ],
)
def test_what_cannot_be_started_is_not_installed(content: str | None, mode: int, tmp_path: Path):
    program = tmp_path / "agent"
    if content is not None:
        program.write_text(content)
        program.chmod(mode)
    with pytest.raises(AgentNotInstalled, match="not installed"):
        run_agent(AgentCommand((str(program),)), "", timeout=30)


def test_a_missing_command_and_an_empty_one_are_not_installed():
    with pytest.raises(AgentNotInstalled, match="no-such-program"):
        run_agent(AgentCommand(("no-such-program",)), "", timeout=30)
    with pytest.raises(AgentNotInstalled, match="empty"):
        run_agent(AgentCommand(()), "", timeout=30)


def test_a_script_on_the_path_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    script = tmp_path / "my-agent"
    script.write_text("#!/usr/bin/env sh\necho $0 $1\n")
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    assert run_agent(AgentCommand(("my-agent", "a b")), "", timeout=30).stdout == f"{script} a b\n"


def test_ticks_come_while_it_runs():
    ticks: list[float] = []
    command = agent("import time; time.sleep(0.6)")
    run = run_agent(command, "", timeout=30, on_tick=lambda: ticks.append(time.monotonic()), tick_seconds=0.1)
    assert 3 <= len(ticks) <= run.seconds / 0.1


def test_the_interpreter_of_this_process_is_a_usable_agent():
    assert run_agent(AgentCommand((sys.executable, "-c", "print(1)")), "", timeout=30).stdout == "1\n"
