"""What may be typed into a paper by hand, cleaned as text from anywhere else."""

from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.utils.translation import gettext as _

from papers.models import Paper, PaperTag, TagSource
from papers.text import fold, one_line, paragraphs


class PaperForm(forms.ModelForm):
    """Corrections to what the sources say of a paper."""

    class Meta:
        """The columns that may be corrected."""

        model = Paper
        fields = ("title_en", "title_zh", "abstract", "code_url", "project_url", "organization")

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
    """All tags of a paper; one source gives a tag once, however it is written."""

    def clean(self) -> None:
        """Refuse a tag that its source has given already."""
        super().clean()
        seen: set[tuple[Any, str]] = set()
        for form in self.forms:
            tag = form.cleaned_data.get("tag") if hasattr(form, "cleaned_data") else None
            if not tag or form.cleaned_data.get("DELETE"):
                continue
            key = (form.instance.source if form.instance.pk else TagSource.USER, fold(tag))
            if key in seen:
                form.add_error("tag", _("这个标签已经有了。"))
            seen.add(key)
