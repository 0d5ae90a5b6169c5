r"""Abbreviations that authors define: `\newcommand{\method}{FooNet}` and the like, without arguments."""

import re
from functools import partial

from operations.assets.braces import Groups

MAX_BODY_CHARACTERS = 2000
MAX_MACROS = 3000
MAX_DEPTH = 10
# Characters that expansion may add to a document, beyond which the rest stays as it is.
MAX_GROWTH = 2_000_000

_DEFINITION = re.compile(
    r"\\(?P<how>(?:re|provide)?newcommand|renewcommand|providecommand|DeclareRobustCommand|DeclareMathOperator|[gex]?def)"
    r"(?![A-Za-z])\*?\s*(?:\{\s*\\(?P<braced>[A-Za-z]+)\s*\}|\\(?P<bare>[A-Za-z]+))"
    r"(?P<arguments>[^{}\n\\]{0,60})(?=\{)"
)
_WORD = re.compile(r"\\([A-Za-z]+)(\{\})?")
_LONGEST_DEFINITION = 20_000
# What the document's structure hangs on is never replaced.
_STRUCTURE = re.compile(
    r"begin|end|input|include|documentclass|part|chapter|(?:sub)*section|paragraph|title|author|abstract|caption|item"
    r"|label|cite|ref|footnote|url|href|appendix|maketitle|left|right|def|(?:re)?newcommand|fi|else|par"
)


def split_macros(text: str) -> tuple[str, dict[str, str]]:
    """Return `text` without its definitions of macros, and those that take no arguments, by name."""
    macros: dict[str, str] = {}
    groups = Groups(text)
    pieces: list[str] = []
    position = 0
    while match := _DEFINITION.search(text, position):
        end = groups.end(match.end(), _LONGEST_DEFINITION)
        if end is None:
            pieces.append(text[position : match.end()])
            position = match.end()
            continue
        pieces.append(text[position : match.start()])
        position = end
        _keep(macros, match, text[match.end() + 1 : end - 1])
    pieces.append(text[position:])
    return "".join(pieces), macros


def _keep(macros: dict[str, str], match: re.Match[str], body: str) -> None:
    name = match["braced"] or match["bare"]
    takes_arguments = match["arguments"].strip() or "#" in body
    if takes_arguments or _STRUCTURE.fullmatch(name) or len(body) > MAX_BODY_CHARACTERS:
        macros.pop(name, None)
    elif name in macros or len(macros) < MAX_MACROS:
        macros[name] = rf"\operatorname{{{body}}}" if match["how"] == "DeclareMathOperator" else body.strip()


def expand_macros(text: str, macros: dict[str, str]) -> str:
    """Return `text` with the macros replaced by what they stand for; one that refers to itself stays as it is."""
    flat = _flattened(macros)
    left = MAX_GROWTH

    def replace(match: re.Match[str]) -> str:
        nonlocal left
        body = flat.get(match[1])
        if body is None or left < len(body):
            return match[0]
        left -= len(body)
        return _joined(body, match)

    return _WORD.sub(replace, text) if flat else text


def _joined(body: str, match: re.Match[str]) -> str:
    r"""Keep the `{}` of `\name{}` where the body's last command would else run into the next letter."""
    ends_in_word = re.search(r"\\[A-Za-z]+$", body)
    return body + (match[2] or "" if ends_in_word else "")


def _flattened(macros: dict[str, str]) -> dict[str, str]:
    """Return the macros with those inside their bodies replaced, without the circular and the overlong ones."""
    flat = dict(macros)
    for _ in range(MAX_DEPTH):
        fresh = {name: _WORD.sub(partial(_known, flat), body) for name, body in flat.items()}
        fresh = {name: body for name, body in fresh.items() if len(body) <= MAX_BODY_CHARACTERS}
        if fresh == flat:
            return flat
        flat = fresh
    return {name: body for name, body in flat.items() if not any(word in flat for word, _ in _WORD.findall(body))}


def _known(macros: dict[str, str], match: re.Match[str]) -> str:
    body = macros.get(match[1])
    return match[0] if body is None else _joined(body, match)
