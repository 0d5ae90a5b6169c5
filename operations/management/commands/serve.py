"""`manage.py serve`: the whole site as one tree of processes."""

import logging
import signal
import sys
from argparse import ArgumentParser
from socket import socket
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from operations.backup.errors import DataInUse
from operations.command_line import FAILED, LOCKED
from operations.serving import parts
from operations.serving.first_start import has_login, make_login, request_first_crawl
from operations.serving.heartbeat import HeartbeatWatch
from operations.serving.listening import PortTaken, listen, port_number, site_address, wait_for_answer
from operations.serving.lock import AlreadyServing, serving_alone
from operations.serving.preparation import prepare
from operations.serving.supervision import Supervisor
from operations.tables import DatabaseUnusable
from operations.tasks import WORKER

DEFAULT_PORT = 8000
# Starting takes some two seconds; a slow disk or a busy machine may take much longer.
START_SECONDS = 120.0


class Command(BaseCommand):
    """Serve the site until TERM or Ctrl-C."""

    help = (
        "Serve the site: web, workers and schedules as one tree of processes. Ends with 1 when a part dies, so that a "
        "supervisor starts it again; with 3 when the same DATA_DIR is being served already."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: %(default)s)")
        parser.add_argument(
            "--port",
            type=port_number,
            default=DEFAULT_PORT,
            help="0: any free one (default: %(default)s)",
        )
        parser.add_argument(
            "--first-start",
            action="store_true",
            help="where there is no account, make one and print it (on a terminal); where there is no paper, crawl the "
            "newest day of the last seven that has papers",
        )

    def handle(self, *, host: str, port: int, first_start: bool, **_options: Any) -> None:
        """Serve."""
        logging.disable(logging.INFO)  # the terminal is for the address and for what goes wrong; the rest is in files
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # until the parts run nothing needs an end in order: no traceback
        try:
            with serving_alone(settings.PAPERSITE.data_dir), listen(host, port) as listener:
                code = self._serve(listener, first_start)
        except (AlreadyServing, DataInUse) as error:
            raise CommandError(str(error), returncode=LOCKED) from error
        except (PortTaken, DatabaseUnusable) as error:
            raise CommandError(str(error), returncode=FAILED) from error
        if code:
            sys.exit(code)

    def _serve(self, listener: socket, first_start: bool) -> int:
        prepare()
        if first_start:
            self._begin()
        supervisor = Supervisor(parts.web(listener.fileno()), parts.worker(), HeartbeatWatch(WORKER))
        try:
            supervisor.start()
            if wait_for_answer(listener, seconds=START_SECONDS, given_up=supervisor.is_ending):
                self.stdout.write(f"Papersite is at {site_address(listener)} (Ctrl-C ends it)")
                self.stdout.flush()
            elif not supervisor.is_ending():
                self.stderr.write(f"The site does not answer yet; see {supervisor.web.output.path}")
            return supervisor.watch()
        finally:
            supervisor.end()

    def _begin(self) -> None:
        """Make a login and ask for the first crawl, where they are missing."""
        if not sys.stdout.isatty():  # a log file is no place for a password
            if not has_login():
                self.stdout.write("There is no admin login yet: .venv/bin/python manage.py createsuperuser makes one.")
        elif login := make_login():
            self.stdout.write(f"An admin login was made: {login.name} / {login.password} (shown this once)")
        if request_first_crawl():
            self.stdout.write("There are no papers yet: the newest day of Daily Papers is being fetched.")
