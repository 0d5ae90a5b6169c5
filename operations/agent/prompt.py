"""The request for a summary, with the paper's text marked as data."""

import json
import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from papers.text import one_line, without_controls

PROMPT_FILE = Path(__file__).with_name("prompts") / "summary.zh.md"

# Dense LaTeX is about two characters a token, so this is at most 100,000 tokens: what fits, with the request and the
# answer, into the 128,000 that today's models take. All but a few papers are shorter; what is cut are their appendices.
LONGEST_TEXT = 200_000  # characters
LONGEST_TITLE = 500  # characters
# Papers have up to thousands of authors; the names only help to recognise the paper.
MOST_AUTHORS = 20
LONGEST_NAME = 100  # characters
# What is kept of a paper's text, for people who look at a request later: never the paper itself, so at most a half.
KEPT_BEGINNING, KEPT_END = 3_000, 1_000  # characters
_GAP = re.compile(r"\[\[(\w+)\]\]")


@dataclass(frozen=True)
class SummaryRequest:
    """A request for a summary: as it is sent, and as it is kept, with the beginning and the end of the text alone."""

    sent: str
    kept: str


def summary_request(
    arxiv_id: str, title: str, authors: Sequence[str], text: str, *, is_cut: bool = False
) -> SummaryRequest:
    """Return the request for a summary of one paper.

    The text stands between two lines with a marker that nobody could know when the paper was written, so that it cannot
    end its own block and go on as instructions. A text over `LONGEST_TEXT` is cut there, and the request says so, as it
    does where `text` is only the beginning of the paper's already (`is_cut`).
    """
    values = _values(arxiv_id, title, authors, text, is_cut)
    return SummaryRequest(_filled(values), _filled({**values, "text": _shortened(values["text"])}))


def _values(arxiv_id: str, title: str, authors: Sequence[str], text: str, is_cut: bool) -> dict[str, str]:
    clean = without_controls(text)
    return {
        "arxiv_id": arxiv_id,
        "title": one_line(title)[:LONGEST_TITLE],
        "authors": _names(authors),
        "extent": _extent(len(clean), is_cut),
        "marker": _marker(clean),
        "text": clean[:LONGEST_TEXT],
    }


def _filled(values: dict[str, str]) -> str:
    # In one pass, so that a gap's name within the paper's text stays what it is.
    return _GAP.sub(lambda gap: values[gap[1]], _template())


def _shortened(text: str) -> str:
    beginning, end = min(KEPT_BEGINNING, len(text) * 3 // 8), min(KEPT_END, len(text) // 8)
    left_out = len(text) - beginning - end
    note = f"……（此处略去 {left_out} 个字符：正文不保存）……"
    return f"{text[:beginning]}\n\n{note}\n\n{text[beginning + left_out :]}"


def is_echo(summary: dict[str, Any]) -> bool:
    """Tell whether an answer is the example that the request shows, given back as it is."""
    example = _example()
    return any(summary.get(name) == example[name] for name in ("one_line", "motivation", "method"))


@cache
def _example() -> dict[str, Any]:
    found = re.search(r"^\{$.*?^\}$", _template(), re.MULTILINE | re.DOTALL)
    return json.loads(found[0]) if found else {}


@cache
def _template() -> str:
    return PROMPT_FILE.read_text("utf-8").strip() + "\n"


def _marker(text: str) -> str:
    while (marker := f"=== DATA {secrets.token_hex(12)} ===") in text:
        pass
    return marker


def _names(authors: Sequence[str]) -> str:
    names = [one_line(name)[:LONGEST_NAME] for name in authors[:MOST_AUTHORS]]
    more = f" 等，共 {len(authors)} 位" if len(authors) > MOST_AUTHORS else ""
    return ", ".join(names) + more if names else "（未知）"


def _extent(length: int, is_cut: bool) -> str:
    if is_cut:
        return f"正文：过长，只给出前 {min(length, LONGEST_TEXT)} 个字符，其后的内容未提供，不要臆测。"
    if length <= LONGEST_TEXT:
        return f"正文：全文，共 {length} 个字符。"
    return f"正文：过长，只给出前 {LONGEST_TEXT} 个字符（全文共 {length} 个字符），其后的内容未提供，不要臆测。"
