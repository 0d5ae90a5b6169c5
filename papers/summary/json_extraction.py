"""Finds the one JSON object in what a language model wrote.

The object meant is the last complete one at top level that `accept` takes; or the only object in a top-level array or
under a single key. Fences, prose and blocks of reasoning round it are passed over; what merely mentions them inside a
string is left alone. What can be mended without guessing is mended (see `json_mending` and `tex_escapes`).

Hostile text costs at most a few passes: the characters looked at are counted, and the search ends when too many were.
"""

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from papers.summary.json_mending import REPAIR_LIMIT, CutOff, NearJson, NotMended, repaired
from papers.summary.json_values import ensure_storable
from papers.summary.tex_escapes import double_tex_backslashes

T = TypeVar("T")

_TAGS = "think|thinking|thought|thoughts|reasoning|reflection|analysis"
_LEADING_REASONING = re.compile(rf"\s*+<({_TAGS})>.*?</\1>", re.S | re.I)
# A block whose opening tag stood in the prompt: its closing tag has a line of its own.
_HEADLESS_REASONING = re.compile(rf"\A[^{{\[<]*+[^<]*?\n[ \t]*</(?:{_TAGS})>[ \t]*(?:\n|\Z)", re.I)
# What an object begins with: a key and its colon, a comment, its end, or the end of the text.
_FIRST_KEY = r"(?:[\"“”＂][^\"“”＂\n]{0,200}+[\"“”＂]|['‘’][^'‘’\n]{0,200}+['‘’]|[A-Za-z_]\w{0,60})\s{0,20}(?:[:：]|\Z)"
_OPENING = re.compile(
    rf"(?P<object>\{{(?=\s{{0,1000}}+(?:{_FIRST_KEY}|//|/\*|\#|\}}|[\"“”'‘’＂]?[^\"“”＂\n]{{0,200}}+\Z)))"
    rf"|(?P<array>\[(?=\s{{0,1000}}+\{{))"
    rf"|(?<!`)(?P<tag></?(?:{_TAGS})>)",
    re.I,
)
_NESTED_REACH = 200
_KEY_ENDS = ('"', "'", "”", "’", "＂")
# A text may be read so many times over, in pieces, before the search is given up.
_PASSES = 2
_WORK_AT_LEAST = 65_536
# What it costs to fail at an opening, in characters read: errors of `json` count the lines before them.
_WORK_OF_AN_OPENING = 200
_WORK_OF_A_QUOTE = 20
_WORK_OF_TOO_DEEP = 10_000
_ACCEPT_AT_MOST = 300
_DIGITS_AT_MOST = 300
_UNWRAP_AT_MOST = 3


class JsonNotFound(ValueError):
    """There is no object in the text."""


class JsonInvalid(ValueError):
    """There is an object, but it is cut off or cannot be mended."""


@dataclass(frozen=True)
class _Candidate:
    """An object or array at top level, or the remains of one."""

    size: int
    value: Any = None
    problem: str = ""


def find_json_object(raw: str, accept: Callable[[dict[str, Any]], T]) -> T:
    """Return what `accept` makes of the object meant in `raw`.

    `accept` raises a ValueError for an object that will not do.

    Raises:
        JsonNotFound: blank, prose only, no object.
        JsonInvalid: the most plausible object is cut off or cannot be mended.
        Unstorable: it holds control characters, lone surrogates or numbers that are none.
        ValueError: what `accept` raised for it.
    """
    candidates = list(_candidates(double_tex_backslashes(_without_leading_reasoning(raw))))
    if not candidates:
        raise JsonNotFound("blank output" if not raw.strip("\ufeff \t\r\n") else "no JSON object in the output")
    return _last_accepted(candidates, accept)


def _last_accepted(candidates: list[_Candidate], accept: Callable[[dict[str, Any]], T]) -> T:
    """Return what `accept` makes of the last candidate it takes, or raise the error of the largest one."""
    largest, size = None, -1
    tried = 0
    for candidate in reversed(candidates):
        if tried >= _ACCEPT_AT_MOST and candidate.size <= size:
            continue
        tried += 1
        try:
            return _accepted(candidate, accept)
        except ValueError as problem:
            if candidate.size > size:
                largest, size = problem, candidate.size
    raise largest or JsonNotFound("no JSON object in the output")


def _accepted(candidate: _Candidate, accept: Callable[[dict[str, Any]], T]) -> T:
    """Return what `accept` makes of a candidate, or of the only object inside it."""
    if candidate.problem:
        raise JsonInvalid(candidate.problem)
    problem: ValueError | None = None
    value = candidate.value
    for _ in range(_UNWRAP_AT_MOST):
        if isinstance(value, dict):
            try:
                ensure_storable(value)
                return accept(value)
            except ValueError as refused:
                problem = refused
        value = _only_value(value)
        if value is None:
            break
    raise problem or JsonInvalid("several objects in an array, where one was asked for")


def _only_value(value: Any) -> dict[str, Any] | list[Any] | None:
    """Return the only object of an array, or the object or array under an object's single key."""
    if isinstance(value, list):
        objects = [item for item in value if isinstance(item, dict)]
        return objects[0] if len(objects) == 1 else None
    inner = next(iter(value.values())) if len(value) == 1 else None
    return inner if isinstance(inner, dict | list) else None


def _without_leading_reasoning(text: str) -> str:
    """Return the text behind the reasoning it begins with."""
    text = text.lstrip("\ufeff")
    begin = 0
    while block := _LEADING_REASONING.match(text, begin):
        begin = block.end()
    text = text[begin:]
    headless = _HEADLESS_REASONING.match(text)
    return text[headless.end() :] if headless else text


def _candidates(text: str) -> list[_Candidate]:
    """Return the objects and arrays at top level in their order, those inside blocks of reasoning left out."""
    found: list[_Candidate] = []
    reasoning_began: int | None = None
    position, work = 0, 0
    broken = False
    while work <= _PASSES * len(text) + _WORK_AT_LEAST and (opening := _OPENING.search(text, position)):
        position = opening.end()
        if tag := opening["tag"]:
            if tag.startswith("</"):
                del found[reasoning_began or 0 :]
                reasoning_began = None
            else:
                reasoning_began = len(found)
            continue
        if broken and _is_nested(text, opening.start()):
            continue
        candidate, end, looked_at = _read(text, opening.start())
        work += looked_at
        if candidate:
            found.append(candidate)
        if end is not None:
            position = end
            continue
        work += _WORK_OF_AN_OPENING
        broken = broken or candidate is not None
    return found


def _is_nested(text: str, position: int) -> bool:
    """Tell whether what begins at `position` looks like an element or a value of the broken object before it."""
    before = text[max(0, position - _NESTED_REACH) : position].rstrip()
    if before.endswith((":", "：")):
        return before[:-1].rstrip().endswith(_KEY_ENDS)
    return before.endswith(("[", ",", "，"))


def _read(text: str, start: int) -> tuple[_Candidate | None, int | None, int]:
    """Read what begins at `start`.

    Returns the candidate (None: it was prose), where it ends (None: unknown), and how many characters were looked at.
    """
    try:
        value, end = _DECODER.raw_decode(text, start)
        return _Candidate(end - start, value), end, end - start
    except RecursionError:
        return _Candidate(_WORK_OF_TOO_DEEP, problem="nested too deeply"), None, _WORK_OF_TOO_DEEP
    except ValueError as problem:
        looked_at = getattr(problem, "pos", start) - start
    candidate, ending, more = _read_nearly(text, start)
    return candidate, ending, looked_at + more


def _read_nearly(text: str, start: int) -> tuple[_Candidate | None, int | None, int]:
    """Read what begins at `start` and is not quite JSON; returns as `_read`."""
    reader = NearJson(text)
    try:
        value, end = reader.read(start)
    except CutOff as problem:
        looked_at = len(text) - start + reader.quotes * _WORK_OF_A_QUOTE
        return _Candidate(len(text) - start, problem=f"cut off: {problem}"), None, looked_at
    except NotMended as problem:
        looked_at = problem.position - start + reader.quotes * _WORK_OF_A_QUOTE
        if not reader.members:
            return None, None, looked_at
        looked_at += min(len(text) - start, REPAIR_LIMIT)
        if mended := repaired(text, start):
            return _Candidate(mended[1] - start, mended[0]), mended[1], looked_at
        return _Candidate(problem.position - start, problem=str(problem)), None, looked_at
    return _Candidate(end - start, value), end, end - start


def _whole_number(digits: str) -> int:
    """Return a whole number, refusing one of absurd length before it is converted."""
    if len(digits) > _DIGITS_AT_MOST:
        raise ValueError("a number is too long")
    return int(digits)


_DECODER = json.JSONDecoder(strict=False, parse_int=_whole_number)
