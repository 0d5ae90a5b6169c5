"""What the working commands share: arguments, the sweep at their start, stopping cleanly, exit codes."""

import argparse
import datetime as dt
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from types import FrameType

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import OperationalError
from tqdm import tqdm

from operations.backup.data_lock import using_data
from operations.backup.errors import DataInUse
from operations.backup.staging import recover
from operations.interruption import INTERRUPTED
from operations.maintenance import MaintenanceOn
from operations.sweep import sweep
from operations.tables import DatabaseUnusable, ensure_tables

FAILED = 1
WRONG_USE = 2
LOCKED = 3


def date_argument(text: str) -> dt.date:
    """Return a date given as YYYY-MM-DD.

    Raises:
        argparse.ArgumentTypeError: it is none; argparse names the option and ends with exit code 2.
    """
    try:
        return dt.datetime.strptime(text, "%Y-%m-%d").replace(tzinfo=dt.UTC).date()
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r} is not a date such as 2026-06-05") from None


def add_date_options(parser: CommandParser) -> None:
    """Add --date, --from and --to."""
    parser.add_argument("--date", type=date_argument, metavar="D", help="one day, as 2026-06-05")
    parser.add_argument("--from", type=date_argument, metavar="D", dest="first", help="first day of a range")
    parser.add_argument("--to", type=date_argument, metavar="D", dest="last", help="last day of a range")


def chosen_dates(options: dict, default: dt.date) -> list[dt.date]:
    """Return the days that --date, or --from and --to, name; `default` where none is given.

    Raises:
        CommandError: the options do not go together (exit code 2).
    """
    date, first, last = options["date"], options["first"], options["last"]
    if date and (first or last):
        raise CommandError("--date does not go with --from and --to", returncode=WRONG_USE)
    if bool(first) != bool(last):
        raise CommandError("--from and --to go together", returncode=WRONG_USE)
    if not first:
        return [date or default]
    if last < first:
        raise CommandError(f"--from {first} is after --to {last}", returncode=WRONG_USE)
    return [first + dt.timedelta(days=n) for n in range((last - first).days + 1)]


def require_tables() -> None:
    """Bring the tables up to date, or end with exit code 1 where the database cannot be used.

    A restore that was killed on its way is finished first; where one is running, the exit code is 3.
    """
    try:
        recover(settings.PAPERSITE.data_dir)
        ensure_tables()
    except DataInUse as error:
        raise CommandError(str(error), returncode=LOCKED) from error
    except DatabaseUnusable as error:
        raise CommandError(str(error), returncode=FAILED) from error


@contextmanager
def working() -> Iterator[None]:
    """Begin with the tables and the sweep, keep a restore away, and end cleanly (see `stoppable`).

    Locks and logs are closed in each case; what was stored stays, and running the command again goes on. Where the
    block is held by maintenance, or the disk or the database fails, the command ends with exit code 1 and says so.
    """
    with stoppable(), _explaining_faults():
        require_tables()
        with _keeping_data():
            sweep()
            try:
                yield
            except MaintenanceOn as error:
                raise CommandError(str(error), returncode=FAILED) from None


@contextmanager
def _explaining_faults() -> Iterator[None]:
    """Say in a sentence that the disk is full, may not be written to, or fails; `--traceback` shows the rest."""
    try:
        yield
    except (OperationalError, OSError) as error:
        free = shutil.disk_usage(settings.PAPERSITE.data_dir).free / 1e6
        raise CommandError(
            f"the data cannot be read or written: {error}. {free:,.1f} MB are free in {settings.PAPERSITE.data_dir}; "
            "what was stored stays, and running the command again goes on",
            returncode=FAILED,
        ) from error


@contextmanager
def _keeping_data() -> Iterator[None]:
    with ExitStack() as stack:
        try:
            stack.enter_context(using_data(settings.PAPERSITE.data_dir))
        except DataInUse as error:
            raise CommandError(str(error), returncode=LOCKED) from error
        yield


@contextmanager
def stoppable() -> Iterator[None]:
    """Let SIGTERM, or the terminal's end, end the block as Ctrl-C does: the command ends with exit code 130."""
    previous = {number: signal.signal(number, _interrupt) for number in _stop_signals()}
    try:
        yield
    except KeyboardInterrupt:
        raise CommandError("stopped; run it again to go on", returncode=INTERRUPTED) from None
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)


def _stop_signals() -> list[signal.Signals]:
    """Return what stops a command; under nohup the terminal's end does not."""
    is_nohup = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return [signal.SIGTERM] if is_nohup else [signal.SIGTERM, signal.SIGHUP]


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt


@contextmanager
def byte_bar(name: str) -> Iterator[Callable[[int, int], None]]:
    """Show a bar on a terminal, and yield what tells it of bytes done and bytes in all."""
    with tqdm(desc=name, unit="B", unit_scale=True, unit_divisor=1000, leave=False, disable=None) as bar:

        def show(done: int, total: int) -> None:
            bar.total = total
            bar.update(done - bar.n)

        yield show
