r"""Taking out of a LaTeX text what its author took out: comments, `\iffalse` parts, comment environments."""

import re
from dataclasses import dataclass

# What is copied as it is (verbatim text, addresses with %, any escaped character), or is a comment.
_TOKEN = re.compile(
    r"\\begin\s*\{(?P<env>verbatim\*?|Verbatim|lstlisting|minted|alltt|comment)\}"
    r"|\\(?:verb|lstinline)\*?(?P<bar>[|!+/=;:~^@\"'])[^\n]*?(?P=bar)"
    r"|\\(?:url|path|nolinkurl|href)\s*\{[^{}\n]*\}"
    r"|\\."
    r"|(?P<comment>%[^\n]*)(?P<end>\n[ \t]*)?(?P<blank>\n)?",
    re.DOTALL,
)
_EXCLUDED = re.compile(r"\\excludecomment\s*\{([A-Za-z*]{1,40})\}")
_CONDITIONAL = re.compile(
    r"\\newif\s*\\if(?P<new>[A-Za-z@]+)"
    r"|\\let\s*\\if(?P<let>[A-Za-z@]+)\s*=?\s*\\if(?P<constant>true|false)(?![A-Za-z@])"
    r"|(?P<alias>\\let\s*\\[A-Za-z@]+\s*=?\s*\\[A-Za-z@]+)"
    r"|\\(?P<word>if[A-Za-z@]*|else|or|fi)(?![A-Za-z@])(?P<digit>\s*[01](?!\d))?"
    r"|\\(?P<flag>[A-Za-z@]+?)(?P<value>true|false)(?![A-Za-z@])"
)
# Those that TeX and LaTeX define and a \fi ends. Others that begin with "if" take arguments in braces, or are a symbol.
_CONDITIONALS = re.compile(
    r"if(?:x|num|dim|odd|case|cat|true|false|defined|csname|[vhm]mode|inner|void|[vh]box|eof|pdf|xetex|luatex)?"
)


def without_comments(text: str) -> str:
    """Return `text` without `%` comments and without `comment` environments; verbatim text is left alone."""
    pieces: list[str] = []
    position = 0
    while match := _TOKEN.search(text, position):
        pieces.append(text[position : match.start()])
        replacement, position = _replacement(text, match)
        pieces.append(replacement)
    pieces.append(text[position:])
    return _without_excluded("".join(pieces))


def _replacement(text: str, match: re.Match[str]) -> tuple[str, int]:
    """Return what stands for a token, and where to go on."""
    if match["comment"] is not None:
        # TeX drops the line end with the comment; an empty line after it still ends the paragraph.
        return ("\n\n" if match["blank"] else ""), match.end()
    if match["env"] is None:
        return match[0], match.end()
    end = text.find(f"\\end{{{match['env']}}}", match.end())
    if end < 0:
        return match[0], match.end()
    end = text.index("}", end) + 1
    return ("" if match["env"] == "comment" else text[match.start() : end]), end


def _without_excluded(text: str) -> str:
    for name in set(_EXCLUDED.findall(text)):
        text = re.sub(rf"\\begin\s*\{{{re.escape(name)}\}}.*?\\end\s*\{{{re.escape(name)}\}}", "", text, flags=re.S)
    return text


@dataclass
class _Branch:
    """A conditional that is open: whether its present part is printed, None where nobody can tell."""

    printed: bool | None


def without_false_branches(text: str) -> str:
    r"""Return `text` as its conditionals print it, where they are constants or flags made by `\newif`.

    Of a conditional that only TeX could decide both parts are kept. One that is never closed is left alone.
    """
    tokens = [match for match in _CONDITIONAL.finditer(text) if not match["alias"]]
    flags = {
        match["new"] or match["let"]: match["constant"] == "true" for match in tokens if match["new"] or match["let"]
    }
    closed = _closed(tokens, flags)
    pieces: list[str] = []
    open_branches: list[_Branch] = []
    position = 0
    for match in tokens:
        if all(branch.printed is not False for branch in open_branches):
            pieces.append(text[position : match.start()])
        position = _step(match, flags, closed, open_branches)
    pieces.append(text[position:])
    return "".join(pieces)


def _closed(tokens: list[re.Match[str]], flags: dict[str, bool]) -> set[int]:
    r"""Return the positions of the `\if…`, `\else` and `\fi` that belong together."""
    waiting: list[list[int]] = []
    closed: set[int] = set()
    for match in tokens:
        word = match["word"]
        if word is None:
            continue
        if word == "fi":
            closed.update([*waiting.pop(), match.start()] if waiting else ())
        elif word in ("else", "or"):
            if waiting:
                waiting[-1].append(match.start())
        elif _CONDITIONALS.fullmatch(word) or word[2:] in flags:
            waiting.append([match.start()])
    return closed


def _step(match: re.Match[str], flags: dict[str, bool], closed: set[int], branches: list[_Branch]) -> int:
    """Follow one token; return where the text after it begins."""
    word = match["word"]
    if word is None:
        return _declared(match, flags, hidden=any(branch.printed is False for branch in branches))
    if match.start() not in closed:
        return match.start()
    if word == "fi":
        branches.pop()
    elif word in ("else", "or"):
        printed = branches[-1].printed
        branches[-1].printed = None if printed is None else not printed
    else:
        branches.append(_Branch(_is_printed(match, flags)))
    return match.start("digit") if match["digit"] and word != "if" else match.end()


def _declared(match: re.Match[str], flags: dict[str, bool], *, hidden: bool) -> int:
    """Follow a flag's declaration or change; return where the text after it begins."""
    if match["new"] or match["let"]:
        return match.end()
    if match["flag"] not in flags:
        return match.start()
    if not hidden:
        flags[match["flag"]] = match["value"] == "true"
    return match.end()


def _is_printed(match: re.Match[str], flags: dict[str, bool]) -> bool | None:
    word = match["word"]
    if word in ("iftrue", "iffalse"):
        return word == "iftrue"
    if word == "if" and match["digit"]:
        return match["digit"].strip() == "1"
    return flags.get(word[2:])
