"""The installation fetches what is missing, once, whole or not at all."""

import subprocess
import sys
from pathlib import Path

import pytest

from operations.agent import install as installation
from operations.agent.install import InstallationFailed, install
from operations.agent.tools import NODE_PROGRAM, NPM_SCRIPT, PI_SCRIPT, PROJECT_DIR, Places

from .conftest import install_own, program

NODE = 'if [ "$1" = --version ]; then echo v24.19.0; else echo 1.6.0; fi'


class Registry:
    """Stands for pip and npm: notes what is asked for, and delivers or fails."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[str] = []
        self.online = True
        monkeypatch.setattr(installation, "_pip_command", lambda folder: self._deliver("node", folder))
        monkeypatch.setattr(installation, "_npm_command", lambda _, folder: self._deliver("pi", folder))

    def _deliver(self, part: str, folder: Path) -> list[str]:
        self.asked.append(part)
        if not self.online:
            return ["/bin/sh", "-c", "echo 'getaddrinfo failed' >&2; exit 1"]
        if part == "node":
            program(folder / NODE_PROGRAM, NODE)
        else:
            (folder / PI_SCRIPT).parent.mkdir(parents=True)
            (folder / PI_SCRIPT).touch()
        return ["/bin/true"]


@pytest.fixture
def registry(monkeypatch: pytest.MonkeyPatch) -> Registry:
    return Registry(monkeypatch)


def test_node_and_pi_are_fetched_once(places: Places, registry: Registry):
    assert install(places).startswith("pi 1.6.0: ")
    assert install(places).startswith("pi 1.6.0: ")
    assert registry.asked == ["node", "pi"]
    assert sorted(path.name for path in places.tools.iterdir()) == [places.own_node.name, places.own_pi.name]


def test_a_new_enough_node_of_the_system_is_used(places: Places, registry: Registry, tmp_path: Path):
    program(tmp_path / "bin" / "node", NODE)
    install(places)
    assert registry.asked == ["pi"]


def test_a_usable_pi_on_the_path_is_enough(places: Places, registry: Registry, tmp_path: Path):
    program(tmp_path / "bin" / "pi", "echo 0.73.1 >&2")
    assert install(places) == f"pi 0.73.1: {tmp_path}/bin/pi"
    assert registry.asked == []


def test_nothing_half_made_is_left_when_offline(places: Places, registry: Registry):
    registry.online = False
    with pytest.raises(InstallationFailed, match=r"(?s)PyPI.*online.*getaddrinfo failed"):
        install(places)
    assert list(places.tools.iterdir()) == []


def test_what_was_fetched_before_the_net_went_away_is_kept(places: Places, registry: Registry):
    program(places.own_node / NODE_PROGRAM, NODE)
    registry.online = False
    with pytest.raises(InstallationFailed, match="npm"):
        install(places)
    registry.online = True
    install(places)
    assert registry.asked == ["pi", "pi"]


def test_a_download_without_the_program_is_refused(places: Places, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(installation, "_pip_command", lambda folder: ["/bin/true"])
    with pytest.raises(InstallationFailed, match="not what was expected"):
        install(places)


def test_a_damaged_part_is_made_anew(places: Places, registry: Registry):
    (places.own_pi / "node_modules").mkdir(parents=True)
    install(places)
    assert (places.own_pi / PI_SCRIPT).is_file()


def test_what_an_interrupted_installation_left_is_removed(places: Places, registry: Registry):
    with subprocess.Popen(["true"]) as gone:
        gone.wait()
    (places.tools / f"partial-{gone.pid}-abc").mkdir(parents=True)
    running = places.tools / "partial-1-abc"
    running.mkdir()
    install(places)
    assert not (places.tools / f"partial-{gone.pid}-abc").exists()
    assert running.exists()


def test_npm_runs_no_script_of_a_package(places: Places):
    install_own(places)
    (places.own_node / NPM_SCRIPT).parent.mkdir(parents=True)
    (places.own_node / NPM_SCRIPT).touch()
    command = installation._npm_command(places, Path("/folder"))
    assert command[:2] == [str(places.own_node / NODE_PROGRAM), str(places.own_node / NPM_SCRIPT)]
    assert {"--ignore-scripts", "@earendil-works/pi-coding-agent@1.6.0"} <= set(command)


def test_a_node_without_npm_is_said(places: Places, tmp_path: Path):
    program(tmp_path / "bin" / "node", NODE)
    with pytest.raises(InstallationFailed, match="no npm"):
        install(places)


def test_the_exit_code_is_1_where_pi_cannot_be_had(
    places: Places,
    registry: Registry,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    monkeypatch.setattr(installation, "Places", lambda: places)
    registry.online = False
    assert installation.main([]) == 1
    assert "pi is not installed: node could not be fetched from PyPI" in capsys.readouterr().err
    registry.online = True
    assert installation.main([]) == 0
    assert capsys.readouterr().out.startswith("pi 1.6.0: ")


def test_it_needs_the_standard_library_alone():
    command = [sys.executable, "-I", "-S", "-c", "import sys; sys.path.insert(0, '.'); import operations.agent.install"]
    subprocess.run(command, cwd=PROJECT_DIR, check=True)
