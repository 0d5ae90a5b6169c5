r"""TeX commands in JSON strings whose backslash was not doubled.

`"\alpha"` is no JSON at all; `"\beta"` and `"\nabla"` are worse, since they parse: into a backspace and "eta", into
a line end and "abla". Both are mended in the text before it is parsed. A real line end before a word ("\nThe") must
stay one, so a letter that is also a JSON escape is taken for TeX only where the whole run of letters is a known
command.
"""

import re

# Commands that begin with a letter of a JSON escape: LaTeX, amsmath, amssymb and a few macros of everyday use.
_KNOWN = frozenset(
    """
    backepsilon backprime backsim backsimeq backslash bar barwedge bbox because begin beta beth between bf
    bfseries bgroup bibitem big bigcap bigcirc bigcup bigg biggl biggm biggr bigl bigm bigodot bigoplus bigotimes bigr
    bigskip bigsqcup bigstar bigtriangledown bigtriangleup biguplus bigvee bigwedge binom blacklozenge blacksquare
    blacktriangle bm bmod bold boldmath boldsymbol bot bowtie box boxdot boxed boxminus boxplus boxtimes bra brace brack
    braket breve bullet bumpeq
    fallingdotseq fbox fcolorbox fi flat floor fontsize footnote footnotesize forall frac frak frown
    nLeftarrow nLeftrightarrow nRightarrow nVDash nVdash nabla name natural ncong ne nearrow neg neq newcommand newline
    nexists ngeq ngeqslant ngtr ni nicefrac nleftarrow nleftrightarrow nleq nleqslant nless nmid nobreak noindent
    nolimits nonumber norm normalsize not notag notin nparallel nprec npreceq nrightarrow nshortmid nsim nsubset
    nsubseteq nsucc nsucceq nsupset nsupseteq ntriangleleft ntriangleright nu num nvDash nvdash nwarrow
    rVert raisebox rangle rbrace rbrack rceil ref relax restriction rfloor rgroup rho right rightarrow rightarrowtail
    rightharpoondown rightharpoonup rightleftarrows rightleftharpoons rightrightarrows rightsquigarrow rightthreetimes
    risingdotseq rm rmfamily rmoustache root rtimes rule rvert
    tag tan tanh tau tbinom text textasciitilde textbackslash textbf textcircled textcolor textit textmd textnormal
    textrm textsc textsf textsl textstyle textsubscript textsuperscript texttt textup textwidth tfrac thanks therefore
    theta thickapprox thicksim thinspace tilde times tiny title to top tr trace triangle triangledown triangleleft
    trianglelefteq triangleq triangleright trianglerighteq tt ttfamily twoheadleftarrow twoheadrightarrow
    """.split()  # noqa: SIM905
)
# Known commands that are also a line end and an English word; TeX only inside mathematics.
_ALSO_WORDS = frozenset("ne ni nexists nless nmid nparallel nsim nsubset nsupset nshortmid".split())  # noqa: SIM905
# How far back, in characters, the beginning of a formula is looked for.
_FORMULA_REACH = 400
_CODE_POINT = re.compile("u[0-9a-fA-F]{4}")
_ESCAPE = re.compile(r"\\(u[0-9a-fA-F]{4}|[A-Za-z]+|[^A-Za-z]|\Z)", re.S)


def double_tex_backslashes(text: str) -> str:
    r"""Return JSON text with the backslash of TeX commands, and of any other unknown escape, doubled."""
    return _ESCAPE.sub(_mended, text)


def _mended(match: re.Match[str]) -> str:
    r"""Return one escape as it should have been written."""
    escape = match[1]
    if escape == "'":  # of Python and JavaScript; JSON has none
        return escape
    if escape in ('"', "\\", "/") or _CODE_POINT.fullmatch(escape):
        return match[0]
    if escape.startswith(("b", "f", "n", "r", "t")) and not _is_command(match):
        return match[0]
    return "\\" + match[0]


def _is_command(match: re.Match[str]) -> bool:
    """Tell whether a run of letters behind a backslash is a TeX command."""
    name = match[1]
    if name not in _KNOWN:
        return False
    return name not in _ALSO_WORDS or _in_formula(match.string, match.start())


def _in_formula(text: str, position: int) -> bool:
    r"""Tell whether `$` or `\(` was opened before `position`, in the same string, and not closed."""
    before = text[max(0, position - _FORMULA_REACH) : position].rpartition('"')[2]
    return before.count("$") % 2 == 1 or before.rfind("\\(") > before.rfind("\\)")
