"""Static files, collected again only when one of them, or what collects them, has changed."""

import hashlib
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path

import django
from django.conf import settings
from django.contrib.staticfiles.finders import get_finders
from django.core.management import call_command


def collect_static() -> bool:
    """Collect, compress and fingerprint the static files; tell whether there was something to do."""
    stamp = Path(settings.STATIC_ROOT) / ".collected"
    wanted = _fingerprint()
    if stamp.is_file() and stamp.read_text() == wanted:
        return False
    stamp.unlink(missing_ok=True)
    call_command("collectstatic", interactive=False, clear=True, verbosity=0)
    stamp.write_text(wanted)
    return True


def _fingerprint() -> str:
    digest = hashlib.sha256(f"{django.__version__} {version('whitenoise')}".encode())
    for path in sorted(_sources()):
        state = path.stat()
        digest.update(f"{path} {state.st_mtime_ns} {state.st_size}\n".encode())
    return digest.hexdigest()


def _sources() -> Iterator[Path]:
    for finder in get_finders():
        for name, storage in finder.list([]):
            yield Path(storage.path(name))
