"""The two forms of a stored summary: part by part, or the whole object as JSON. A page shows one of them alone."""

from typing import Any, ClassVar

from django import forms
from django.contrib.admin.widgets import AdminTextareaWidget
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from operations.admin.summary_fields import (
    ListField,
    PartField,
    RowsField,
    TagsField,
    VersionField,
    changed_names,
    parsed_json,
    same_json,
)
from operations.admin.summary_problems import in_words, problems_of, refusal
from operations.editing import (
    EditRefused,
    check_edit,
    ensure_editable,
    facts_of,
    version_of,
    with_changes,
)
from operations.files import json_text
from operations.wording import labelled
from papers.models import PaperSummary
from papers.summary.errors import FieldProblem, SummaryRejected
from papers.summary.storage import summary_object


class SummaryForm(forms.ModelForm):
    """What both forms share: the version that was read, the checks, and what comes out of them."""

    seen = VersionField()

    class Meta:
        """No column is written by the form; see `operations.editing`."""

        model = PaperSummary
        fields = ()

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Fill the form from the stored object."""
        super().__init__(*args, **kwargs)
        self.before = summary_object(self.instance) or {}
        # The object to be stored, once it has passed the checks; None while nothing was changed.
        self.edited: dict[str, Any] | None = None
        self.initial = {**self.initial, "seen": version_of(self.instance), **self._shown()}

    def _shown(self) -> dict[str, Any]:
        raise NotImplementedError

    def _typed(self) -> dict[str, Any]:
        """Return the object that was typed."""
        raise NotImplementedError

    def _field_of(self, problem: FieldProblem) -> str | None:
        """Return the form's field for a part of the object; None where it has none."""
        raise NotImplementedError

    def clean(self) -> dict[str, Any]:
        """Refuse what is out of date, then what would be refused from an agent."""
        cleaned = super().clean() or self.cleaned_data
        try:
            ensure_editable(self.instance, self.cleaned_data.get("seen", ""))
        except EditRefused as reason:
            raise ValidationError(refusal(self.instance, reason)) from None
        if not self.errors:
            self._check(self._typed())
        return cleaned

    def _check(self, typed: dict[str, Any]) -> None:
        if same_json(typed, self.before):
            return
        try:
            check_edit(facts_of(self.instance.paper), typed, self.before)
        except SummaryRejected as rejected:
            for problem in problems_of(rejected):
                self._tell(problem)
        else:
            self.edited = typed

    def _tell(self, problem: FieldProblem) -> None:
        field, words = self._field_of(problem), in_words(problem)
        own = getattr(self.fields.get(field or ""), "name", "") == problem.field
        self.add_error(field, words if own or not problem.field else labelled(problem.field, words))

    def _post_clean(self) -> None:
        """Leave the row alone: it is written from the checked object, never from fields."""

    def changed_parts(self) -> list[str]:
        """Return the labels of what was changed, for the audit log."""
        labels = {field.name: str(field.label) for field in PARTS}
        names = changed_names(self.before, self.edited or self.before, list(labels))
        return [labels.get(name, name) for name in names]


_ONE_A_LINE = gettext_lazy("每行一项。")
_ONE_TAG_A_LINE = gettext_lazy("每行一个，最多 20 个。")


class SummaryPartsForm(SummaryForm):
    """A summary part by part."""

    title_zh = PartField("title_zh", label=gettext_lazy("中文标题"), rows=1, required=True)
    one_line = PartField("one_line", label=gettext_lazy("一句话总结"), rows=2, required=True)
    difficulty = PartField("difficulty", label=gettext_lazy("难度"), rows=1)
    tags = TagsField("tags", label=gettext_lazy("标签"), required=True, help_text=_ONE_TAG_A_LINE)
    concepts = ListField("prerequisites.concepts", label=gettext_lazy("预备概念"), help_text=_ONE_A_LINE)
    level = PartField("prerequisites.level", label=gettext_lazy("预备程度"), rows=1)
    problem = PartField("motivation.problem", label=gettext_lazy("问题"), required=True)
    goal = PartField("motivation.goal", label=gettext_lazy("目标"))
    gap = PartField("motivation.gap", label=gettext_lazy("已有工作的不足"))
    overview = PartField("method.overview", label=gettext_lazy("方法概述"), rows=4)
    key_idea = PartField("method.key_idea", label=gettext_lazy("核心思想"), required=True)
    steps = ListField("method.steps", label=gettext_lazy("步骤"), rows=6, help_text=_ONE_A_LINE)
    novelty = PartField("method.novelty", label=gettext_lazy("创新点"))
    findings = ListField("results.main_findings", label=gettext_lazy("主要发现"), rows=6, help_text=_ONE_A_LINE)
    benchmarks = RowsField(
        "results.benchmarks",
        label=gettext_lazy("基准结果"),
        rows=8,
        help_text=gettext_lazy("JSON：由对象组成的列表，每个对象是表格的一行。"),
    )
    limitations = ListField("results.limitations", label=gettext_lazy("局限"), rows=4, help_text=_ONE_A_LINE)
    weaknesses = ListField("improvements.weaknesses", label=gettext_lazy("不足"), rows=4, help_text=_ONE_A_LINE)
    future_work = ListField("improvements.future_work", label=gettext_lazy("未来工作"), rows=4, help_text=_ONE_A_LINE)
    reproducibility = PartField("improvements.reproducibility", label=gettext_lazy("可复现性"))

    GROUPS: ClassVar[tuple[tuple[Any, tuple[str, ...]], ...]] = (
        (gettext_lazy("总览"), ("title_zh", "one_line", "difficulty", "tags")),
        (gettext_lazy("预备知识"), ("concepts", "level")),
        (gettext_lazy("研究动机"), ("problem", "goal", "gap")),
        (gettext_lazy("方法"), ("overview", "key_idea", "steps", "novelty")),
        (gettext_lazy("结果"), ("findings", "benchmarks", "limitations")),
        (gettext_lazy("改进"), ("weaknesses", "future_work", "reproducibility")),
    )

    def _parts(self) -> dict[str, PartField]:
        return {key: field for key, field in self.fields.items() if isinstance(field, PartField)}

    def _shown(self) -> dict[str, Any]:
        return {key: field.shown(self.before) for key, field in self._parts().items()}

    def _typed(self) -> dict[str, Any]:
        changes = {
            field.name: field.changed(self.before, self.cleaned_data[key])
            for key, field in self._parts().items()
            if key in self.changed_data
        }
        return with_changes(self.before, changes)

    def _field_of(self, problem: FieldProblem) -> str | None:
        """Return the field whose part, or an item of it, is at fault."""
        inside = f"{problem.field}."
        return next((key for key, field in self._parts().items() if inside.startswith(f"{field.name}.")), None)


PARTS = tuple(field for field in SummaryPartsForm.base_fields.values() if isinstance(field, PartField))


class SummaryJsonForm(SummaryForm):
    """A summary as the object it is, with all keys, those beyond the schema too."""

    whole = forms.CharField(
        label="JSON",
        strip=False,
        widget=AdminTextareaWidget(attrs={"rows": 40, "spellcheck": "false", "class": "vLargeTextField code"}),
        help_text=gettext_lazy("整份总结。结构中没有的键会原样保留；保存时的检查与模型的输出相同。"),
    )

    def _shown(self) -> dict[str, Any]:
        return {"whole": json_text(self.before) if self.before else self.instance.full_json}

    def clean_whole(self) -> dict[str, Any]:
        """Return the object that was typed."""
        typed = parsed_json(self.cleaned_data["whole"])
        if not isinstance(typed, dict):
            raise ValidationError(_("总结应当是一个 JSON 对象。"))
        return typed

    def _typed(self) -> dict[str, Any]:
        return self.cleaned_data["whole"]

    def _field_of(self, problem: FieldProblem) -> str | None:
        return "whole"
