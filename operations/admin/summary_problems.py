"""Why an edited summary was not stored, in words for whoever typed it."""

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from operations.editing import EditRefused, SummaryInWork
from papers.models import ErrorType, PaperSummary
from papers.summary import errors
from papers.summary.errors import FieldProblem, SummaryRejected

_WORDS: dict[str, Promise] = {
    "missing": gettext_lazy("不能为空。"),
    errors.BLANK: gettext_lazy("不能为空。"),
    errors.FAILURE: gettext_lazy("这只是一句失败提示，不是内容。"),
    errors.NO_TAG: gettext_lazy("至少要有一个标签。"),
    errors.SAYS_NOTHING: gettext_lazy("这个标签没有内容。"),
    errors.TAG_TOO_LONG: gettext_lazy("标签最多 %(limit)s 个字符。"),
    errors.TOO_MANY_TAGS: gettext_lazy("最多 %(limit)s 个标签。"),
    errors.TAG_TWICE: gettext_lazy("这个标签已经有了。"),
    errors.NOT_CHINESE: gettext_lazy("总结里的中文太少，不能保存。"),
    errors.OTHER_PAPER: gettext_lazy("这份总结写的是另一篇论文：JSON 中的编号或标题与这篇论文不符。"),
    # What `check_summary` finds in the object as such: it names no field.
    ErrorType.JSON_INVALID: gettext_lazy("其中有不能保存的控制字符。"),
    ErrorType.SCHEMA_ERROR: gettext_lazy("其中有不能保存的数，或嵌套太深。"),
    "string_too_long": gettext_lazy("最多 %(limit)s 个字符。"),
    "too_long": gettext_lazy("最多 %(limit)s 项。"),
    "string_type": gettext_lazy("应当是文字。"),
    "list_type": gettext_lazy("应当是列表。"),
    "dict_type": gettext_lazy("应当是对象。"),
    "model_type": gettext_lazy("应当是对象。"),
}


def in_words(problem: FieldProblem) -> str:
    """Return what is wrong, in the reader's language; the words of the check itself where there are none."""
    words = _WORDS.get(problem.code)
    if words is None:
        return _("不合格式：%(message)s") % {"message": problem.message}
    return str(words) % {"limit": problem.limit}


def problems_of(rejected: SummaryRejected) -> tuple[FieldProblem, ...]:
    """Return the fields at fault; the summary as a whole where the check names none."""
    return rejected.problems or (FieldProblem("", rejected.error_type, str(rejected)),)


def refusal(stored: PaperSummary, reason: EditRefused) -> str:
    """Return why a summary cannot be edited now; what was typed is still in the form that says so."""
    if isinstance(reason, SummaryInWork):
        return _("没有保存：这篇论文正在重新总结。您填写的内容仍在下面，请等总结结束后再改。")
    return format_html(
        _(
            "没有保存：您打开页面以后，这份总结已被改动（{who}，{when}）。您填写的内容仍在下面；"
            '请<a href="{address}" target="_blank">在新窗口打开现在的总结</a>，把改动并进去。'
        ),
        who=stored.edited_by or _("重新总结"),
        when=date_format(timezone.localtime(stored.updated_at), "Y-m-d H:i"),
        address=reverse("admin:papers_papersummary_change", args=[stored.pk]),
    )
