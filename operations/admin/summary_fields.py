"""Fields of forms for the parts of a summary; each knows where in the summary's object its part stands."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextareaWidget
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from papers.summary.schema import TAGS_AT_MOST, distinct_tags
from papers.text import one_line, without_controls


class VersionField(forms.CharField):
    """The state of the summary that was read, sent back with the form; nothing that anybody types or changes."""

    widget = forms.HiddenInput

    def __init__(self) -> None:
        """Do without one, as where there was no summary."""
        super().__init__(required=False)

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Tell that it is no change."""
        return False


class PartField(forms.CharField):
    """A text of a summary. Line ends are the browser's own affair, and no change."""

    def __init__(self, name: str, *, label: Any, rows: int = 3, required: bool = False, help_text: Any = "") -> None:
        """Take the dotted name of the part."""
        widget = AdminTextareaWidget(attrs={"rows": rows, "lang": "zh-Hans"})
        super().__init__(label=label, required=required, help_text=help_text, widget=widget)
        self.name = name

    def shown(self, full: Mapping[str, Any]) -> Any:
        """Return the part of an object for the form; what is of another type is left to the whole as JSON."""
        value = part_of(full, self.name)
        return value.strip() if isinstance(value, str) else ""

    def changed(self, full: Mapping[str, Any], value: Any) -> Any:
        """Return what stands in the object for the cleaned `value`."""
        return value

    def to_python(self, value: Any) -> Any:
        """Return the text, cleaned as text from anywhere else."""
        return without_controls(str(value or "")).strip()

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Tell whether something else was typed than was shown."""
        try:
            return bool(self.to_python(self.prepare_value(initial)) != self.to_python(data))
        except ValidationError:
            return True


class ListField(PartField):
    """Texts, one a line. An item that holds line ends is shown on one line, and kept as it is if that is untouched."""

    def shown(self, full: Mapping[str, Any]) -> list[str]:
        """Return the items."""
        return [one_line(item) for item in self._items(full) if one_line(item)]

    def changed(self, full: Mapping[str, Any], value: list[str]) -> list[str]:
        """Return the lines, each that shows an item of before as that item."""
        originals = {one_line(item): item for item in reversed(self._items(full))}
        return [originals.get(line, line) for line in value]

    def _items(self, full: Mapping[str, Any]) -> list[str]:
        value = part_of(full, self.name)
        return [item for item in value if isinstance(item, str)] if isinstance(value, list) else []

    def prepare_value(self, value: Any) -> Any:
        """Return the text of the box."""
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        """Return the lines that are not blank, as a list of texts."""
        return [line for text in without_controls(str(value or "")).split("\n") if (line := one_line(text))]


class TagsField(ListField):
    """The tags, as they are stored."""

    def shown(self, full: Mapping[str, Any]) -> list[str]:
        """Return those that were taken from the agent's answer."""
        return distinct_tags(self._items(full))[:TAGS_AT_MOST]


class RowsField(PartField):
    """A list of objects, as JSON."""

    def shown(self, full: Mapping[str, Any]) -> Any:
        """Return the list."""
        return part_of(full, self.name) or []

    def prepare_value(self, value: Any) -> Any:
        """Return the text of the box; nothing for an empty list."""
        if isinstance(value, str):
            return value
        return json.dumps(value, ensure_ascii=False, indent=1) if value else ""

    def to_python(self, value: Any) -> Any:
        """Return the list.

        Raises:
            ValidationError: the text is no JSON.
        """
        return parsed_json(str(value)) if value and str(value).strip() else []

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Tell whether other rows were typed; how they are spaced is no change."""
        try:
            return same_json(initial, self.to_python(data)) is False
        except ValidationError:
            return True


def part_of(full: Mapping[str, Any], name: str) -> Any:
    """Return the part of an object with this dotted name; None where there is none."""
    value: Any = full
    for key in name.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    return value


def parsed_json(text: str) -> Any:
    """Return the value that a typed text holds.

    Raises:
        ValidationError: it is no JSON; says where.
    """
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        place = {"line": error.lineno, "column": error.colno}
        raise ValidationError(_("不是正确的 JSON：第 %(line)d 行第 %(column)d 个字符处。") % place) from None
    except (ValueError, RecursionError):
        raise ValidationError(_("不是可以保存的 JSON。")) from None


def same_json(one: Any, other: Any) -> bool:
    """Tell whether two values are written alike; for Python alone `True` equals `1`."""
    return json.dumps(one, ensure_ascii=False) == json.dumps(other, ensure_ascii=False)


def changed_names(before: Mapping[str, Any], after: Mapping[str, Any], parts: Sequence[str]) -> list[str]:
    """Return the dotted names in which two objects differ: those of `parts`, else the outermost key."""
    found = [name for name in parts if not same_json(part_of(before, name), part_of(after, name))]
    told = {name.split(".")[0] for name in found}
    return found + [
        key for key in {**before, **after} if key not in told and not same_json(before.get(key), after.get(key))
    ]
