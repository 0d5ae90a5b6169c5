"""Holds all work while the pages go on, and lets it go on."""

import logging
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from operations import maintenance
from operations.command_line import require_tables


class Command(BaseCommand):
    """`maintenance on [--reason R] | off | status`."""

    help = (
        "Hold all work (on), let it go on (off), or say whether it is held (status). While it is held the pages go on "
        "and may be edited; nothing is crawled, summarised, added or deleted, summaries in work go back to the queue "
        "uncounted, and a crawl ends after its day. What was due meanwhile is caught up afterwards. Exit code: 0."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take what to do."""
        actions = parser.add_subparsers(dest="action", required=True, metavar="on|off|status")
        on = actions.add_parser("on", help="hold all work")
        on.add_argument("--reason", default="", metavar="R", help="why, for the people who meet it")
        actions.add_parser("off", help="let the work go on")
        actions.add_parser("status", help="say whether it is held, by whom, since when and why")

    def handle(self, *args: Any, **options: Any) -> None:
        """Do it and say how things stand."""
        logging.getLogger("django-q").setLevel(logging.WARNING)  # a person asked; what is queued by that is no answer
        require_tables()
        by = maintenance.person_at_the_terminal()
        if options["action"] == "on" and not maintenance.switch_on(options["reason"], by=by):
            self.stdout.write("It was on already.")
        elif options["action"] == "off" and not maintenance.switch_off(by=by):
            self.stdout.write("It was not on.")
        switch = maintenance.current()
        self.stdout.write(f"On: {maintenance.describe(switch)}." if switch else "Off: the work goes on.")
