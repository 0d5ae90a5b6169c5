"""Makes, lists and revokes the API's tokens."""

import argparse
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.command_line import FAILED, WRONG_USE, require_tables
from operations.maintenance import person_at_the_terminal
from papersite.api_tokens import (
    LONGEST_DAYS,
    NameTaken,
    UnknownToken,
    UnusableName,
    create_token,
    revoke,
    why_not_in_force,
)
from papersite.models import ApiToken, TokenScope


def _days(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text[:9]) <= LONGEST_DAYS or len(text) > 9:
        raise argparse.ArgumentTypeError(f"{text[:40]!r} is not a number of days from 1 to {LONGEST_DAYS}")
    return int(text)


class Command(BaseCommand):
    """`api_token create NAME --scope S [--days N] | list | revoke NAME|PREFIX`."""

    help = (
        "Make a token for the API and print it, alone and this once (create); list all tokens (list); end one at once "
        "(revoke). Exit codes: 0; 1 where the name is taken or no token has it; 2 for wrong use."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take what to do."""
        actions = parser.add_subparsers(dest="action", required=True, metavar="create|list|revoke")
        create = actions.add_parser("create", help="make a token and print it")
        create.add_argument("name", metavar="NAME", help="where it is used")
        create.add_argument(
            "--scope", required=True, choices=TokenScope.values, help="what it may do; personal and operate read too"
        )
        create.add_argument("--days", type=_days, metavar="N", help="it ends after so many days; without: never")
        actions.add_parser("list", help="list all tokens, the newest first")
        ended = actions.add_parser("revoke", help="end a token at once")
        ended.add_argument("token", metavar="NAME|PREFIX", help="its name, or its beginning as listed")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it."""
        require_tables()
        try:
            {"create": self._create, "list": self._list, "revoke": self._revoke}[options["action"]](options)
        except UnusableName as error:
            raise CommandError(str(error), returncode=WRONG_USE) from error
        except (NameTaken, UnknownToken) as error:
            raise CommandError(str(error), returncode=FAILED) from error

    def _create(self, options: dict[str, Any]) -> None:
        scope = TokenScope(options["scope"])
        _row, text = create_token(options["name"], scope, days=options["days"], by=person_at_the_terminal())
        self.stdout.write(text)

    def _list(self, _options: dict[str, Any]) -> None:
        for token in ApiToken.objects.order_by("-pk").iterator():
            used = f"used {token.last_used_at:%Y-%m-%d %H:%M}" if token.last_used_at else "never used"
            self.stdout.write(f"{token.prefix}  {token.scope:8}  {_state(token)}, {used}  {token.name}")

    def _revoke(self, options: dict[str, Any]) -> None:
        token = revoke(options["token"])
        self.stdout.write(f"{token} {why_not_in_force(token)}.")


def _state(token: ApiToken) -> str:
    gone = why_not_in_force(token)
    if gone is not None:
        return gone
    return f"ends on {token.ends_at:%Y-%m-%d}" if token.ends_at else "without end"
