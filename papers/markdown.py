"""Markdown of people's notes as safe HTML, with mathematics.

What the parser makes is cleaned by an allow-list all the same: nothing that a note says is believed.
"""

import re
from collections.abc import Sequence
from html import escape

import nh3
from django.utils.safestring import SafeString
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererProtocol
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from papers.mathematics.formulas import formula_at
from papers.mathematics.mathml import ALLOWED_ATTRIBUTES, ALLOWED_TAGS, mathml

# Characters read as Markdown, which the worst text makes a second's work; what follows is shown as it was written.
MAX_LENGTH = 20_000
# Columns of a table by the lines to the end of the text: every row is filled up to the columns of the first.
MOST_CELLS = 20_000

_LINKS = re.compile(r"(?:https?://|mailto:)\S", re.IGNORECASE)
# A note stands under a heading of the second level.
_HEADINGS = {"h1": "h3", "h2": "h4", "h3": "h5", "h4": "h6", "h5": "h6", "h6": "h6"}
_TAGS = ALLOWED_TAGS | {
    *("p", "br", "hr", "h3", "h4", "h5", "h6", "ul", "ol", "li", "blockquote", "pre", "code", "em", "strong", "s", "a"),
    *("table", "thead", "tbody", "tr", "th", "td", "div", "span"),
}
_ATTRIBUTES = ALLOWED_ATTRIBUTES | {
    "a": {"href", "title"},
    "ol": {"start"},
    "div": {"class", "tabindex"},
    "span": {"class", "tabindex"},
}


def markdown_html(text: str) -> SafeString:
    """Return a note as HTML: CommonMark with tables and strikethrough, no HTML of its own, no pictures.

    Links lead to http, https and mail addresses only, and a picture becomes a link to it.
    """
    shown = _clean(_PARSER.render(text[:MAX_LENGTH]))
    rest = text[MAX_LENGTH:]
    return SafeString(f"{shown}<pre>{escape(rest)}</pre>" if rest else shown)


def _clean(rendered: str) -> str:
    return nh3.clean(
        rendered,
        tags=_TAGS,
        clean_content_tags={"script", "style"},
        attributes=_ATTRIBUTES,
        attribute_filter=_attribute,
        # A wide block scrolls by itself, which has to be possible without a mouse.
        set_tag_attribute_values={"pre": {"tabindex": "0"}},
        link_rel="noopener noreferrer nofollow",
        url_schemes={"http", "https", "mailto"},
    ).strip()


def _attribute(tag: str, name: str, value: str) -> str | None:
    """Keep no address that leads elsewhere than outside, and no class but those made here."""
    if (tag, name) == ("a", "href"):
        return value if _LINKS.match(value) else None
    if name == "class":
        return value if value in ("table-scroll", "formula", "formula formula--display") else None
    return value


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Read a table, unless a few characters of it would become thousands of empty cells."""
    columns = state.src.count("|", state.bMarks[start], state.eMarks[start])
    return columns * (end - start) <= MOST_CELLS and table(state, start, end, silent)


def _formula(state: StateInline, silent: bool) -> bool:
    """Read a formula, so that its stars and underscores mean nothing else."""
    formula = formula_at(state.src, state.pos)
    element = mathml(formula.tex, is_display=formula.is_display) if formula else None
    if formula is None or element is None:
        return False
    if not silent:
        state.push("formula", "", 0).content = element
    state.pos = formula.end
    return True


def _render_formula(
    _self: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    return tokens[index].content


def _render_image(
    _self: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    token = tokens[index]
    address = str(token.attrs.get("src", ""))
    return f'<a href="{escape(address)}">{escape(token.content or address)}</a>'


def _render_heading(
    _self: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    token = tokens[index]
    return f"<{'/' if token.nesting < 0 else ''}{_HEADINGS[token.tag]}>"


def _render_table(
    _self: RendererProtocol, tokens: Sequence[Token], index: int, _options: OptionsDict, _env: EnvType
) -> str:
    return '<div class="table-scroll" tabindex="0"><table>' if tokens[index].nesting > 0 else "</table></div>"


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    parser.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    parser.inline.ruler.before("escape", "formula", _formula)
    parser.add_render_rule("formula", _render_formula)
    parser.add_render_rule("image", _render_image)
    for part in ("open", "close"):
        parser.add_render_rule(f"heading_{part}", _render_heading)
        parser.add_render_rule(f"table_{part}", _render_table)
    return parser


_PARSER = _parser()
