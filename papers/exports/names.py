"""The names of authors in parts, as reference managers sort them: given name, particle, family name, suffix."""

import re
from dataclasses import dataclass

from papers.text import one_line

_LONGEST = 300
_PARTICLES = frozenset(
    (
        *("af", "al", "av", "bin", "d'", "da", "dal", "de", "degli", "dei", "del", "della", "den", "der", "des", "di"),
        *("do", "dos", "du", "el", "ibn", "la", "las", "le", "los", "ten", "ter", "tot", "van", "von", "zu", "zum"),
        *("zur", "'t"),
    )
)
_SUFFIXES = frozenset(["jr", "jr.", "sr", "sr.", "ii", "iii", "iv"])
# Words that people are not called by, and groups are.
_GROUP = re.compile(
    r"\b(?:team|collaborations?|collaborators|group|consortium|labs?|laborator(?:y|ies)|community|university|"
    r"institutes?|research|inc|llc|ltd|corporation|foundation|association|initiative|committee|network|project|"
    r"society|and|et al)\b",
    re.IGNORECASE,
)
_GROUP_LAST_WORDS = ("AI", "ai", "AGI")
_CJK = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
# Marks of footnotes that were taken along from a title page.
_FOOTNOTE_MARKS = "*†‡§¶‖#∗⋆ "


@dataclass(frozen=True, slots=True)
class PersonName:
    """A person's name in parts, or a `literal`: a group, a single name, or one that cannot be taken apart."""

    given: str = ""
    particle: str = ""
    family: str = ""
    suffix: str = ""
    literal: str = ""

    @property
    def sorted_by(self) -> str:
        """The part that keys are made of."""
        return self.family or self.literal

    @property
    def inverted(self) -> str:
        """The name as `von Family, Given, Suffix`; a literal without commas, which would take it apart."""
        if self.literal:
            return " ".join(self.literal.replace(",", " ").split())
        family = f"{self.particle} {self.family}".strip()
        return ", ".join(part for part in (family, self.given, self.suffix) if part)


def split_name(name: str) -> PersonName | None:
    """Return the parts of a name as sources print it; None where nothing is left of it."""
    text = one_line(name)[:_LONGEST].strip(_FOOTNOTE_MARKS)
    if not re.search(r"\w", text):
        return None
    if _is_literal(text):
        return PersonName(literal=text)
    if "," in text:
        return _split_at_commas(text)
    return _split_words(text.split(), "")


def _is_literal(text: str) -> bool:
    words = text.split()
    if len(words) == 1 or words[-1] in _GROUP_LAST_WORDS:
        return True
    return bool(_GROUP.search(text)) or bool(_CJK.search(text))


def _split_at_commas(text: str) -> PersonName:
    parts = [part.strip() for part in text.split(",")]
    if len(parts) == 2 and all(parts):
        first, second = parts
        if second.casefold() in _SUFFIXES:
            words = first.split()
            return _split_words(words, second) if len(words) > 1 else PersonName(literal=text)
        particle, family = _leading_particle(first.split())
        return PersonName(given=second, particle=particle, family=family)
    return PersonName(literal=text)


def _split_words(words: list[str], suffix: str) -> PersonName:
    if not suffix and len(words) > 2 and words[-1].casefold() in _SUFFIXES:
        *words, suffix = words
    start = _start_of_family(words)
    particle, family = _leading_particle(words[start:])
    return PersonName(given=" ".join(words[:start]), particle=particle, family=family, suffix=suffix)


def _start_of_family(words: list[str]) -> int:
    """Return where the family name with its particles begins: the last word, or the first small particle."""
    last = len(words) - 1
    start = next((i for i in range(1, last) if words[i] in _PARTICLES), last)
    # A capital one belongs to it where another follows: Fernando De la Torre, but Nguyen Van An.
    while start > 1 and start < last and words[start - 1].casefold() in _PARTICLES:
        start -= 1
    return start


def _leading_particle(words: list[str]) -> tuple[str, str]:
    count = 0
    while count < len(words) - 1 and words[count] in _PARTICLES:
        count += 1
    return " ".join(words[:count]), " ".join(words[count:])
