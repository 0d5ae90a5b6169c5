"""How good a summary is: the rules, in one place.

`low` (beats `degraded`), if any of these holds:
1. Under 25 % of its letters are Chinese (see `language`).
2. A required field says nothing: 无, 暂无, 未提及, punctuation alone, or, the title aside, a sentence true of any
   paper (本文提出了一种方法。). Required are title_zh, one_line, motivation.problem and method.key_idea.
3. Of one_line, motivation.problem and method.key_idea one equals another, or the Chinese or English title, after
   folding width, case, white space and punctuation. Or title_zh is an English title of four words and more, left
   untranslated.
4. A required field is far too short: fewer characters and Latin words than `SHORTEST` says.
5. One sentence is repeated: a required field says it three times or more, or says it twice and nothing else; or it is
   said three times or more over all prose and makes up half of its sentences.

`degraded`: an important field is missing, which are motivation.goal, motivation.gap, method.overview and
results.main_findings. Blank, 无, "N/A", a report of failure, or a list of nothing else count as missing.

`normal`: everything else.
"""

import re
from collections import Counter
from collections.abc import Iterator

from papers.models import SummaryQuality
from papers.summary.language import CJK, LOW_BELOW, chinese_share, summary_texts
from papers.summary.placeholders import bare, fits_any_paper, is_missing, says_nothing
from papers.summary.schema import SummarySchema

# Characters and Latin words. The shortest fair texts seen in 65,000 real outputs have 11 (one line) and 18.
SHORTEST = {"title_zh": 1, "one_line": 8, "motivation.problem": 6, "method.key_idea": 6}
_WORDS_OF_A_TITLE = 4
_WORD = re.compile(r"[A-Za-z0-9]+")
_SENTENCE_END = re.compile(r"[。！？!?；;\n]+|\.(?=\s|\Z)")
# Shorter pieces ("是的") may repeat.
_SENTENCE_AT_LEAST = 6
_REPEATED = 3


def grade(summary: SummarySchema, title: str = "") -> tuple[SummaryQuality, tuple[str, ...]]:
    """Return the quality of a summary of the paper called `title`, and the important fields it lacks."""
    lacking = important_missing(summary)
    if is_hollow(summary, title):
        return SummaryQuality.LOW, lacking
    return (SummaryQuality.DEGRADED if lacking else SummaryQuality.NORMAL), lacking


def important_missing(summary: SummarySchema) -> tuple[str, ...]:
    """Return the dotted names of the important fields that are missing."""
    important = {
        "motivation.goal": [summary.motivation.goal],
        "motivation.gap": [summary.motivation.gap],
        "method.overview": [summary.method.overview],
        "results.main_findings": summary.results.main_findings,
    }
    return tuple(name for name, texts in important.items() if all(map(is_missing, texts)))


def is_hollow(summary: SummarySchema, title: str = "") -> bool:
    """Tell whether a summary is there in form but says too little, in Chinese, to be of use."""
    required = required_texts(summary)
    return (
        chinese_share(summary_texts(summary)) < LOW_BELOW
        or any(map(says_nothing, required.values()))
        or any(fits_any_paper(text) for name, text in required.items() if name != "title_zh")
        or any(length(text) < SHORTEST[name] for name, text in required.items())
        or _repeats_another(required, title)
        or _repeats_a_sentence(summary)
    )


def required_texts(summary: SummarySchema) -> dict[str, str]:
    """Return the required texts by their dotted names."""
    return {
        "title_zh": summary.title_zh,
        "one_line": summary.one_line,
        "motivation.problem": summary.motivation.problem,
        "method.key_idea": summary.method.key_idea,
    }


def length(text: str) -> int:
    """Return how many CJK characters and Latin words or numbers a text has."""
    return len(CJK.findall(text)) + len(_WORD.findall(text))


def _repeats_another(required: dict[str, str], title: str) -> bool:
    """Tell whether required texts equal each other or a title."""
    said = [bare(text) for text in required.values()]
    english = bare(title)
    untranslated = said[0] == english and len(_WORD.findall(title)) >= _WORDS_OF_A_TITLE
    return len(set(said)) < len(said) or english in said[1:] or untranslated


def _repeats_a_sentence(summary: SummarySchema) -> bool:
    """Tell whether one sentence is said again and again."""
    for text in list(required_texts(summary).values())[1:]:
        said = Counter(sentences(text))
        if said and (max(said.values()) >= _REPEATED or (len(said) == 1 and said.total() > 1)):
            return True
    overall = Counter(sentence for text in prose(summary) for sentence in sentences(text))
    most = max(overall.values(), default=0)
    return most >= _REPEATED and 2 * most >= overall.total()


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, folded, very short ones left out."""
    pieces = map(bare, _SENTENCE_END.split(text))
    return [piece for piece in pieces if len(piece) >= _SENTENCE_AT_LEAST]


def prose(summary: SummarySchema) -> Iterator[str]:
    """Yield the texts of a summary that are made of sentences."""
    motivation, method, results = summary.motivation, summary.method, summary.results
    yield from (summary.one_line, motivation.problem, motivation.goal, motivation.gap)
    yield from (method.overview, method.key_idea, method.novelty, *method.steps)
    yield from (*results.main_findings, *results.limitations)
    yield from (*summary.improvements.weaknesses, *summary.improvements.future_work)
