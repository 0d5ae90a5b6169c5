import json
import lzma

import pytest

from operations.sources.arxiv_atom import read_feed
from operations.sources.withdrawal import says_withdrawn


@pytest.mark.parametrize(
    "comment",
    [
        "This paper has been withdrawn by the authors due to an error in Section 3",
        "paper withdrawn by author",
        "Withdrawn",
        "withdrawn.",
        "[WITHDRAWN]",
        "Withdrawn by the author because of a crucial error in eq. 5",
        "Withdrawn due to the error in the original proof",
        "12 pages, 5 figures. This paper has been withdrawn",
        "This submission has been withdrawn by arXiv administrators because it contains fictitious content",
        "This article has been withdrawn from arXiv",
        "This version withdrawn by arXiv administrators because the submitter did not have the right to agree",
        "The manuscript is withdrawn for a major revision",
        "Our paper was temporarily withdrawn",
        "This paper (arXiv:1234.5678) has been withdrawn",
        "The authors have withdrawn this paper",
        "We withdraw this paper due to a mistake",
        "I have decided to withdraw this submission",
        "Note: this work is now withdrawn; see arXiv:2101.00001",
        "This paper has been retracted by the authors",
        "Paper\nwithdrawn",
    ],
)
def test_a_withdrawn_paper_is_known_by_its_comment(comment):
    assert says_withdrawn(comment, "We study things.")


@pytest.mark.parametrize(
    "comment",
    [
        "",
        "12 pages, 5 figures",
        "The first version was withdrawn; this is the corrected one",
        "An earlier version of this paper was withdrawn",
        "Replaces the withdrawn arXiv:1234.5678",
        "Withdrawn from ICLR 2025 and extended",
        "This paper was withdrawn from the journal and is published here",
        "This paper has not been withdrawn",
        "Previously withdrawn, now with corrected proofs",
        "withdrawn version of arXiv:1234.5678",
        "Withdrawn papers on arXiv: a study",
        "We withdrew the assumption of convexity",
        "We withdraw this assumption",
        "v1 withdrawn, v2 corrected",
        "The authors withdrew this paper from NeurIPS 2024",
        "Retracted articles and their citations",
        "See our retracted proof",
    ],
)
def test_a_comment_that_speaks_of_something_else_withdraws_nothing(comment):
    assert not says_withdrawn(comment, "We study things.")


@pytest.mark.parametrize(
    "abstract",
    [
        "paper withdrawn due to the possible error in numerical eigenfunction calculation",
        "This paper has been withdrawn by the author(s) due a crucial sign error in equation 1.",
        "We prove a theorem about knots. This paper has been withdrawn because of a gap in Lemma 2.",
        "Withdrawn by the authors.",
    ],
)
def test_a_notice_in_place_of_the_abstract_is_understood(abstract):
    assert says_withdrawn("", abstract)


@pytest.mark.parametrize(
    "abstract",
    [
        "",
        "We withdrew the assumption of convexity. The result still holds.",
        "We study what happens after a paper has been withdrawn. The paper was withdrawn in 3% of all cases.",
        "Withdrawn papers keep being cited. We count how often.",
        "Ventilation was withdrawn in 40 patients.",
        "Participants may be withdrawn. This paper has been accepted.",
        "Liquidity is withdrawn from the market when volatility rises.",
        "Retracted papers are a threat to science, and this paper finds them.",
    ],
)
def test_an_abstract_about_withdrawal_withdraws_nothing(abstract):
    assert not says_withdrawn("10 pages", abstract)


@pytest.mark.slow
def test_none_of_many_real_papers_is_taken_for_withdrawn(recorded):
    with lzma.open(recorded / "scale" / "arxiv_metadata.jsonl.xz", "rt", encoding="utf-8") as lines:
        rows = map(json.loads, lines)
        found = [row["id"] for row in rows if says_withdrawn(row["comment"] or "", row["summary"] or "")]
    assert found == []


def test_the_recorded_withdrawn_paper_is_known(recorded):
    (record,) = read_feed((recorded / "arxiv_atom" / "derived_withdrawn_nopdf.xml").read_bytes())
    assert record.is_withdrawn
