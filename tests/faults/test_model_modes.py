"""Every way the model can spoil its answer, through the real pi and `summarize`: what the paper's row says in the end.

Each mode has a paper of its own, and all share one run, since pi takes seconds.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
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


class Site(Installation):
    """An installation with the real pi, its model replayed."""

    def __init__(self, folder: Path, replay: Replay, **settings: str) -> None:
        sources = {"hf_url": replay.hf_url, "arxiv_url": replay.arxiv_url, "arxiv_api_url": replay.arxiv_url}
        model = {"llm_url": replay.llm_url, "llm_model": "replay", "llm_key": "sk-replayed-0123456789"}
        super().__init__(folder, **sources, **model, **settings)

    def aim(self, replay: Replay, modes: Iterable[str]) -> dict[str, str]:
        """Give each mode a paper of its own and return which."""
        aimed = dict(zip(modes, self.papers(), strict=False))
        assert set(aimed) == set(modes), "more modes than papers"
        replay.faults([{"match": "/llm/v1/chat", "contains": paper, "mode": mode} for mode, paper in aimed.items()])
        return aimed

    def papers(self) -> list[str]:
        """Return the ids of all papers."""
        return [arxiv_id for (arxiv_id,) in self.rows("SELECT arxiv_id FROM papers ORDER BY id")]

    def outcomes(self, papers: Mapping[str, str]) -> dict[str, Row]:
        """Return what became of each paper, under its mode."""
        rows = self.rows(
            "SELECT arxiv_id, status, error_type, quality FROM summary_status s JOIN papers p ON p.id = paper_id"
        )
        found = {arxiv_id: Row(*row) for arxiv_id, *row in rows}
        return {mode: found[paper] for mode, paper in papers.items()}

    def ai_tags(self, paper: str) -> int:
        """Return how many tags the summary of a paper gave it."""
        [(count,)] = self.rows(
            "SELECT COUNT(*) FROM paper_tags t JOIN papers p ON p.id = paper_id"
            f" WHERE source = 'ai' AND arxiv_id = '{paper}'"
        )
        return count


@pytest.fixture
def make_site(tmp_path: Path, replay: Replay) -> Iterator[Callable[..., Site]]:
    """Make a site with four days of papers."""
    pi = Places().find_pi()
    if pi is None or not pi.is_usable:
        pytest.skip("needs pi: python -m operations.agent.install")
    replay.start("--today", DAYS[1])
    made = []

    def make(**settings: str) -> Site:
        made.append(Site(tmp_path / "data", replay, summary_workers="4", **settings))
        assert made[-1].run("crawl", "--from", DAYS[0], "--to", DAYS[1]) == 0, made[-1].tail()
        return made[-1]

    yield make
    for site in made:
        kill(site.processes())


def test_each_mode_ends_as_the_table_says(make_site: Callable[..., Site], replay: Replay):
    site = make_site(agent_timeout="300")
    aimed = site.aim(replay, EXPECTED)
    assert site.run("summarize", seconds=1500) == 1, site.tail()
    assert site.outcomes(aimed) == EXPECTED
    assert site.ai_tags(aimed["many_tags"]) == 20
    others = {paper: paper for paper in site.papers() if paper not in aimed.values()}
    assert set(site.outcomes(others).values()) == {NORMAL}
    assert_failures_are_counted_and_kept(site)
    assert_nothing_is_left_behind(site)


def assert_failures_are_counted_and_kept(site: Site) -> None:
    counts = site.rows("SELECT DISTINCT retry_count, raw_output_saved FROM summary_status WHERE error_type NOT NULL")
    assert counts == [(1, 1)]
    for (path,) in site.rows("SELECT raw_output_path FROM papers"):
        assert (site.folder / path).is_file()


def assert_nothing_is_left_behind(site: Site) -> None:
    assert site.run("check_data") == 0, site.tail()
    assert site.wait_until_gone(5) == []
    assert not any(path.is_file() for path in (site.folder / "tmp").rglob("*"))


def test_a_model_without_end_is_a_timeout(make_site: Callable[..., Site], replay: Replay):
    site = make_site(agent_timeout="8")
    aimed = site.aim(replay, ENDLESS)
    assert site.run("summarize", "--paper", *aimed.values()) == 1, site.tail()
    assert site.outcomes(aimed) == dict.fromkeys(ENDLESS, refused("timeout"))
    assert_nothing_is_left_behind(site)
