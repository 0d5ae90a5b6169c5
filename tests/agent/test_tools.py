"""Which pi and which node are found, and that nobody waits for them twice."""

import os
from pathlib import Path

import pytest

from operations.agent import tools
from operations.agent.tools import NODE_PROGRAM, PI_SCRIPT, Places, read_version, version_of

from .conftest import install_own, program


@pytest.mark.parametrize(
    ("text", "version"),
    [
        ("1.6.0\n", (1, 6, 0)),
        ("\n0.73.1\n", (0, 73, 1)),
        ("v24.19.0", (24, 19, 0)),
        ("1.7.0-beta.1", (1, 7, 0)),
        ("SyntaxError: at 1.2.3 of x", None),
        ("Update to 9.9.9 now!\n1.6.0", (1, 6, 0)),
        ("", None),
    ],
)
def test_versions_are_read(text: str, version: tuple[int, int, int] | None):
    assert read_version(text) == version


def test_nothing_is_found_where_nothing_is(places: Places):
    assert places.find_pi() is None
    assert places.find_node() is None


def test_a_pi_on_the_path_is_found_wherever_it_says_its_version(places: Places, tmp_path: Path):
    path = program(tmp_path / "bin" / "pi", "echo 0.73.1 >&2")
    assert places.find_pi() == tools.Pi((str(path),), (0, 73, 1))


def test_the_projects_own_pi_comes_first(places: Places, tmp_path: Path):
    program(tmp_path / "bin" / "pi", "echo 0.73.1")
    install_own(places)
    found = places.find_pi()
    assert found.version == (1, 6, 0)
    assert found.arguments == (str(places.own_node / NODE_PROGRAM), str(places.own_pi / PI_SCRIPT))


def test_a_broken_pi_gives_way_to_one_that_runs(places: Places, tmp_path: Path):
    install_own(places, pi="broken")
    assert not places.find_pi().is_usable
    program(tmp_path / "bin" / "pi", "echo 1.5.0")
    assert places.find_pi().version == (1, 5, 0)


@pytest.mark.parametrize(
    ("version", "taken"), [("v20.20.2", False), ("v22.18.9", False), ("v22.19.0", True), ("v24.0.0", True)]
)
def test_the_systems_node_is_taken_if_it_is_new_enough(places: Places, tmp_path: Path, version: str, taken: bool):
    system = program(tmp_path / "bin" / "node", f"echo {version}")
    install_own(places)
    assert places.find_node() == (system if taken else places.own_node / NODE_PROGRAM)


@pytest.mark.parametrize("body", ["exit 1", "echo 1.6.0; exit 1", "echo hello", "kill -9 $$"])
def test_what_does_not_run_has_no_version(tmp_path: Path, body: str):
    assert version_of((str(program(tmp_path / "pi", body)),), path=os.defpath) is None


def test_a_program_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tools, "PROBE_TIMEOUT", 0.3)
    assert version_of((str(program(tmp_path / "pi", "exec sleep 60")),), path=os.environ["PATH"]) is None


def test_a_program_that_was_slow_is_asked_again_soon(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(tools, "PROBE_TIMEOUT", 2)
    monkeypatch.setattr(tools, "_SLOWNESS_HOLDS", 0, raising=False)
    asked = tmp_path / "asked"
    path = str(program(tmp_path / "pi", f"[ -e {asked} ] && echo 1.6.0 && exit", f"touch {asked}; exec sleep 60"))
    assert version_of((path,), path=os.environ["PATH"]) is None
    monkeypatch.setattr(tools, "PROBE_TIMEOUT", 15)
    assert version_of((path,), path=os.environ["PATH"]) == (1, 6, 0)


def test_a_program_is_asked_once_until_it_changes(tmp_path: Path):
    count = tmp_path / "count"
    path = program(tmp_path / "pi", f"echo x >> {count}", "echo 1.6.0")
    for _ in range(3):
        assert version_of((str(path),), path=os.defpath) == (1, 6, 0)
    assert count.read_text() == "x\n"
    os.utime(path, (1, 1))
    version_of((str(path),), path=os.defpath)
    assert count.read_text() == "x\nx\n"


def test_it_is_asked_in_an_empty_folder(tmp_path: Path):
    """An old pi runs the extensions of the folder in which it is started."""
    listing = tmp_path / "listing"
    program(tmp_path / "pi", f"echo * > {listing}", "echo 1.6.0")
    version_of((str(tmp_path / "pi"),), path=os.defpath)
    assert listing.read_text() == "*\n"
