"""The steps of the demo, each the command or function that an installation uses. Import only when configured."""

import secrets
import sys
from collections import Counter
from pathlib import Path

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.core.management import CommandError, call_command  # noqa: E402

from demo import world  # noqa: E402
from operations.serving.first_start import LOGIN_NAME, make_login  # noqa: E402
from operations.serving.listening import PortTaken, listen  # noqa: E402
from operations.serving.lock import AlreadyServing, serving_alone  # noqa: E402
from operations.tables import DatabaseUnusable, migrate  # noqa: E402
from papers.models import SummaryStatus  # noqa: E402

HOST = "127.0.0.1"
# Of ten papers one is withdrawn, and of one the recorded agent refuses to speak.
EXPECTED = {"done": 8, "permanent_failure": 2}


def run(*, port: int, serve: bool) -> int:
    """Make what is missing, say what there is, and serve; returns an exit code."""
    try:
        with serving_alone(settings.PAPERSITE.data_dir):  # two demos at once would make everything twice
            if serve:
                _check_free(port)
            _make()
        _say(f"Admin login, made for the demo: {LOGIN_NAME} / {_password()}  (/admin/)")
        if serve:
            call_command("serve", host=HOST, port=port)
    except (CommandError, AlreadyServing, PortTaken, DatabaseUnusable) as error:
        sys.stderr.write(f"{error}\n")
        return getattr(error, "returncode", 1)
    except KeyboardInterrupt:
        return 130
    return 0


def _check_free(port: int) -> None:
    """Complain before the work rather than after it."""
    with listen(HOST, port):
        pass


def _make() -> None:
    """Crawl the world's days and summarise its papers, unless this world was made here already."""
    ready = settings.PAPERSITE.data_dir / "demo-ready"
    migrate()
    make_login(_password())
    if not ready.is_file() or ready.read_text("ascii") != world.fingerprint():
        days = world.days()
        call_command("crawl", "--from", days[0], "--to", days[-1])
        _summarize()
        ready.write_text(world.fingerprint(), "ascii")
    counts = Counter(SummaryStatus.objects.values_list("status", flat=True))
    _say(f"{counts.total()} papers of {len(world.days())} days: {_in_words(counts)} (as this world means them to).")


def _summarize() -> None:
    """Summarise; that some papers fail belongs to this world, anything else does not."""
    try:
        call_command("summarize")
    except CommandError:
        counts = Counter(SummaryStatus.objects.values_list("status", flat=True))
        if counts != EXPECTED:
            raise


def _in_words(counts: Counter[str]) -> str:
    return ", ".join(f"{count} {state.replace('_', ' ')}" for state, count in sorted(counts.items()))


def _password() -> str:
    """Return the demo's password, made once and kept beside its data, so that each run prints the same."""
    path: Path = settings.PAPERSITE.data_dir / "demo-password"
    path.touch(mode=0o600)
    kept = path.read_text("ascii")  # empty also where the demo was ended here
    if not kept:
        kept = secrets.token_urlsafe(9)
        path.write_text(kept, "ascii")
    return kept


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()
