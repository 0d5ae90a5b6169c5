from datetime import UTC, date, datetime

import pytest

from operations.http.errors import SourceUnavailable, UnexpectedAnswer
from operations.sources.arxiv_atom import ArxivRecord, ErrorEntry, read_feed


def feed(*entries: str, prefix: str = "arxiv") -> bytes:
    return (
        f"<?xml version='1.0' encoding='UTF-8'?><feed xmlns='http://www.w3.org/2005/Atom' "
        f"xmlns:{prefix}='http://arxiv.org/schemas/atom'>{''.join(entries)}</feed>"
    ).encode("utf-8", "surrogatepass")


def entry(arxiv_id: str = "2406.01234v2", title: str = "A title", more: str = "") -> str:
    return f"<entry><id>http://arxiv.org/abs/{arxiv_id}</id><title>{title}</title>{more}</entry>"


def test_every_field_is_read_whatever_the_order_and_the_prefixes():
    more = """
      <x:primary_category term="cs.RO" scheme="http://arxiv.org/schemas/atom"/>
      <category term="cs.AI"/><category term="cs.RO"/><category term="62H30, 68T45"/><category term="I.2.10"/>
      <x:doi>10.1/x</x:doi><x:journal_ref>J. 1
        (2024)</x:journal_ref><x:comment>39th Conference
        (2025)</x:comment>
      <author><name>Ana  Tönshoff</name><x:affiliation>X</x:affiliation></author>
      <author><name>Bo &quot;Bob&quot; Li</name></author><author><name>Ana Tönshoff</name></author><author/>
      <published>2024-06-03T23:30:00-02:00</published><updated>2024-07-01T00:00:00Z</updated>
      <summary>  First
        line. </summary>"""
    assert read_feed(feed(entry(title="Two\n  lines", more=more), prefix="x")) == [
        ArxivRecord(
            arxiv_id="2406.01234",
            version=2,
            title="Two lines",
            abstract="First line.",
            authors=("Ana Tönshoff", 'Bo "Bob" Li'),
            published_at=date(2024, 6, 4),
            updated=datetime(2024, 7, 1, tzinfo=UTC),
            categories=("cs.RO", "cs.AI"),
            comment="39th Conference (2025)",
            journal_ref="J. 1 (2024)",
            doi="10.1/x",
        )
    ]


def test_an_id_and_a_title_are_enough():
    assert read_feed(feed(entry())) == [ArxivRecord("2406.01234", 2, "A title")]


@pytest.mark.parametrize("title", ["0", "Error", "None", "$5 for 95% &amp; more"])
def test_odd_titles_are_titles(title):
    assert read_feed(feed(entry(title=title)))[0].title == title.replace("&amp;", "&")


@pytest.mark.parametrize(
    ("written", "arxiv_id", "version"),
    [
        ("hep-th/9901001v3", "hep-th/9901001", 3),
        ("math.GT/0309136v1", "math.GT/0309136", 1),
        ("0704.0156", "0704.0156", None),
    ],
)
def test_ids_of_all_kinds_are_split(written, arxiv_id, version):
    (record,) = read_feed(feed(entry(written)))
    assert (record.arxiv_id, record.version) == (arxiv_id, version)


@pytest.mark.parametrize("bad", [entry("nonsense"), entry(title=" "), "<entry/>", "<entry><title>x</title></entry>"])
def test_a_bad_entry_costs_only_itself(bad):
    assert [record.arxiv_id for record in read_feed(feed(bad, entry()))] == ["2406.01234"]


def test_characters_that_xml_forbids_cost_no_paper():
    records = read_feed(feed(entry(title="a\x00b\x0bc&#1;&#x1F;&#xD800;&#9999999;d&#233;\ud800"), entry("2406.00002")))
    assert records[0].title.replace("\N{REPLACEMENT CHARACTER}", "") == "abcdé"
    assert records[1].arxiv_id == "2406.00002"


def test_bad_bytes_cost_no_paper():
    assert (
        read_feed(feed(entry(title="caf?")).replace(b"?</title>", b"\xe9</title>"))[0].title
        == "caf\N{REPLACEMENT CHARACTER}"
    )


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"<html><body>Service unavailable</body></html>",
        b"<!DOCTYPE html><html><br></html>",
        b'{"json": 1}',
        b"<feed><entry/></feed>",
        feed(entry())[:-20],
        b"\x1f\x8b\x08\x00",
        b'<?xml version="1.0" encoding="no-such"?><feed/>',
    ],
)
def test_what_is_no_feed_is_unexpected_and_may_pass(body):
    with pytest.raises(UnexpectedAnswer) as caught:
        read_feed(body)
    assert caught.value.is_temporary


@pytest.mark.parametrize(
    "entity", ["<!ENTITY a 'x'><!ENTITY b '&a;&a;&a;'>", "<!ENTITY b SYSTEM 'file:///etc/passwd'>"]
)
def test_entities_are_not_expanded(entity):
    body = feed(entry(title="&b;")).replace(b"<feed", f"<!DOCTYPE feed [{entity}]><feed".encode(), 1)
    with pytest.raises(UnexpectedAnswer):
        read_feed(body)


def test_an_error_entry_names_the_malformed_id():
    error = "<entry><id>https://arxiv.org/api/errors#incorrect_id_format_for_abc</id><title>Error</title><summary>bad</summary></entry>"
    with pytest.raises(ErrorEntry, match="bad") as caught:
        read_feed(feed(error))
    assert caught.value.malformed == "abc"


def test_too_many_requests_said_in_plain_text_is_unavailability():
    with pytest.raises(SourceUnavailable) as caught:
        read_feed(b"Rate exceeded.")
    assert caught.value.is_temporary


# Recorded


def test_all_recorded_feeds_are_read(recorded):
    papers = 0
    for path in sorted((recorded / "arxiv_atom").glob("*.xml")):
        body = path.read_bytes()
        if path.name.startswith("arxivpy_id_abc"):
            with pytest.raises(ErrorEntry):
                read_feed(body)
            continue
        records = read_feed(body)
        assert len(records) == body.count(b"<entry>")
        papers += len(records)
        for record in records:
            assert record.title
            assert record.abstract
            assert record.authors
            assert record.categories
            assert record.published_at
            assert record.updated
            assert record.version
    assert papers > 200


def test_a_recorded_paper_of_3303_authors_has_them_all(recorded):
    (record,) = read_feed((recorded / "arxiv_atom" / "derived_3303_authors.xml").read_bytes())
    assert len(record.authors) == 3302  # one name stands there twice


def test_recorded_old_and_new_format_are_read_alike(recorded):
    old = read_feed((recorded / "arxiv_atom" / "old_format_2025-10_two.xml").read_bytes())[0]
    new = read_feed((recorded / "arxiv_atom" / "new_format_2026-05_csai_25.xml").read_bytes())[0]
    assert old.categories == ("cs.RO", "cs.AI", "cs.CV", "cs.LG", "cs.SY", "eess.SY")
    assert old.comment.startswith("39th Conference on Neural Information Processing Systems (NeurIPS 2025)")
    assert new.categories == ("cs.CV", "cs.AI", "cs.LG")
    assert new.comment == "ICML2026"


def test_a_recorded_text_in_place_of_a_feed_is_unavailability(recorded):
    with pytest.raises(SourceUnavailable):
        read_feed((recorded / "arxiv_atom" / "derived_rate_exceeded.txt").read_bytes())
