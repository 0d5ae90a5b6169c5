"""Plain text out of one part of a LaTeX document; formulas stay as TeX."""

import bisect
import contextlib
import re
import signal
import threading
from collections.abc import Iterator
from types import FrameType

from pylatexenc.latex2text import LatexNodes2Text

from operations.assets.braces import Command, Groups, commands, replace_commands
from operations.assets.latex_inputs import MARK
from operations.assets.latex_shields import Shields
from papers.text import without_controls

# Seconds for one chunk; an ordinary one takes some milliseconds.
_CHUNK_SECONDS = 2.0
_CHUNK_CHARACTERS = 20_000
# Most paragraphs hold none of this once formulas and citations are gone, and pylatexenc reads 100 KB a second.
_NEEDS_CONVERSION = re.compile(r"[\\{}~$&#%]|``|''|--|[!?]`")
_LONGEST_COLUMNS = 1000

_UNPRINTED = re.compile(
    r"\\begin\s*\{(?P<env>tikzpicture|pgfpicture|pspicture|picture|axis|thebibliography|filecontents|CCSXML|forest"
    r"|tikzcd|comment)(?P<star>\*?)\}"
)
# A blank or tie before the command goes with it: "as shown~\cite{x}." becomes "as shown."
_DROPPED = re.compile(
    r"[ ~]{0,9}\\([A-Za-z]{0,12}cite[A-Za-z]{0,12}|label|[A-Za-z]{0,5}ref|pageref|vspace|hspace"
    r"|includegraphics|includesvg|includepdf"
    r"|bibliographystyle|bibliography|addbibresource|nocite|author|authors|affiliation|affil|address|email|date|thanks"
    r"|institute|institution|orcid|ead|fntext|fnref|cortext|corref|tnotetext|tnoteref|icmlaffiliation|icmlkeywords"
    r"|thispagestyle|pagestyle|setcounter|setlength|addtolength|addtocounter|graphicspath|newtheorem|usepackage"
    r"|theoremstyle|numberwithin|index|color|pagecolor|phantom|vphantom|hphantom|markboth|markright|input|include"
    r"|PACS|pacs|MSC|subjclass|preprint|journal|shorttitle|shortauthors|keywordname|ccsdesc|bibitem|newcommand"
    r"|titlerunning|authorrunning|tikzset|pgfplotsset|lstset|hypersetup|captionsetup|cmidrule|cline|rowcolor|cellcolor"
    r"|columncolor|arraystretch|fontsize|selectfont|footnotemark|printbibliography|newif|excludecomment)"
    r"(?![A-Za-z@])\*?"
)
_FIRST_OF_TWO = re.compile(r"\\(texorpdfstring)(?![A-Za-z@])")
_SECOND_OF_TWO = re.compile(r"\\(href|textcolor|colorbox|scalebox|rotatebox|raisebox)(?![A-Za-z@])\*?")
_THIRD_OF_THREE = re.compile(r"\\(multicolumn|multirow|resizebox|fcolorbox)(?![A-Za-z@])\*?")
# Styles. pylatexenc would leave out what some of them print (\texttt, \mbox, \textup).
_STYLE = re.compile(
    r"\\(?:text(?:tt|sf|rm|md|up|sl|it|bf|sc|normal|notosf)|[mh]box|keywords)(?![A-Za-z@])\s*(?=\{[^}])"
)
_LOGO = re.compile(r"\\((?:La|Bib)?TeX(?:e|2e)?)(?![A-Za-z@])(?:\{\})?")
_CAPTION_OF = re.compile(r"\\(captionof)(?![A-Za-z@])\*?")
_CAPTION = re.compile(r"\\(caption|subcaption)(?![A-Za-z@])\*?")
_FOOTNOTE = re.compile(r"\\(footnote|footnotetext|sidenote|marginpar)(?![A-Za-z@])")
_RUN_IN = re.compile(r"\\(paragraph|subparagraph)(?![A-Za-z@])\*?")
_ITEM = re.compile(r"\\item(?![A-Za-z@])[ \t]*(?:\[([^\[\]]{0,300})\])?")
_FLOAT = re.compile(r"\\begin\s*\{(?:wrap|side|SC)?(figure|table|algorithm)\*?\}|\\begin\s*\{(long)table\*?\}")
_TABLE = re.compile(
    r"\\begin\s*\{((?P<two>tabular[xy*]|tabulary)|(?:tabular|longtable|tabu|NiceTabular|supertabular)\*?)\}"
)
_RULES = re.compile(
    r"\\(?:hline|toprule|midrule|bottomrule|specialrule|addlinespace|endhead|endfirsthead|endfoot)\b(?:\[[^\]]*\])?"
)
_CELL = re.compile(r"(?<!\\)&")
_ROW = re.compile(r"\\\\\*?(?:\[[^\]]{0,20}\])?|\\tabularnewline\b|\\cr\b")
_BEGIN_WITH_ARGUMENTS = re.compile(
    r"\\begin\s*\{(?:minipage|multicols|wrapfigure|wraptable|adjustbox|subfigure|subtable|spacing|adjustwidth|columns?"
    r"|list|CJK)\*?\}(?:\[[^\[\]]{0,200}\]|\{[^{}]{0,200}\})*"
)
_BEGIN_OR_END = re.compile(r"\\(?P<which>begin|end)\s*\{(?P<env>[A-Za-z@*]{1,60})\}(?:\[(?P<option>[^\[\]]{0,300})\])?")
_SILENT = re.compile(
    r"\\(?:maketitle|appendix|clearpage|newpage|noindent|centering|bigskip|medskip|smallskip|hfill|vfill|xspace|today"
    r"|tableofcontents|small|footnotesize|scriptsize|tiny|large|Large|normalsize|protect|relax|printbibliography"
    r"|balance|sloppy|raggedright|makeatletter|makeatother|allowdisplaybreaks|frontmatter|backmatter|mainmatter"
    r"|linenumbers|ignorespaces|leavevmode|nolinenumbers|else|fi)(?![A-Za-z@])"
)
_THEOREMS = re.compile(
    r"(?:theorem|lemma|proposition|corollary|definition|remark|example|proof|assumption|claim|conjecture|observation"
    r"|hypothesis|problem|question|fact|property)$",
    re.IGNORECASE,
)


def plain_text(tex: str, theorems: dict[str, str] | None = None) -> str:
    """Return the text of a part of a document, with the formulas as TeX and tables as lines of cells.

    `theorems` gives the printed names of environments made by the document.
    """
    shields = Shields(MARK.sub("", tex))
    text = _without_environments(shields.text)
    text = replace_commands(text, commands(text, _DROPPED), lambda _: "")
    text = _with_plain_arguments(text)
    text = _with_captions(text)
    text = _with_tables(text)
    text = _with_marks_of_structure(text, theorems or {})
    words = _without_gaps(_tidy("".join(_words(chunk) for chunk in _chunks(text))))
    return _tidy(shields.restored(words))


def theorem_names(text: str) -> dict[str, str]:
    r"""Return environment → printed name of every `\newtheorem` in `text`."""
    found = re.findall(r"\\newtheorem\*?\s*\{([^{}]{1,60})\}\s*(?:\[[^\]]{0,60}\])?\s*\{([^{}]{1,80})\}", text)
    return dict(found)


def _without_environments(text: str) -> str:
    """Leave out drawings and lists of references."""
    pieces: list[str] = []
    position = 0
    while match := _UNPRINTED.search(text, position):
        pieces.append(text[position : match.start()])
        closing = f"\\end{{{match['env']}{match['star']}}}"
        end = text.find(closing, match.end())
        position = end + len(closing) if end >= 0 else match.end()
    return "".join([*pieces, text[position:]])


def _with_plain_arguments(text: str) -> str:
    """Put in place of commands about looks the argument that is printed."""
    text = _STYLE.sub("", _LOGO.sub(r"\1", text))
    text = replace_commands(text, commands(text, _FIRST_OF_TWO, 2), lambda command: command.arguments[0])
    for pattern, count in ((_SECOND_OF_TWO, 2), (_THIRD_OF_THREE, 3)):
        for _ in range(3):  # such commands are nested two or three deep at most
            text = replace_commands(text, commands(text, pattern, count), lambda command: command.arguments[-1])
    return text


def _with_captions(text: str) -> str:
    floats = [(match.start(), match[1] or "table") for match in _FLOAT.finditer(text)]

    def caption(command: Command) -> str:
        index = bisect.bisect(floats, (command.start, "")) - 1
        return _labelled(floats[index][1] if index >= 0 else "caption", command.arguments[0])

    text = replace_commands(text, commands(text, _CAPTION), caption)
    text = replace_commands(text, commands(text, _CAPTION_OF, 2), lambda command: _labelled(*command.arguments))
    return _BEGIN_WITH_ARGUMENTS.sub("\n", text)


def _labelled(kind: str, caption: str) -> str:
    return f"\n\n{kind.strip().capitalize()}: {caption}\n\n"


def _with_tables(text: str) -> str:
    groups = Groups(text)
    pieces: list[str] = []
    position = 0
    while match := _TABLE.search(text, position):
        _, start = groups.arguments(match.end(), 2 if match["two"] else 1, _LONGEST_COLUMNS)
        closing = f"\\end{{{match[1]}}}"
        end = text.find(closing, start)
        if end < 0:
            break
        pieces += text[position : match.start()], _rows(text[start:end])
        position = end + len(closing)
    return "".join([*pieces, text[position:]])


def _rows(table: str) -> str:
    """Return a table's rows as lines, cells parted by bars."""
    rows = _ROW.split(_CELL.sub(" | ", _RULES.sub("", table)))
    return "\n\n" + "".join(f"{' '.join(row.split())}\n" for row in rows if row.strip(" |\n")) + "\n"


def _with_marks_of_structure(text: str, theorems: dict[str, str]) -> str:
    text = replace_commands(text, commands(text, _FOOTNOTE), lambda command: f" ({command.arguments[0].strip()})")
    text = replace_commands(text, commands(text, _RUN_IN), lambda command: f"\n\n{_with_stop(command.arguments[0])} ")
    text = _ITEM.sub(lambda match: f"\n\n- {match[1] or ''} ", text)
    text = _BEGIN_OR_END.sub(lambda match: _environment_mark(match, theorems), text)
    return _SILENT.sub(" ", text)


def _environment_mark(match: re.Match[str], theorems: dict[str, str]) -> str:
    name = match["env"].rstrip("*")
    printed = theorems.get(match["env"], name.capitalize() if _THEOREMS.match(name) else "")
    if match["which"] == "end" or not printed:
        return "\n\n"
    return f"\n\n{printed} ({match['option']}). " if match["option"] else f"\n\n{printed}. "


def _with_stop(heading: str) -> str:
    heading = heading.strip()
    return heading if heading.endswith((".", ":", "?", "!")) else f"{heading}."


def _chunks(text: str) -> Iterator[str]:
    """Cut at empty lines into chunks small enough to be converted one by one, with plain paragraphs by themselves."""
    chunk = ""
    for paragraph in re.split(r"(\n\s*\n)", text):
        is_plain = not _NEEDS_CONVERSION.search(paragraph)
        if chunk and (is_plain or len(chunk) + len(paragraph) > _CHUNK_CHARACTERS):
            yield chunk
            chunk = ""
        chunk += paragraph
        if is_plain:
            yield chunk
            chunk = ""
    yield chunk


def _words(tex: str) -> str:
    if not _NEEDS_CONVERSION.search(tex):
        return tex
    if len(tex) > 5 * _CHUNK_CHARACTERS:  # one endless paragraph: nothing a person wrote
        return crude_text(tex)
    try:
        with _time_limit(_CHUNK_SECONDS):
            converter = LatexNodes2Text(math_mode="verbatim", strict_latex_spaces=False, keep_comments=False)
            return converter.latex_to_text(tex)
    # pylatexenc raises whatever its parser trips over: RecursionError, IndexError, its own errors.
    except Exception:
        return crude_text(tex)


def crude_text(tex: str) -> str:
    """Return `tex` without commands and braces: what is left when a part cannot be parsed."""
    text = re.sub(r"\\(?:begin|end)\s*\{[^{}]{0,100}\}", "\n", tex)
    text = re.sub(r"\\([%&$#_{} ])", r" \1" if text.isspace() else r"\1", text)
    text = re.sub(r"\\(?:[A-Za-z@]+\*?|.)[ \t]?", "", text)
    return re.sub(r"[{}]", "", text).replace("~", " ")


class _TooSlow(Exception):
    """A chunk that took too long."""


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    """Raise _TooSlow in the block when its time is over; without effect outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGALRM, _raise_too_slow)
    # Again and again: what is raised in a finalizer is lost.
    signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _raise_too_slow(number: int, frame: FrameType | None) -> None:
    raise _TooSlow


def _without_gaps(text: str) -> str:
    """Close what citations and references leave when they are taken out: "( )", "(, Lemma 2)", "Smith,."."""
    text = re.sub(r"(?<=\s)\([\s,;]*\)|(?<=\()[,;] ?", "", text)
    return re.sub(r"[,;](?=\.(?!\.))| (?=[,;.](?:\s|$))", "", text)


def _tidy(text: str) -> str:
    """Clean `text`: blanks folded, lines of a paragraph as they are, at most one empty line in a row."""
    text = re.sub(r"[^\S\n]+", " ", without_controls(text))
    text = re.sub(r" ?\n ?", "\n", text)
    return re.sub(r"\n{3,}", "\n\n", text).strip()
