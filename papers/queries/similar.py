"""Papers that are like one paper: by tags they share, and by words of title and one line.

The search index finds them, without its bm25: that ranks every paper that has any of the words, which is most of the
library. Here each tag and word gives the newest papers that have it, at most `NEWEST`, so the work stays the same
however large the library grows; how far back these reach tells how rare the word is, and the rarer one counts more.
The few best are then compared by their own titles and one lines, which gives the reason a reader sees.
"""

import json
import math
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from papers.addresses import paper_address
from papers.models import Paper
from papers.queries import sql
from papers.search.text import CJK_CLASS, indexed
from papers.text import fold

SHOWN = 6
# Newest papers looked at for each tag or word.
NEWEST = 80
_MOST_TAGS = 5
_MOST_TITLE_WORDS = 6
_MOST_LINE_WORDS = 2
# Papers compared word by word; several times as many as are shown.
_COMPARED = 18
_REASONS = 3
# A tag was chosen to say what a paper is about; a word in an abstract says less than one in a title.
_TAG, _WORD, _MENTION = 1.6, 1.0, 0.3
# In parts of all papers: what more of them have is too common to make two alike by itself.
_COMMON = 0.06

_LATIN = re.compile(rf"(?![{CJK_CLASS}_])\w")
_WORD_PATTERN = re.compile(rf"(?:(?![{CJK_CLASS}_\d])\w)(?:(?![{CJK_CLASS}_])\w)+")
_COMPOUND = re.compile(r"(?<![A-Za-z0-9])[A-Za-z0-9]+(?:-[A-Za-z0-9]+)+")
# What titles say about any paper; they would only take the place of words that say more.
_STOP_WORDS = frozenset(
    re.findall(
        r"\w+",
        "about across against all also an and any approach approaches are as at based be beyond but by can case "
        "data dataset datasets deep do does driven effective efficient enhanced enhancing evaluating evaluation "
        "exploring fast for framework free from general guided high how improved improving in into is it its "
        "language large learn learning less level leveraging like meet meets method methods model modeling models "
        "more multi need network networks neural new not novel of on one only or our out over paper per "
        "performance problem research robust scale self simple single study survey system systems task tasks "
        "technical report than that the their them there these they this through time to too toward towards "
        "training two under understanding unified using via versus vs we what when where which while who why with "
        "within without work you your",
    )
)


@dataclass(frozen=True, slots=True)
class SimilarPaper:
    """A paper like another, and what the two share, as a reader would write it."""

    arxiv_id: str
    title: str
    language: str
    reasons: tuple[str, ...]

    @property
    def address(self) -> str:
        """The paper's page."""
        return paper_address(self.arxiv_id)


@dataclass(frozen=True, slots=True)
class _Term:
    """A tag or a word of the paper; `forms` are how it is looked for, `compound` the word it is a part of."""

    shown: str
    forms: tuple[str, ...]
    is_tag: bool
    compound: str = ""


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A paper that shares something, with the texts that are compared."""

    arxiv_id: str
    title_en: str
    title_zh: str
    one_line: str

    @property
    def text(self) -> str:
        return f"{self.title_en}\n{self.title_zh}\n{self.one_line}"


@dataclass(frozen=True, slots=True)
class _Likeness:
    """How alike a candidate is, 0 without a good reason, and what the two share, the strongest first."""

    candidate: _Candidate
    score: float
    reasons: tuple[_Term, ...]


def similar_papers(paper: Paper, *, tags: Sequence[str], summary_line: str) -> list[SimilarPaper]:
    """Return up to `SHOWN` papers like `paper`, the likest first, in two queries; withdrawn ones are left out.

    `tags` are those of `paper`, once each, and `summary_line` is the one line of its summary.
    """
    terms = _terms(paper, tags, summary_line)
    holders, total = _holders(terms)
    weights = {index: _weight(ids, total, terms[index]) for index, ids in holders.items()}
    best = _best(holders, weights, paper.pk)
    compared = _candidates(best)
    alike = [_compare(compared[key], terms, found, weights) for key, found in best.items() if key in compared]
    ranked = sorted((likeness for likeness in alike if likeness.score > 0), key=lambda likeness: -likeness.score)
    return [_shown(likeness) for likeness in ranked[:SHOWN]]


def _terms(paper: Paper, tags: Sequence[str], summary_line: str) -> list[_Term]:
    tag_terms = [_Term(tag, (folded,), is_tag=True) for tag in tags[:_MOST_TAGS] if (folded := fold(tag))]
    title_words = list(_words(paper.title_en))[:_MOST_TITLE_WORDS]
    line_words = [word for word in _words(f"{paper.title_zh or ''} {summary_line}") if not _is_among(word, title_words)]
    compounds = {
        part.casefold(): compound
        for compound in _COMPOUND.findall(f"{paper.title_en}\n{summary_line}")
        for part in compound.split("-")
    }
    return tag_terms + [
        _Term(word, _forms(word), is_tag=False, compound=compounds.get(word.casefold(), ""))
        for word in [*title_words, *line_words[:_MOST_LINE_WORDS]]
    ]


def _words(text: str) -> Iterator[str]:
    """Yield the Latin words of `text` that may say something, once each."""
    seen = set()
    for word in _WORD_PATTERN.findall(text):
        key = word.casefold()
        if len(word) > 2 and key not in _STOP_WORDS and key not in seen:
            seen.add(key)
            yield word


def _is_among(word: str, words: Iterable[str]) -> bool:
    return word.casefold() in {each.casefold() for each in words}


def _forms(word: str) -> tuple[str, ...]:
    """Return the word and its plural or singular."""
    key = word.casefold()
    return (key, key[:-1]) if key.endswith("s") and len(key) > 3 else (key, f"{key}s")


def _holders(terms: Sequence[_Term]) -> tuple[dict[int, list[int]], int]:
    """Return for each term, by its place, the newest papers that have it; and the largest id there is."""
    parts, parameters = ["SELECT -1, max(id) FROM papers"], []
    for place, term in enumerate(terms):
        if term.is_tag:
            part = "SELECT paper_id AS id FROM paper_tags WHERE folded = %s ORDER BY paper_tags.id DESC"
            parameters.append(term.forms[0])
        else:
            part = "SELECT rowid AS id FROM papers_fts WHERE papers_fts MATCH %s ORDER BY rowid DESC"
            parameters.append(" OR ".join(f'"{indexed(form)}"' for form in term.forms))
        # A row for each term, not for each paper: for each row, Python's lock is given up and waited for.
        parts.append(f"SELECT {place}, json_group_array(id) FROM ({part} LIMIT {NEWEST})")  # noqa: S608
    (_place, total), *found = sql.rows(" UNION ALL ".join(parts), *parameters)
    return {place: paper_ids for place, array in found if (paper_ids := json.loads(array))}, total or 0


def _weight(ids: Sequence[int], total: int, term: _Term) -> float:
    """Return how much sharing the term says: the more, the fewer papers have it, judged by how far back `ids` reach."""
    reach = total if len(ids) < NEWEST else max(1, total - min(ids) + 1)
    share = len(ids) / max(1, reach)
    return math.log(1 + 1 / share) * (_TAG if term.is_tag else _WORD)


def _best(holders: dict[int, list[int]], weights: dict[int, float], own_id: int) -> dict[int, list[int]]:
    """Return the papers with the most in common and which terms these are."""
    scores: dict[int, float] = defaultdict(float)
    shared = {place: set(ids) for place, ids in holders.items()}
    for place, ids in shared.items():
        weight = weights[place]
        for paper_id in ids:
            scores[paper_id] += weight
    scores.pop(own_id, None)
    best = sorted(scores, key=lambda paper_id: (-scores[paper_id], -paper_id))[:_COMPARED]
    return {paper_id: [place for place, ids in shared.items() if paper_id in ids] for paper_id in best}


def _candidates(paper_ids: Iterable[int]) -> dict[int, _Candidate]:
    rows = sql.rows(
        "SELECT papers.id, arxiv_id, title_en, coalesce(title_zh, ''), coalesce(one_line, '') FROM papers"
        " LEFT JOIN paper_summaries ON paper_summaries.paper_id = papers.id"
        " WHERE NOT is_withdrawn AND papers.id IN (SELECT value FROM json_each(%s))",
        sql.ids(paper_ids),
    )
    return {paper_id: _Candidate(*columns) for paper_id, *columns in rows}


def _compare(
    candidate: _Candidate, terms: Sequence[_Term], found: Iterable[int], weights: dict[int, float]
) -> _Likeness:
    text, places = candidate.text, set(found)
    lowered = text.casefold()
    joined = "".join(lowered.split())  # as `fold` does but for the width of letters, in an eighth of the time
    score, reasons = 0.0, []
    for place, weight in weights.items():
        term = terms[place]
        if term.is_tag:
            is_said = place in places or term.forms[0] in joined
        else:
            is_said = any(_has_word(lowered, form) for form in term.forms)
        if is_said:
            score += weight
            reasons.append((weight, term))
        elif place in places:
            score += weight * _MENTION
    strong = sum(weight for weight, _term in reasons)
    is_alike = strong >= math.log(1 + 1 / _COMMON)
    reasons.sort(key=lambda pair: -pair[0])
    return _Likeness(candidate, score if is_alike else 0.0, tuple(term for _weight_of, term in reasons))


def _has_word(text: str, word: str) -> bool:
    """Tell whether `word` stands in `text` and is no part of a longer one; Chinese may touch it."""
    start = text.find(word)
    while start >= 0:
        end = start + len(word)
        if not _LATIN.match(text[start - 1 : start]) and not _LATIN.match(text[end : end + 1]):
            return True
        start = text.find(word, end)
    return False


def _shown(likeness: _Likeness) -> SimilarPaper:
    candidate = likeness.candidate
    title, language = (candidate.title_zh, "zh-Hans") if candidate.title_zh else (candidate.title_en, "en")
    return SimilarPaper(candidate.arxiv_id, title, language, _in_words(likeness.reasons, candidate.text))


def _in_words(reasons: Sequence[_Term], text: str) -> tuple[str, ...]:
    """Return the reasons, each thing once; a part of a word is said as the whole where the other has that too."""
    compounds = {compound.casefold() for compound in _COMPOUND.findall(text)}
    shown: dict[str, str] = {}
    for term in reasons:
        written = term.compound if term.compound.casefold() in compounds else term.shown
        if not any(fold(written) in known or known in fold(written) for known in shown):
            shown[fold(written)] = written
        if len(shown) == _REASONS:
            break
    return tuple(shown.values())
