"""Whether a summary is plainly that of another paper.

Two signs are taken, both so strong that a fair summary does not show them: the object names another arXiv id or
another title as its own; or it holds five or more distinctive terms in Latin letters (names of models, data sets and
methods) of which the paper's own text knows none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.summary.grading import prose
from papers.summary.language import chinese_share
from papers.summary.placeholders import bare
from papers.summary.schema import SummarySchema

_ID_KEYS = ("arxiv_id", "arxivid", "arxiv", "paper_id", "paperid", "id", "arxiv_url", "url", "pdf_url", "link")
_TITLE_KEYS = ("title_en", "title", "paper_title", "english_title", "en_title", "original_title", "title_original")
_DISTINCTIVE_AT_LEAST = 5
# Below, a text (a title alone, say) knows too little for the terms to tell anything.
_TEXT_AT_LEAST = 200
# Shares from which two titles may be the same, given how models shorten, re-spell and strip TeX from them.
_SAME_WORDS, _SAME_LETTERS = 0.6, 0.65
_SHORT_WORD = 3
# A name: letters and digits, joined by marks, with a digit or a capital behind its first character.
_TERM = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:[-_.+][A-Za-z0-9]+)*", re.ASCII)
_DISTINCTIVE = re.compile(r"(?=.{3,40}\Z).+[A-Z0-9].*", re.ASCII)
# Names that writers bring along as background.
_COMMON = frozenset(
    "llm llms mllm mllms vlm vlms lvlm lvlms gpt gpt4 gpt3 gpt4o chatgpt bert llama vit cnn cnns rnn rnns gan gans mlp "  # noqa: SIM905
    "lstm transformer moe cot rag rl rlhf dpo ppo grpo sft lora peft gpu gpus cpu api apis sota nlp ocr asr tts vqa qa "
    "github arxiv clip ai ml agi top1 f1 auc map iou psnr ssim fid bleu rouge pdf json html python pytorch".split()
)


@dataclass(frozen=True)
class PaperFacts:
    """What is known of a paper whatever its summary says; `text` is its text, as far as there is one."""

    arxiv_id: str
    title: str
    text: str = ""


def other_paper(full: dict[str, Any], summary: SummarySchema, facts: PaperFacts) -> str | None:
    """Return why a summary is plainly another paper's, or None."""
    return _other_id(full, facts) or _other_title(full, facts) or _unknown_terms(summary, facts)


def _named(full: dict[str, Any], keys: tuple[str, ...]) -> Iterator[str]:
    """Yield the texts under any of `keys`, in whatever case they are written."""
    for key, value in full.items():
        if key.lower() in keys and isinstance(value, str) and value.strip():
            yield value


def _other_id(full: dict[str, Any], facts: PaperFacts) -> str | None:
    """Return a sentence about another arXiv id that the object names as its own."""
    for text in _named(full, _ID_KEYS):
        try:
            found, _version = split_arxiv_id(text)
        except InvalidArxivId:
            continue
        if found.lower() != facts.arxiv_id.lower():
            return f"the summary says it is of {found}, not of {facts.arxiv_id}"
    return None


def _other_title(full: dict[str, Any], facts: PaperFacts) -> str | None:
    """Return a sentence about another English title that the object names as its own."""
    for text in _named(full, _TITLE_KEYS):
        if chinese_share([text, facts.title]) == 0 and not _same_title(text, facts.title):
            return f"the summary says its paper is called {text[:120]!r}"
    return None


def _same_title(one: str, other: str) -> bool:
    """Tell whether two English titles may be the same: one within the other, or half of their words or letters."""
    left, right = bare(one), bare(other)
    if not left or not right or left in right or right in left:
        return True
    words, known = _words(one), _words(other)
    shared = len(words & known) / max(1, min(len(words), len(known)))
    return shared >= _SAME_WORDS or SequenceMatcher(None, left[:400], right[:400]).ratio() >= _SAME_LETTERS


def _words(title: str) -> set[str]:
    """Return the words of a title that are long enough to mean something."""
    return {word for word in re.findall(r"[a-z0-9]+", title.lower()) if len(word) > _SHORT_WORD}


def _unknown_terms(summary: SummarySchema, facts: PaperFacts) -> str | None:
    """Return a sentence about distinctive terms of which the paper's text has none."""
    if len(facts.text) < _TEXT_AT_LEAST:
        return None
    known = bare(facts.title + " " + facts.text)
    terms = distinctive_terms(summary)
    if len(terms) < _DISTINCTIVE_AT_LEAST or any(bare(term) in known for term in terms):
        return None
    return f"the paper's text knows none of {', '.join(sorted(terms)[:8])}"


def distinctive_terms(summary: SummarySchema) -> set[str]:
    """Return the names of models, data sets and methods in a summary's title and prose, common ones left out."""
    found = {term for text in (summary.title_zh, *prose(summary)) for term in _TERM.findall(text)}
    return {term for term in found if _DISTINCTIVE.fullmatch(term) and bare(term) not in _COMMON}
