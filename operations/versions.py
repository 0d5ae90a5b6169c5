"""Which versions the installation runs on."""

import platform
import sqlite3
from dataclasses import dataclass

import django
from django.conf import settings
from django.utils.translation import gettext as _

from operations.agent.tools import Places
from papersite import __version__

# Before it, a reset of the write-ahead log may rarely damage the database (https://sqlite.org/wal.html).
SAFE_SQLITE = (3, 51, 3)


@dataclass(frozen=True)
class Version:
    """A part and its version; `warning` is a sentence where the version has a trouble."""

    name: str
    version: str
    warning: str = ""


def versions() -> list[Version]:
    """Return the parts that matter; of pi only where it is the agent."""
    return [
        Version("Papersite", __version__),
        Version("Python", platform.python_version()),
        Version("Django", django.get_version()),
        Version("SQLite", sqlite3.sqlite_version, _sqlite_warning(sqlite3.sqlite_version_info)),
        *_agent(),
    ]


def _sqlite_warning(version: tuple[int, ...]) -> str:
    if version >= SAFE_SQLITE:
        return ""
    safe = ".".join(map(str, SAFE_SQLITE))
    return _("早于 %(safe)s：预写日志在极少数情况下可能损坏数据库。请保留备份，有机会时升级。") % {"safe": safe}


def _agent() -> list[Version]:
    if settings.PAPERSITE.agent_command:
        return []
    pi = Places().find_pi()
    if pi is None:
        return [Version("pi", _("没有安装"))]
    return [Version("pi", ".".join(map(str, pi.version)) if pi.version else _("无法运行"))]
