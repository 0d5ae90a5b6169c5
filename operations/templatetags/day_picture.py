"""The account of a day in the template: its bar, its sums, and what the patterns of the bar mean."""

from django import template

from operations import account_picture
from operations.account_picture import KINDS, Part
from operations.day_accounts import DayAccount

register = template.Library()


@register.inclusion_tag("operations/_account_bar.html")
def account_bar(account: DayAccount, full: int) -> dict[str, object]:
    """Show the account as a bar; `full` papers fill the whole width."""
    return {"stretches": account_picture.bar(account, full)}


@register.inclusion_tag("operations/_account_legend.html")
def account_legend() -> dict[str, object]:
    """Show the patterns and what they stand for."""
    return {"kinds": KINDS}


@register.filter
def fates(account: DayAccount) -> list[Part]:
    """Return what became of the papers that were listed."""
    return account_picture.fates(account)


@register.filter
def states(account: DayAccount) -> list[Part]:
    """Return the states of the papers that are stored."""
    return account_picture.states(account)
