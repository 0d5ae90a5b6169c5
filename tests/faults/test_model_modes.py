"""Every way the model can spoil its answer, through the real pi and `summarize`: what the paper's row says in the end.

A paper of its own for each mode and one run for all, since pi takes seconds; each test looks at a row afterwards.
"""

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from operations.agent.tools import Places
from tests.faults.installation import Installation, kill
from tests.replay import Replay

pytestmark = [pytest.mark.pi, pytest.mark.slow]

DAYS = ("2026-08-17", "2026-08-21")
REQUIRED = ("title_zh", "one_line", "tags", "motivation.problem", "method.key_idea")
IMPORTANT = ("motivation.goal", "motivation.gap", "method.overview", "results.main_findings")


class Row(NamedTuple):
    """What the database says of a paper once `summarize` has ended."""

    status: str
    error_type: str | None
    quality: str | None


NORMAL, DEGRADED, LOW = (Row("done", None, quality) for quality in ("normal", "degraded", "low"))


def refused(error_type: str) -> Row:
    return Row("permanent_failure", error_type, None)


EXPECTED = {
    **dict.fromkeys(
        ["ok", "fence", "fence_plain", "prose", "think", "think_unclosed", "two_objects", "trailing_comma", "bom"],
        NORMAL,
    ),
    **dict.fromkeys(
        ["bad_escape", "silent_escape", "raw_quote", "raw_newline", "wrong_numbers", "many_tags", "slow"], NORMAL
    ),
    **dict.fromkeys(["empty", "whitespace", "chatter", "refusal"], refused("json_not_found")),
    "truncated": refused("json_invalid"),
    # pi itself ends badly where the model stopped at its limit, and where the stream was cut.
    **dict.fromkeys(["length", "closemid", "error", "huge"], refused("process_error")),
    "not_chinese": refused("schema_error"),
    "wrong_paper": refused("schema_error"),
    "placeholder": refused("field_missing"),
    "hollow": LOW,
    "no_important": DEGRADED,
    **{f"{how}:{field}": refused("field_missing") for how in ("missing", "blank") for field in REQUIRED},
    **{f"{how}:{field}": DEGRADED for how in ("missing", "blank") for field in IMPORTANT},
    **{f"retype:{field}": refused("schema_error") for field in (*REQUIRED, *IMPORTANT)},
}
ENDLESS = ("hang", "hangmid", "slow")


@pytest.fixture(scope="module")
def world(recorded: Path) -> Iterator[Replay]:
    """A replay of its own, since the modes of one module's run stay set until its end."""
    program = recorded.parent / "tools" / "replay" / "replay.py"
    replay = Replay(program, recorded)
    replay.start("--today", DAYS[1])
    yield replay
    replay.stop()


class Site(Installation):
    """An installation with the real pi, its model replayed."""

    def __init__(self, folder: Path, world: Replay, **settings: str) -> None:
        sources = {"hf_url": world.hf_url, "arxiv_url": world.arxiv_url, "arxiv_api_url": world.arxiv_url}
        model = {"llm_url": world.llm_url, "llm_model": "replay", "llm_key": "sk-replayed-0123456789"}
        super().__init__(folder, **sources, **model, **settings)

    def aim(self, world: Replay, modes: list[str]) -> dict[str, str]:
        """Give each mode a paper of its own and return which."""
        papers = [arxiv_id for (arxiv_id,) in self.rows("SELECT arxiv_id FROM papers ORDER BY id")]
        aimed = dict(zip(modes, papers, strict=False))
        assert len(aimed) == len(modes), "more modes than papers"
        world.faults([{"match": "/llm/v1/chat", "contains": paper, "mode": mode} for mode, paper in aimed.items()])
        return aimed

    def status(self, arxiv_id: str) -> Row:
        """Return what became of a paper."""
        [row] = self.rows(
            "SELECT status, error_type, quality FROM summary_status s JOIN papers p ON p.id = s.paper_id"
            f" WHERE arxiv_id = '{arxiv_id}'"
        )
        return Row(*row)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("modes")


@pytest.fixture(scope="module")
def answered(folder: Path, world: Replay) -> Iterator[tuple[Site, dict[str, str]]]:
    """A site after a crawl and one `summarize`, and the paper of each mode."""
    pi = Places().find_pi()
    if pi is None or not pi.is_usable:
        pytest.skip("needs pi: python -m operations.agent.install")
    world.clear()
    site = Site(folder / "data", world, summary_workers="4", agent_timeout="300")
    assert site.run("migrate", "-v0") == 0, site.tail()
    assert site.run("crawl", "--from", DAYS[0], "--to", DAYS[1]) == 0, site.tail()
    aimed = site.aim(world, list(EXPECTED))
    assert site.run("summarize", seconds=1500) == 1, site.tail()
    yield site, aimed
    kill(site.processes())


@pytest.mark.parametrize("mode", EXPECTED)
def test_each_mode_ends_as_the_table_says(answered: tuple[Site, dict[str, str]], mode: str):
    site, aimed = answered
    assert site.status(aimed[mode]) == EXPECTED[mode], site.tail()


def test_all_other_papers_are_done(answered: tuple[Site, dict[str, str]]):
    site, aimed = answered
    papers = {arxiv_id for (arxiv_id,) in site.rows("SELECT arxiv_id FROM papers")} - set(aimed.values())
    assert papers
    assert {site.status(paper) for paper in papers} == {NORMAL}


def test_both_attempts_are_counted_and_their_output_is_kept(answered: tuple[Site, dict[str, str]]):
    site, _ = answered
    failed = site.rows("SELECT DISTINCT retry_count, raw_output_saved FROM summary_status WHERE error_type NOT NULL")
    assert failed == [(1, 1)]
    for (path,) in site.rows("SELECT raw_output_path FROM papers"):
        assert (site.folder / path).is_file()


def test_at_most_twenty_tags_are_kept(answered: tuple[Site, dict[str, str]]):
    site, aimed = answered
    [(tags,)] = site.rows(
        "SELECT COUNT(*) FROM paper_tags t JOIN papers p ON p.id = t.paper_id"
        f" WHERE source = 'ai' AND arxiv_id = '{aimed['many_tags']}'"
    )
    assert tags == 20


def test_nothing_is_left_behind(answered: tuple[Site, dict[str, str]]):
    site, _ = answered
    assert site.run("check_data") == 0, site.tail()
    assert site.processes() == []
    assert not any(path.is_file() for path in (site.folder / "tmp").rglob("*"))


def test_a_model_without_end_is_a_timeout(answered: tuple[Site, dict[str, str]], world: Replay, folder: Path):
    shutil.copytree(folder / "data", folder / "endless")
    world.clear()
    site = Site(folder / "endless", world, summary_workers="4", agent_timeout="8")
    aimed = site.aim(world, list(ENDLESS))
    assert site.run("summarize", "--paper", *aimed.values()) == 1, site.tail()
    assert {site.status(paper).error_type for paper in aimed.values()} == {"timeout"}
    assert site.wait_until_gone(5) == []
