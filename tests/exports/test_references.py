"""BibTeX, RIS and CSL-JSON, read back by the libraries that others read them with."""

import json
import re

import bibtexparser
import pytest
import rispy
from hypothesis import given, settings
from hypothesis import strategies as st
from pybtex.database import parse_string
from pylatexenc.latex2text import LatexNodes2Text

from papers.exports.bibtex import bibtex
from papers.exports.csljson import csljson
from papers.exports.reference import Reference, reference
from papers.exports.ris import ris
from papers.models import Paper
from tests.exports.world import arxiv_papers, recorded_papers, unsaved_paper

# https://github.com/citation-style-language/schema/blob/v1.0.2/schemas/input/csl-data.json
CSL_TEXTS = {
    *("id", "type", "title", "publisher", "number", "genre", "DOI", "URL", "keyword", "abstract", "note"),
}
CSL_NAME_PARTS = {"family", "given", "non-dropping-particle", "suffix", "literal"}
ASCII_KEY = re.compile(r"[a-z0-9]+[a-z0-9./-]*-[A-Za-z0-9.-]+")
ANY = st.text(st.characters(codec="utf-8") | st.sampled_from("{}\\$%&#_^~\"'@,\n\r\t\x00\x1f\u2028é中<>"), max_size=60)


def references_of(papers: list[Paper]) -> list[Reference]:
    return [reference(paper) for paper in papers]


def read_bibtex(references: list[Reference]) -> list[dict[str, str]]:
    """Return the fields of each entry, after both libraries found the same entries."""
    text = bibtex(references)
    library = bibtexparser.parse_string(text)
    assert not library.failed_blocks
    entries = parse_string(text, "bibtex").entries
    assert [entry.key for entry in library.entries] == list(entries) == [found.key for found in references]
    for found, entry in zip(references, entries.values(), strict=True):
        assert len(entry.persons.get("author", ())) == len(found.authors)
    return [{field.key: field.value for field in entry.fields} for entry in library.entries]


def as_text(latex: str) -> str:
    return LatexNodes2Text(math_mode="verbatim", keep_comments=True).latex_to_text(latex)


def one(**columns) -> Reference:
    return reference(unsaved_paper(**columns))


@pytest.mark.parametrize("source", ["hugging face", "arxiv"])
def test_thousands_of_real_papers_are_read_back_whole(recorded, source):
    papers = list(recorded_papers(recorded))[::5] if source == "hugging face" else list(arxiv_papers(recorded, 1200))
    references = references_of(papers)
    assert len({found.key for found in references}) == len(papers) > 1_000
    assert all(ASCII_KEY.fullmatch(found.key) for found in references)
    for found, fields in zip(references, read_bibtex(references), strict=True):
        assert fields["eprint"] == found.arxiv_id
    for found, fields in zip(references, rispy.loads(ris(references)), strict=True):
        assert fields["title"] == found.title
        assert fields.get("authors", []) == [name.inverted for name in found.authors]
    check_csl(json.loads(csljson(references)), references)


def check_csl(items: list[dict], references: list[Reference]) -> None:
    for found, item in zip(references, items, strict=True):
        assert item["title"] == found.title
        assert set(item) <= CSL_TEXTS | {"author", "issued"}
        assert all(isinstance(item[name], str) and item[name] for name in set(item) & CSL_TEXTS)
        assert item["issued"] == {"date-parts": [[found.date.year, found.date.month, found.date.day]]}
        assert all(name and set(name) <= CSL_NAME_PARTS for name in item.get("author", ()))


@given(title=ANY, abstract=ANY, author=ANY, tag=ANY, line=ANY)
def test_no_text_breaks_a_format(title, abstract, author, tag, line):
    papers = [
        unsaved_paper(
            "2606.00001", title, abstract=abstract, authors=[author, "Ada Lovelace"], tags=[tag], one_line=line
        ),
        unsaved_paper("2606.00002", "The one after it"),
    ]
    references = references_of(papers)
    read_bibtex(references)
    assert [found["title"] for found in rispy.loads(ris(references))] == [found.title for found in references]
    check_csl(json.loads(csljson(references)), references)


@given(text=st.text(st.sampled_from("aé ñł%&#_中ếø.,"), max_size=30))
@settings(max_examples=300)
def test_what_is_written_as_latex_reads_as_it_was(text):
    found = one(abstract=text)
    fields = read_bibtex([found])[0]
    assert as_text(fields.get("abstract", "")) == found.abstract


@pytest.mark.parametrize(
    ("title", "written"),
    [
        ("Attention is all you need", "{Attention} is all you need"),
        ("BERT: a GPT-4o for LLaMA", "{BERT}: a {GPT-4o} for {LLaMA}"),
        ("100% of R&D_x #1", r"100{\%} of {R{\&}D{\_}x} {\#}1"),
        ("Solving $O(n^2)$ in $k$ steps", "{Solving} {$O(n^2)$} in {$k$} steps"),
        ("from $5 to $10", r"from {\$}5 to {\$}10"),
        ("only $200k", r"only {\$}200k"),
        (r"$\left\{ x$", r"{\$}{\textbackslash}left{\textbackslash}{\textbraceleft} x{\$}"),
        ("a naïve 中文 title", 'a na{\\"\\i}ve 中文 title'),
        (r"prefill \& decode of \'ecole", r"prefill {\&} decode of {\'e}cole"),
        ("ế and ł", r"{\'{{\^{e}}}} and {\l}"),
        ("{braces}", r"{\textbraceleft}braces{\textbraceright}"),
    ],
)
def test_titles_keep_their_capitals_accents_and_mathematics(title, written):
    assert read_bibtex([one(title=title)])[0]["title"] == written


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Ada Lovelace", "Lovelace, Ada"),
        ("Donald E. Knuth", "Knuth, Donald E."),
        ("Laurens van der Maaten", "van der Maaten, Laurens"),
        ("Fernando De la Torre", "De la Torre, Fernando"),
        ("Emily de Oliveira Santos", "de Oliveira Santos, Emily"),
        ("Nguyen Van An", "An, Nguyen Van"),
        ("Martin Luther King Jr.", "King, Jr., Martin Luther"),
        ("Hal Daumé III", r"Daum{\'e}, III, Hal"),
        ("John Smith, Jr.", "Smith, Jr., John"),
        ("Smith, John", "Smith, John"),
        ("王小明", "{王小明}"),
        ("李 明", "{李 明}"),
        ("DeepSeek-AI", "{DeepSeek-AI}"),
        ("Gemini Team", "{Gemini Team}"),
        ("Bill and Melinda Gates", "{Bill and Melinda Gates}"),
        ("A, B, C", "{A, B, C}"),
        ("others", "{others}"),
        ("Shuhan Song§", "Song, Shuhan"),
        ("Ayşe Gül", r"G{\"u}l, Ay{\c{s}}e"),
    ],
)
def test_names_are_taken_apart(name, parts):
    assert read_bibtex([one(authors=[name])])[0]["author"] == parts


def test_a_name_in_parts_stands_in_csl_and_ris():
    found = one(authors=["Laurens van der Maaten", "Martin Luther King Jr.", "Gemini Team"])
    assert json.loads(csljson([found]))[0]["author"] == [
        {"family": "Maaten", "given": "Laurens", "non-dropping-particle": "van der"},
        {"family": "King", "given": "Martin Luther", "suffix": "Jr."},
        {"literal": "Gemini Team"},
    ]
    assert rispy.loads(ris([found]))[0]["authors"] == [
        "van der Maaten, Laurens",
        "King, Martin Luther, Jr.",
        "Gemini Team",
    ]


def test_a_paper_without_authors_is_a_reference_too():
    found = one(authors=["", "†"])
    assert found.key.startswith("anonymous2026")
    assert "author" not in read_bibtex([found])[0]
    assert "authors" not in rispy.loads(ris([found]))[0]


@pytest.mark.parametrize(
    ("columns", "key"),
    [
        ({"authors": ["Ashish Vaswani"], "title": "Attention Is All You Need"}, "vaswani2026attention-2606.00001"),
        ({"authors": ["Łukasz Kaiser"], "title": "The “Ünder” 中文"}, "kaiser2026under-2606.00001"),
        ({"authors": ["Mikkel Sørensen"], "title": "A is an $x$"}, "sorensen2026x-2606.00001"),
        ({"authors": ["王小明"], "title": "中文"}, "anonymous2026-2606.00001"),
        ({"authors": ["Ada Lovelace"], "title": "Old", "arxiv_id": "hep-th/9901001"}, "lovelace2026old-hep-th-9901001"),
    ],
)
def test_keys_are_ascii_and_say_which_paper(columns, key):
    assert one(**columns).key == key


def test_a_key_is_the_same_whatever_is_exported_with_the_paper():
    paper = unsaved_paper("2606.00001")
    twin = unsaved_paper("2606.00002")
    alone = read_keys([paper])
    assert read_keys([twin, paper])[1:] == alone
    assert len(set(read_keys([twin, paper]))) == 2


def read_keys(papers: list[Paper]) -> list[str]:
    return list(parse_string(bibtex(references_of(papers)), "bibtex").entries)


def test_an_entry_is_what_arxiv_itself_offers_and_the_chinese_line():
    found = one(categories="cs.CL cs.LG", one_line="一句话：降低 60%", abstract="We\nstudy.", tags=["a, b", "c"])
    [fields] = read_bibtex([found])
    assert fields["archivePrefix"] == "arXiv"
    assert fields["primaryClass"] == "cs.CL"
    assert fields["eprint"] == "2606.00001"
    assert (fields["year"], fields["date"]) == ("2026", "2026-06-05")
    assert fields["url"] == "https://arxiv.org/abs/2606.00001"
    assert fields["doi"] == "10.48550/arXiv.2606.00001"
    assert fields["note"] == r"一句话：降低 60{\%}"
    assert fields["keywords"] == "a  b, c"
    assert bibtex([found]).startswith("@misc{")


def test_ris_has_the_line_ends_of_the_format_and_nothing_before_a_reference():
    text = ris(references_of([unsaved_paper("2606.00001"), unsaved_paper("2606.00002")]))
    assert text.startswith("TY  - UNPB\r\n")
    assert text.count("\r\nER  - \r\n") == 2
    assert "\n" not in text.replace("\r\n", "")


@pytest.mark.parametrize("text", ["x\nER  - \nTY  - BOOK", "x\r\nTY  - BOOK", "x\u2028TY  - BOOK", "x\x85TY  - BOOK"])
def test_no_text_begins_a_reference_of_its_own(text):
    found = rispy.loads(ris([one(title=text, abstract=text, authors=[text], tags=[text], one_line=text)]))
    assert [fields["type_of_reference"] for fields in found] == ["UNPB"]
