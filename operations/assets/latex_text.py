"""The text of a paper's source, part by part. Runs in a child process: see `isolation`."""

import time
from pathlib import Path

from operations.assets.bounds import MAX_TEXT_CHARACTERS
from operations.assets.errors import NoText, PaperWithdrawn
from operations.assets.kinds import Kind, content_of
from operations.assets.latex_comments import without_false_branches
from operations.assets.latex_inputs import Expanded, read_with_inputs
from operations.assets.latex_macros import expand_macros, split_macros
from operations.assets.latex_main import main_file, withdrawal_reason
from operations.assets.latex_plain import crude_text, plain_text, theorem_names
from operations.assets.latex_sections import has_end, split_sections
from operations.assets.latex_shields import Shields
from operations.assets.streams import head_of
from operations.assets.unpack import unpack_source
from papers.text import one_line

# Processor seconds after which the rest of a document is converted crudely instead of not at all.
_CAREFUL_SECONDS = 20
_NOTE_BYTES = 20_000


def pieces_of_source(source: str, folder: str) -> dict[str, object]:
    """Unpack `source` into `folder` and return `pieces` of (heading, text, file), and whether text was `cut`.

    An archive that is cut short is good enough where the paper's text came out whole.

    Raises:
        NoText: there is no TeX in it, or not all of it.
        PaperWithdrawn: nothing but the note of a withdrawal.
    """
    root = Path(folder)
    _refuse_withdrawn(Path(source))
    unpacked = unpack_source(Path(source), root)
    if unpacked.truncated and not unpacked.files:
        raise NoText("the source archive is damaged or cut short")
    expanded = read_with_inputs(root, main_file(root))
    if unpacked.truncated and (expanded.missing or not has_end(expanded.text)):
        raise NoText("the source archive is damaged or cut short, and not all of the text came out")
    return _pieces(expanded)


def _refuse_withdrawn(source: Path) -> None:
    if content_of(source).kind is Kind.WITHDRAWN:
        raise PaperWithdrawn(withdrawal_reason(head_of(source, _NOTE_BYTES).data))


def _pieces(expanded: Expanded) -> dict[str, object]:
    theorems = theorem_names(expanded.text)
    _, macros = split_macros(expanded.packages)
    text, own_macros = split_macros(without_false_branches(expanded.text))
    text = expand_macros(text, macros | own_macros)
    careful_until = time.process_time() + _CAREFUL_SECONDS
    pieces: list[tuple[str, str, str]] = []
    left = MAX_TEXT_CHARACTERS
    for section in split_sections(text, expanded.files):
        if left <= 0:
            break
        convert = _carefully if time.process_time() < careful_until else _crudely
        # TeX is seldom twice as long as its text: what lies beyond that need not be converted.
        longest = 2 * left
        heading, body = convert(section.heading, section.tex[:longest], theorems)
        pieces.append((heading, body[:left], section.origin))
        left = left - len(body) if len(section.tex) <= longest else 0
    return {"pieces": pieces, "cut": left <= 0}


def _carefully(heading: str, tex: str, theorems: dict[str, str]) -> tuple[str, str]:
    return one_line(plain_text(heading)), plain_text(tex, theorems)


def _crudely(heading: str, tex: str, theorems: dict[str, str]) -> tuple[str, str]:
    shields = Shields(tex)
    return one_line(crude_text(heading)), shields.restored(crude_text(shields.text))
