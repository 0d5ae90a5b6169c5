"""Setting mathematics and verbatim text aside while the words round them are converted."""

import re

from papers.text import without_controls

_MATH = (
    "equation|align|alignat|xalignat|flalign|gather|multline|eqnarray|displaymath|math|subequations|dmath|dgroup|IEEEeqnarray"
    "|array|cases|split|aligned|gathered|[bBpvV]?matrix|smallmatrix"
)
_VERBATIM = "verbatim|Verbatim|lstlisting|minted|alltt"
_START = re.compile(
    rf"\\begin\s*\{{(?P<env>(?P<kind>{_MATH}|{_VERBATIM})\*?)\}}"
    r"|\\(?:verb|lstinline)\*?(?P<bar>[|!+/=;:~^@\"'])(?P<code>[^\n]*?)(?P=bar)"
    r"|\\(?:url|path|nolinkurl)\s*\{(?P<address>[^{}\n]*)\}"
    r"|(?P<open>\\\[|\\\()"
    r"|\\."
    r"|(?P<dollars>\$\$?)",
    re.DOTALL,
)
_CLOSING = {"\\[": "\\]", "\\(": "\\)"}
_NOISE_IN_MATH = re.compile(r"\\(?:label|tag)\*?\s*\{[^{}]*\}|\\(?:nonumber|notag|displaystyle|xspace)(?![A-Za-z])")
_VERBATIM_KIND = re.compile(_VERBATIM)
# Longer is no formula but a `$` that was never closed.
_LONGEST_INLINE = 2000
_LONGEST_DISPLAY = 30_000
# Private-use characters, which are taken out of the text before.
_OPEN, _CLOSE = "\ue000", "\ue001"
_SHIELD = re.compile(f"{_OPEN}(\\d+){_CLOSE}")


class Shields:
    """Text with its formulas and verbatim parts replaced by short marks, and the way back."""

    def __init__(self, tex: str) -> None:
        """Set aside what `tex` holds of them; the rest is in `text`."""
        self._kept: list[str] = []
        self.text = self._shielded(tex.replace(_OPEN, "").replace(_CLOSE, ""))

    def restored(self, text: str) -> str:
        """Return `text` with what was set aside back in its place."""
        return _SHIELD.sub(lambda match: self._kept[int(match[1])] if int(match[1]) < len(self._kept) else "", text)

    def _shielded(self, tex: str) -> str:
        pieces: list[str] = []
        position = 0
        while match := _START.search(tex, position):
            pieces.append(tex[position : match.start()])
            replacement, position = self._replacement(tex, match)
            pieces.append(replacement)
        return "".join([*pieces, tex[position:]])

    def _replacement(self, tex: str, match: re.Match[str]) -> tuple[str, int]:
        if match["env"]:
            return self._environment(tex, match)
        if match["open"]:
            return self._closed_by(_CLOSING[match["open"]], tex, match, _LONGEST_DISPLAY)
        if match["dollars"]:
            return self._dollars(tex, match)
        literal = match["code"] or match["address"]
        return (self._keep(literal) if literal else match[0]), match.end()

    def _environment(self, tex: str, match: re.Match[str]) -> tuple[str, int]:
        closing = f"\\end{{{match['env']}}}"
        if not _VERBATIM_KIND.fullmatch(match["kind"]):
            return self._closed_by(closing, tex, match, _LONGEST_DISPLAY)
        end = tex.find(closing, match.end())
        if end < 0:
            return "", match.end()
        return f"\n{self._keep(without_controls(tex[match.end() : end].strip()))}\n", end + len(closing)

    def _dollars(self, tex: str, match: re.Match[str]) -> tuple[str, int]:
        if match[0] == "$$":
            return self._closed_by("$$", tex, match, _LONGEST_DISPLAY)
        end = _next_dollar(tex, match.end())
        formula = tex[match.start() : end + 1]
        if end < 0 or "\n\n" in formula:
            return "\\$", match.end()
        return self._keep(_formula(formula)), end + 1

    def _closed_by(self, closing: str, tex: str, match: re.Match[str], longest: int) -> tuple[str, int]:
        end = tex.find(closing, match.end(), match.end() + longest)
        if end < 0:
            return ("" if match["env"] else " "), match.end()
        end += len(closing)
        kept = self._keep(_formula(tex[match.start() : end]))
        return (kept if closing == "\\)" else f"\n{kept}\n"), end

    def _keep(self, text: str) -> str:
        self._kept.append(text)
        return f"{_OPEN}{len(self._kept) - 1}{_CLOSE}"


def _next_dollar(tex: str, start: int) -> int:
    """Return the position of the next `$` that is not escaped, -1 if there is none near."""
    end = tex.find("$", start, start + _LONGEST_INLINE)
    while end > 0 and tex[end - 1] == "\\" and tex[end - 2] != "\\":
        end = tex.find("$", end + 1, start + _LONGEST_INLINE)
    return end


def _formula(tex: str) -> str:
    return re.sub(r"\s+", " ", without_controls(_NOISE_IN_MATH.sub("", tex)))
