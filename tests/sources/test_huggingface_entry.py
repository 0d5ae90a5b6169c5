import json
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operations.sources.huggingface_entry import BadEntry, DailyEntry, read_entry


def listed(**paper) -> dict:
    return {"paper": {"id": "2406.01234", "title": "A title", **paper}}


def test_an_id_and_a_title_are_enough():
    assert read_entry(listed()) == DailyEntry("2406.01234", "A title")


def test_every_field_is_read():
    entry = read_entry(
        {
            "publishedAt": "2025-10-14T20:00:00.000Z",
            "organization": {"name": "outer"},
            "summary": "outer summary",
            "paper": {
                "id": "2510.00001v2",
                "title": "Long\n  titles",
                "summary": "First\nline.\n\nSecond paragraph.",
                "authors": [
                    {"name": "Ana Tönshoff", "hidden": False},
                    {"name": "Hidden One", "hidden": True},
                    {"name": " Bo  Li "},
                    {"name": "Ana Tönshoff"},
                    {"name": "  "},
                    {},
                ],
                "publishedAt": "2025-10-15T23:30:00.000-02:00",
                "upvotes": 41,
                "githubRepo": "https://github.com/o/r/",
                "githubStars": 7,
                "projectPage": " https://o.github.io/r ",
                "organization": {"name": "sjtu", "fullname": "Shanghai Jiao Tong University"},
                "ai_keywords": ["large language models", "Large  Language Models", "ＲＬＨＦ", "RLHF", " ", 7],
            },
        }
    )
    assert entry == DailyEntry(
        arxiv_id="2510.00001",
        version=2,
        title="Long titles",
        abstract="First line.\n\nSecond paragraph.",
        authors=("Ana Tönshoff", "Bo Li"),
        published_at=date(2025, 10, 16),
        upvotes=41,
        code_url="https://github.com/o/r",
        code_stars=7,
        project_url="https://o.github.io/r",
        organization="Shanghai Jiao Tong University",
        keywords=("large language models", "ＲＬＨＦ"),
    )


def test_what_the_paper_lacks_may_stand_outside():
    entry = read_entry(
        {"title": "Outer", "summary": "Text", "organization": {"name": "x"}, "paper": {"id": "2406.01234"}}
    )
    assert (entry.title, entry.abstract, entry.organization) == ("Outer", "Text", "x")


@pytest.mark.parametrize(
    ("raw_id", "arxiv_id"),
    [
        ("2406.01234v3", "2406.01234"),
        ("hep-th/9901001", "hep-th/9901001"),
        ("math.GT/0309136v2", "math.GT/0309136"),
        ("0704.0156", "0704.0156"),
    ],
)
def test_ids_of_all_kinds_are_taken_without_their_version(raw_id, arxiv_id):
    assert read_entry(listed(id=raw_id)).arxiv_id == arxiv_id


@pytest.mark.parametrize(
    "raw_id", [None, "", "abc", 2406.01234, [], {}, "../../etc/passwd", "2406.01234\x00", "２４０６.01234"]
)
def test_an_entry_without_a_usable_id_is_bad_and_keeps_its_key(raw_id):
    first, again = read_entry(listed(id=raw_id, upvotes=1)), read_entry(listed(id=raw_id, upvotes=2))
    other = read_entry(listed(id=raw_id, title="Another"))
    assert isinstance(first, BadEntry)
    assert first.key == again.key != other.key
    assert first.arxiv_id is None
    assert len(first.key) <= 128
    assert first.reason


@pytest.mark.parametrize("title", [None, "", " \n ", "\x00\x07", "\ud800", 5, [], {}])
def test_an_entry_without_a_title_is_bad_and_known_by_its_id(title):
    assert read_entry(listed(title=title)) == BadEntry("2406.01234", "the paper has no title", "2406.01234")


@pytest.mark.parametrize(
    "raw", [None, 1, "text", [], {}, {"paper": None}, {"paper": []}, {"paper": {}}, {"paper": "x"}]
)
def test_an_entry_without_a_paper_is_bad(raw):
    assert isinstance(read_entry(raw), BadEntry)


def test_a_title_may_be_zero():
    assert read_entry(listed(title="0")).title == "0"


@pytest.mark.parametrize("votes", [None, -1, "7", 1.5, True, [], {}, float("nan")])
def test_votes_that_are_no_number_are_not_said(votes):
    assert read_entry(listed(upvotes=votes)).upvotes is None


def test_enormous_numbers_fit_into_the_database():
    entry = read_entry(listed(upvotes=10**400, githubStars=10**30))
    assert entry.upvotes == entry.code_stars == 2**31 - 1


def test_control_characters_and_lone_surrogates_are_removed():
    entry = read_entry(listed(title="a\x00b\ud800c", summary="x\x1by", authors=[{"name": "\udfffZ"}]))
    assert (entry.title, entry.abstract, entry.authors) == ("abc", "xy", ("Z",))
    json.dumps(entry.title).encode()


def test_lengths_are_bounded():
    entry = read_entry(
        listed(
            title="t" * 10**6,
            summary="s" * 10**6,
            authors=[{"name": f"{i}" * 1000} for i in range(10_000)],
            ai_keywords=[f"k{i}" for i in range(10_000)],
            projectPage="https://x.org/" + "p" * 10_000,
            organization={"fullname": "o" * 10_000},
        )
    )
    assert len(entry.title) <= 1000
    assert len(entry.abstract) <= 20_000
    assert len(entry.authors) <= 5000
    assert len(entry.keywords) == 50
    assert entry.project_url is None
    assert len(entry.organization) <= 200


@pytest.mark.parametrize(
    "moment", ["yesterday", "", 5, None, [], "0001-01-01T00:00:00+23:00", "9999-12-31T23:59:59-23:00"]
)
def test_a_date_that_is_none_is_absent(moment):
    assert read_entry(listed(publishedAt=moment)).published_at is None


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(st.characters()) | st.just("2406.01234"),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["name", "fullname", "hidden", "id", "title", "paper"]), inner, max_size=3)
    ),
    max_leaves=6,
)
FIELDS = [
    "id",
    "title",
    "summary",
    "authors",
    "publishedAt",
    "upvotes",
    "githubRepo",
    "githubStars",
    "projectPage",
    "organization",
    "ai_keywords",
]


@settings(max_examples=100, deadline=None)
@given(st.dictionaries(st.sampled_from(FIELDS), VALUES), st.dictionaries(st.sampled_from(FIELDS), VALUES))
def test_no_type_in_any_place_raises(paper, outer):
    entry = read_entry({**outer, "paper": paper})
    assert isinstance(entry, DailyEntry | BadEntry)
    assert entry == read_entry({**outer, "paper": paper})
