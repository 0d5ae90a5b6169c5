"""Commands on a DATA_DIR that has no database yet, new or lost, or a damaged one."""

import pytest

from tests.faults.installation import Installation

NOWHERE = "http://127.0.0.1:9"


@pytest.fixture
def new(tmp_path) -> Installation:
    addresses = dict.fromkeys(("hf_url", "arxiv_url", "arxiv_api_url"), NOWHERE)
    return Installation(tmp_path / "data", agent_command="true", **addresses)


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (("summarize",), 0),
        (("summarize", "--paper", "2608.00001"), 1),
        (("check_data",), 0),
        (("check_data", "--repair"), 0),
        (("rebuild_search",), 0),
    ],
)
def test_a_command_makes_the_tables_it_needs(new: Installation, command: tuple[str, ...], code: int):
    assert new.run(*command) == code, new.tail()
    assert "Traceback" not in new.tail()
    assert new.rows("SELECT COUNT(*) FROM papers") == [(0,)]


def test_two_commands_that_begin_at_once_make_them_once(new: Installation):
    both = [new.start("rebuild_search") for _ in range(2)]
    assert [command.wait(120) for command in both] == [0, 0], new.tail()


@pytest.mark.parametrize("command", ["check_data", "summarize", "serve"])
def test_a_damaged_database_is_named_with_a_way_out(new: Installation, command: str):
    new.folder.mkdir()
    (new.folder / "papersite.sqlite3").write_text("no database")
    assert new.run(command, *(["--port", "0"] if command == "serve" else [])) == 1
    assert "Traceback" not in new.tail()
    assert "papersite.sqlite3 cannot be used: file is not a database" in new.tail()
