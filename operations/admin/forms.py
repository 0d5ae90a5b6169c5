"""What may be typed into a paper by hand, cleaned as text from anywhere else."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.contrib.admin.widgets import AdminTextareaWidget
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db.models import TextField, Value
from django.db.models.functions import Cast, Concat
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from operations.admin.summary_fields import VersionField
from operations.admin.summary_problems import in_words, problems_of, refusal
from operations.editing import EditRefused, check_edit, ensure_editable, version_of, with_changes
from operations.wording import labelled
from papers.models import Paper, PaperSummary, PaperTag, TagSource
from papers.summary.errors import FieldProblem, SummaryRejected
from papers.summary.reading import PaperFacts
from papers.summary.schema import tag_problems
from papers.summary.storage import summary_object
from papers.text import fold, one_line, paragraphs


class _TextField(forms.CharField):
    """A text of several lines, whose line ends are the browser's own affair and no change."""

    def has_changed(self, initial: Any, data: Any) -> bool:
        """Tell whether something else was typed than was shown."""
        return paragraphs(initial or "") != paragraphs(data or "")


class PaperForm(forms.ModelForm):
    """Corrections to what the sources say of a paper; where it has a summary, the Chinese title is part of that."""

    summary_seen = VersionField()

    class Meta:
        """The columns that may be corrected."""

        model = Paper
        fields = ("title_en", "title_zh", "abstract", "code_url", "project_url", "organization")
        field_classes = {"abstract": _TextField}
        widgets = {
            "title_en": AdminTextareaWidget(attrs={"rows": 2, "lang": "en"}),
            "title_zh": AdminTextareaWidget(attrs={"rows": 2, "lang": "zh-Hans"}),
            "abstract": AdminTextareaWidget(attrs={"rows": 10, "lang": "en"}),
            **{name: forms.TextInput(attrs={"class": "vTextField"}) for name in ("code_url", "project_url")},
            "organization": forms.TextInput(attrs={"class": "vTextField"}),
        }
        help_texts = {"title_zh": gettext_lazy("有总结时，中文标题是总结的一部分，按总结的规则检查。")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        """Note what is looked at, so that what a refresh stores meanwhile is not taken for a change."""
        super().__init__(*args, **kwargs)
        for name in {*self.Meta.fields} & {*self.fields}:
            self.fields[name].show_hidden_initial = True
        self.stored = PaperSummary.objects.filter(pk=self.instance.pk).first()
        self.initial["summary_seen"] = version_of(self.stored) if self.stored else ""

    def clean(self) -> dict[str, Any]:
        """Check a Chinese title as part of the summary, if there is one."""
        cleaned = super().clean() or self.cleaned_data
        changes = self.summary_changes()
        if self.stored and changes and not self.errors:
            facts = PaperFacts(self.instance.arxiv_id, cleaned["title_en"])
            for name, words in _refused(self.stored, facts, changes, cleaned.get("summary_seen", "")):
                self.add_error("title_zh" if name == "title_zh" else None, words)
        return cleaned

    def column_changes(self) -> dict[str, Any]:
        """Return the columns to be written, and nothing of what was left alone."""
        of_summary = self.summary_changes()
        changed = [name for name in self.changed_data if name in self.Meta.fields and name not in of_summary]
        return {name: self.cleaned_data[name] for name in changed}

    def summary_changes(self) -> dict[str, Any]:
        """Return the changed parts of the summary by name."""
        if self.stored is None or "title_zh" not in self.changed_data:
            return {}
        return {"title_zh": self.cleaned_data.get("title_zh") or ""}

    def clean_title_en(self) -> str:
        """Return the title on one line; it cannot be blank."""
        title = one_line(self.cleaned_data["title_en"])
        if not title:
            raise ValidationError(_("标题不能为空。"))
        return title

    def clean_title_zh(self) -> str | None:
        """Return the Chinese title on one line, or None."""
        return one_line(self.cleaned_data["title_zh"] or "") or None

    def clean_organization(self) -> str | None:
        """Return the organisation on one line, or None."""
        return one_line(self.cleaned_data["organization"] or "") or None

    def clean_abstract(self) -> str | None:
        """Return the abstract in paragraphs, or None."""
        return paragraphs(self.cleaned_data["abstract"] or "") or None

    def clean_code_url(self) -> str | None:
        """Return a web address, or None."""
        return _web_address(self.cleaned_data["code_url"])

    def clean_project_url(self) -> str | None:
        """Return a web address, or None."""
        return _web_address(self.cleaned_data["project_url"])


def _web_address(text: str | None) -> str | None:
    field = forms.URLField(required=False, assume_scheme="https", validators=[URLValidator(["http", "https"])])
    return field.clean((text or "").strip()) or None


def _refused(stored: PaperSummary, facts: PaperFacts, changes: dict[str, Any], seen: str) -> Iterator[tuple[str, str]]:
    """Yield why the summary cannot be stored with these changes: the part at fault and words for it."""
    before = summary_object(stored) or {}
    try:
        ensure_editable(stored, seen)
        check_edit(facts, with_changes(before, changes), before)
    except EditRefused as reason:
        yield "", refusal(stored, reason)
    except SummaryRejected as rejected:
        for problem in problems_of(rejected):
            part = problem.field.split(".")[0]
            yield part, in_words(problem) if part in changes else _elsewhere(problem)


def _elsewhere(problem: FieldProblem) -> str:
    words = labelled(problem.field, in_words(problem)) if problem.field else in_words(problem)
    return _("总结没有通过检查，请在总结的页面上修改。%(problem)s") % {"problem": words}


class TagForm(forms.ModelForm):
    """A tag; one added here is the editor's own."""

    class Meta:
        """Where a tag came from is never typed."""

        model = PaperTag
        fields = ("tag",)
        widgets = {"tag": forms.TextInput(attrs={"class": "vTextField"})}

    def clean_tag(self) -> str:
        """Return the tag on one line; it cannot be blank."""
        tag = one_line(self.cleaned_data["tag"])
        if not fold(tag):
            raise ValidationError(_("标签不能为空。"))
        return tag

    def save(self, commit: bool = True) -> PaperTag:
        """Mark a new tag as given by hand."""
        if self.instance.pk is None:
            self.instance.source = TagSource.USER
        return super().save(commit)


class TagFormSet(forms.BaseInlineFormSet):
    """All tags of a paper; one source gives a tag once, however it is written; the agent's are part of the summary."""

    def clean(self) -> None:
        """Refuse a tag that its source has given already, and tags that no summary may have."""
        super().clean()
        if any(self.errors):
            return
        self._refuse_doubles()
        if self.summary_changes() and not any(self.errors):
            self._check_summary()

    def _refuse_doubles(self) -> None:
        seen: set[tuple[Any, str]] = set()
        for form in self._kept():
            key = (_source(form), fold(form.cleaned_data["tag"]))
            if key in seen:
                form.add_error("tag", _("这个标签已经有了。"))
            seen.add(key)

    def _check_summary(self) -> None:
        stored = PaperSummary.objects.get(pk=self.instance.pk)
        for form in self._kept():
            if _source(form) == TagSource.AI and form.has_changed():
                for problem in tag_problems([form.cleaned_data["tag"]]):
                    form.add_error("tag", in_words(problem))
        if any(self.errors):
            return
        facts = PaperFacts(self.instance.arxiv_id, self.instance.title_en)
        refused = _refused(stored, facts, self.summary_changes(), str(self.data.get("summary_seen", "")))
        if words := [ValidationError(each) for _part, each in refused]:
            raise ValidationError(words)

    def _kept(self) -> list[Any]:
        """Return the forms of the tags there will be."""
        forms_of_tags = [form for form in self.forms if form.cleaned_data.get("tag")]
        return [form for form in forms_of_tags if not form.cleaned_data.get("DELETE")]

    def summary_changes(self) -> dict[str, Any]:
        """Return the tags of the summary under their name, if they were changed and there is a summary."""
        of_summary = [form for form in self.initial_forms if form.instance.source == TagSource.AI]
        changed = any(form.has_changed() for form in of_summary)
        if not changed or not PaperSummary.objects.filter(pk=self.instance.pk).exists():
            return {}
        return {"tags": [form.cleaned_data["tag"] for form in self._kept() if _source(form) == TagSource.AI]}

    def save_existing_objects(self, commit: bool = True) -> list[Any]:
        """Make room first: one tag may take the name that another just gave up."""
        if commit:
            moved = [form.instance.pk for form in self.initial_forms if form.has_changed()]
            # No tag can be typed with a line end in it.
            PaperTag.objects.filter(pk__in=moved).update(tag=Concat(Value("\n"), Cast("pk", TextField())))
        return super().save_existing_objects(commit)


def _source(form: Any) -> str | None:
    return form.instance.source if form.instance.pk else TagSource.USER.value
