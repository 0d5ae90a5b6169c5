"""The settings of an installation, typed, from the environment or a `.env` file.

Every name here is read as `PAPERSITE_<NAME>`. Nonsense stops the start with a message that names it.
"""

import os
import re
import secrets
import shlex
from pathlib import Path
from typing import Annotated
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from croniter import CroniterBadDateError, croniter
from dotenv import dotenv_values
from pydantic import BeforeValidator, Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

# Of the processes themselves: which file is read, and the mark of what `serve` and the agent start.
_NOT_SETTINGS = {"PAPERSITE_ENV_FILE", "PAPERSITE_RUN"}
PROJECT_DIR = Path(__file__).resolve().parent.parent
# What a column of the schedules holds, and a time drawn by lot: croniter's own, another one at each look.
_LONGEST_CRON = 100
_BY_CHANCE = re.compile(r"\br\b", re.IGNORECASE)


def _shell_list(value: object) -> object:
    return shlex.split(value) if isinstance(value, str) else value


def _comma_list(value: object) -> object:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()]
    return value


def _blank_is_none(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


ShellList = Annotated[list[str], NoDecode, BeforeValidator(_shell_list)]
CommaList = Annotated[list[str], NoDecode, BeforeValidator(_comma_list)]
OptionalText = Annotated[str | None, BeforeValidator(_blank_is_none)]
OptionalCount = Annotated[Annotated[int, Field(ge=0)] | None, BeforeValidator(_blank_is_none)]
OptionalSecret = Annotated[SecretStr | None, BeforeValidator(_blank_is_none)]


def checked_cron(cron: str) -> str:
    """Return a cron expression of five fields, with single blanks between them.

    Raises:
        ValueError: it is none, or its time never comes.
    """
    fields = cron.split()
    folded = " ".join(fields)
    if len(fields) != 5 or len(folded) > _LONGEST_CRON or _BY_CHANCE.search(folded) or not _ever_comes(folded):
        raise ValueError("must be a cron expression of five fields, such as 0 9 * * *")
    return folded


def _ever_comes(cron: str) -> bool:
    """Tell whether a cron expression names a time; that of 30 February is well formed, and stops all schedules."""
    try:
        return croniter.is_valid(cron) and croniter(cron).get_next() > 0
    except CroniterBadDateError:
        return False


class Configuration(BaseSettings):
    """What an operator can set; see docs/settings.md."""

    model_config = SettingsConfigDict(
        env_prefix="PAPERSITE_",
        env_file=os.environ.get("PAPERSITE_ENV_FILE", PROJECT_DIR / ".env"),
        env_file_encoding="utf-8",
        # `NAME=` in a file is a line not filled in: a blank DATA_DIR would be the project's own folder.
        env_ignore_empty=True,
        extra="ignore",
        hide_input_in_errors=True,
    )

    data_dir: Path = Path("data")
    hf_url: str = "https://huggingface.co"
    arxiv_api_url: str = "https://export.arxiv.org"
    arxiv_url: str = "https://arxiv.org"
    arxiv_interval: float = Field(default=3, ge=0, le=3600)
    agent_command: ShellList = []
    llm_provider: OptionalText = None
    llm_model: OptionalText = None
    llm_url: OptionalText = None
    llm_key: OptionalSecret = None
    agent_timeout: int = Field(default=600, ge=1, le=86_400)
    summary_workers: int = Field(default=2, ge=1, le=64)
    summary_daily_limit: OptionalCount = None
    crawl_cron: str = "0 9 * * *"
    refresh_days: int = Field(default=7, ge=0, le=366)
    backup_keep: int = Field(default=7, ge=0)
    time_zone: str = "Asia/Shanghai"
    language_code: str = "zh-hans"
    secret_key: OptionalSecret = None
    debug: bool = False
    allowed_hosts: CommaList = ["localhost", "127.0.0.1", "[::1]"]
    base_url: OptionalText = None
    proxy_count: int = Field(default=0, ge=0, le=16)
    api_rate: int = Field(default=300, ge=0, le=1_000_000)
    api_origins: CommaList = []
    metrics: bool = False

    @field_validator("data_dir")
    @classmethod
    def _absolute(cls, value: Path) -> Path:
        return value if value.is_absolute() else PROJECT_DIR / value

    @field_validator("hf_url", "arxiv_api_url", "arxiv_url", "llm_url", "base_url")
    @classmethod
    def _web_address(cls, value: str | None) -> str | None:
        if value is None:
            return None
        parts = urlsplit(value)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must be an address that begins with http:// or https://")
        if parts.port == 0 or any(character.isspace() for character in parts.netloc):  # .port refuses what is none
            raise ValueError("must be an address of a host, and of a port where one is given")
        return value.rstrip("/")

    @field_validator("api_origins")
    @classmethod
    def _origins(cls, value: list[str]) -> list[str]:
        for origin in value:
            parts = urlsplit(cls._web_address(origin) or "")
            if origin != f"{parts.scheme}://{parts.netloc}" or origin != origin.lower() or "@" in origin:
                raise ValueError("must be origins such as https://reader.example.org, with commas between")
        return value

    @field_validator("crawl_cron")
    @classmethod
    def _cron(cls, value: str) -> str:
        return checked_cron(value)

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, value: str) -> str:
        try:
            ZoneInfo(value)
        except (KeyError, ValueError, OSError) as error:
            raise ValueError("must be a time zone name, such as Asia/Shanghai") from error
        return value

    @field_validator("language_code")
    @classmethod
    def _known_language(cls, value: str) -> str:
        if value not in ("zh-hans", "en"):
            raise ValueError("must be zh-hans or en")
        return value

    @property
    def database_path(self) -> Path:
        """The SQLite file of this installation."""
        return self.data_dir / "papersite.sqlite3"

    def secret(self) -> str:
        """Return the configured secret key, or the one kept in DATA_DIR, made at first start."""
        if self.secret_key is not None:
            return self.secret_key.get_secret_value()
        return _kept_secret(self.data_dir / "secret_key")


def unknown_settings() -> list[str]:
    """Return the names in the environment and the `.env` file that look like settings and are none: misspelt ones."""
    prefix = str(Configuration.model_config["env_prefix"])
    known = {f"{prefix}{name}".upper() for name in Configuration.model_fields} | _NOT_SETTINGS
    given = {*os.environ, *dotenv_values(str(Configuration.model_config["env_file"]))}
    return sorted(name for name in given if name.upper().startswith(prefix) and name.upper() not in known)


def _kept_secret(path: Path) -> str:
    try:
        kept = path.read_text("utf-8").strip()
    except FileNotFoundError:
        kept = ""
    if kept:
        return kept
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    fresh.touch(mode=0o600)
    fresh.write_text(secrets.token_urlsafe(50), "utf-8")
    try:
        os.link(fresh, path)  # fails where another process was first, so that all share one key
    except FileExistsError:
        pass
    finally:
        fresh.unlink()
    return path.read_text("utf-8").strip()
