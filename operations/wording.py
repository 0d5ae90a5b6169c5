"""Lists, notes and labels within a sentence, with the marks of the reader's language."""

from collections.abc import Iterable

from django.utils.translation import gettext as _


def listed(items: Iterable[object], most: int | None = None) -> str:
    """Return things beside each other; of more than `most` the first so many, and a mark that there are more."""
    texts = [str(item) for item in items]
    shown = texts if most is None else texts[:most]
    return _("、").join(shown) + (_("……") if len(shown) < len(texts) else "")


def noted(text: object, note: object) -> str:
    """Return a text with a note in brackets behind it."""
    return _("%(text)s（%(note)s）") % {"text": text, "note": note}


def labelled(label: object, text: object) -> str:
    """Return a text behind its label."""
    return _("%(label)s：%(text)s") % {"label": label, "text": text}
