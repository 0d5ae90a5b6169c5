"""The account of a day as a picture and as two sums: the same parts, by the same names."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from operations.day_accounts import DayAccount

# Each kind has a pattern of its own in the picture, in the order of the bar.
STATES: dict[str, Promise] = {
    "done": _("已完成"),
    "waiting": _("等待"),
    "processing": _("总结中"),
    "failed": _("待重试"),
    "permanent": _("永久失败"),
}
FATES: dict[str, Promise] = {
    "stored": pgettext_lazy("account", "收录"),
    "earlier": _("归入更早一天"),
    "skipped": _("跳过"),
    "deleted": _("有意删除"),
}
# Listed papers that are not among the day's own, and those of which nothing is known.
ELSEWHERE = _("不在这一天")
UNEXPLAINED = _("没有下落")
KINDS: dict[str, Promise] = {**STATES, "elsewhere": ELSEWHERE, "unexplained": UNEXPLAINED}
# Papers that fill a bar where no day has more, so that a quiet week does not look like a busy one.
_LEAST_FULL = 10


@dataclass(frozen=True, slots=True)
class Part:
    """One term of a sum."""

    label: Promise
    papers: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of a bar: where it begins and how long it is, in percent of the longest bar."""

    kind: str
    papers: int
    start: float
    length: float


def fates(account: DayAccount) -> list[Part]:
    """Return what became of the papers that were listed: how many are stored, and all else that there is any of."""
    return _parts(account, FATES, always="stored")


def states(account: DayAccount) -> list[Part]:
    """Return the states of the papers that are stored: how many are done, and all else that there is any of."""
    return _parts(account, STATES, always="done")


def longest(accounts: list[DayAccount]) -> int:
    """Return how many papers the longest bar stands for."""
    return max([_LEAST_FULL, *(account.listed for account in accounts)])


def bar(account: DayAccount, full: int) -> list[Stretch]:
    """Return the parts of a day's bar, of which `full` papers fill the whole width."""
    counts = {
        **{kind: getattr(account, kind) for kind in STATES},
        "elsewhere": account.earlier + account.skipped + account.deleted,
        "unexplained": account.missing + account.without_status,
    }
    stretches, start = [], 0
    for kind, papers in counts.items():
        if papers:
            stretches.append(Stretch(kind, papers, _percent(start, full), _percent(papers, full)))
        start += papers
    return stretches


def _parts(account: DayAccount, names: dict[str, Promise], *, always: str) -> list[Part]:
    counts = ((kind, label, getattr(account, kind)) for kind, label in names.items())
    return [Part(label, papers) for kind, label, papers in counts if papers or kind == always]


def _percent(papers: int, full: int) -> float:
    return round(100 * papers / full, 3)
