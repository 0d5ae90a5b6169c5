"""The settings in force, where each came from, and what they mean, fit to be shown: no secret is among them."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from dotenv import dotenv_values
from pydantic import SecretStr, ValidationError

from operations.masking import masked, masked_arguments
from operations.models import ScheduleTime
from operations.schedules import DAILY_CRAWL, in_force
from papersite.configuration import Configuration, unknown_settings

_PREFIX = "PAPERSITE_"

# One line for each setting; docs/settings.md says more.
MEANINGS = {
    "data_dir": gettext_lazy("所有写入的内容：数据库、论文、临时文件、日志、备份"),
    "hf_url": gettext_lazy("每日列表的来源"),
    "arxiv_api_url": gettext_lazy("arXiv 元数据接口"),
    "arxiv_url": gettext_lazy("arXiv 源文件和 PDF"),
    "arxiv_interval": gettext_lazy("两次访问 arXiv 之间的秒数，所有进程合计"),
    "agent_command": gettext_lazy("代替 pi 的智能体命令"),
    "llm_provider": gettext_lazy("智能体使用的模型服务商"),
    "llm_model": gettext_lazy("智能体使用的模型"),
    "llm_url": gettext_lazy("兼容 OpenAI 接口的模型地址"),
    "llm_key": gettext_lazy("模型服务的密钥，只交给智能体"),
    "agent_timeout": gettext_lazy("一篇总结最多用的秒数"),
    "summary_workers": gettext_lazy("同时进行的总结数"),
    "summary_daily_limit": gettext_lazy("每天最多的总结数"),
    "crawl_cron": gettext_lazy("每天抓取的时间（站点时区）"),
    "refresh_days": gettext_lazy("每天重新查询的最近天数"),
    "time_zone": gettext_lazy("页面和定时任务的时区"),
    "language_code": gettext_lazy("页面和后台的语言"),
    "secret_key": gettext_lazy("会话和令牌的签名密钥；不设时自动生成并保存在数据目录"),
    "debug": gettext_lazy("Django 的调试模式；正式使用时必须关闭"),
    "allowed_hosts": gettext_lazy("可以用来访问站点的主机名"),
    "base_url": gettext_lazy("站点的公开地址"),
    "backup_keep": gettext_lazy("保留的每夜备份数；0 表示不备份"),
    "proxy_count": gettext_lazy("站点前面反向代理的层数，用来认出访问者的地址"),
    "api_rate": gettext_lazy("每个地址或令牌每分钟可以调用 API 的次数；0 表示不限"),
    "api_origins": gettext_lazy("哪些网站的页面可以在浏览器里调用 API"),
    "metrics": gettext_lazy("是否在 /api/v1/metrics 给出 Prometheus 的指标"),
}


class Source(TextChoices):
    """Where a value came from."""

    ENVIRONMENT = "environment", gettext_lazy("环境变量")
    FILE = "file", gettext_lazy("配置文件")
    DEFAULT = "default", gettext_lazy("默认值")
    CONSOLE = "console", gettext_lazy("在后台修改")


@dataclass(frozen=True)
class SettingInForce:
    """A setting as it is in force; `value` is fit to be shown.

    `needs_restart` says that environment or file name another value by now, which counts from the next start on.
    """

    name: str
    value: str
    source: Source
    meaning: str
    needs_restart: bool = False


@dataclass(frozen=True)
class SettingsReport:
    """All settings; the file they may stand in, and whether it is there; names that are none; what is wrong by now."""

    rows: tuple[SettingInForce, ...]
    file: str
    file_exists: bool
    unknown: tuple[str, ...]
    problems: tuple[str, ...]


def settings_report() -> SettingsReport:
    """Return the settings in force, by one query."""
    fresh, problems = _read_again()
    file = str(Configuration.model_config["env_file"])
    return SettingsReport(
        rows=tuple(_rows(fresh)),
        file=file,
        file_exists=Path(file).is_file(),
        unknown=tuple(unknown_settings()),
        problems=tuple(problems),
    )


def _read_again() -> tuple[Configuration | None, list[str]]:
    """Return what the next start would read, or what would stop it."""
    try:
        return Configuration(), []
    except ValidationError as error:
        return None, [
            f"{_PREFIX}{'_'.join(map(str, item['loc'][:1])).upper()}: {item['msg']}" for item in error.errors()
        ]
    except (OSError, UnicodeDecodeError) as error:
        return None, [str(error)]


def _rows(fresh: Configuration | None) -> Iterator[SettingInForce]:
    given, in_file = _names(os.environ.items()), _names(_file_values().items())
    changed = ScheduleTime.objects.filter(name=DAILY_CRAWL).values_list("cron", flat=True).first()
    for name in Configuration.model_fields:
        value, source = getattr(settings.PAPERSITE, name), _source(name, given, in_file)
        if name == "crawl_cron" and changed and in_force(changed, value) == changed:
            value, source = changed, Source.CONSOLE
        yield SettingInForce(
            name=f"{_PREFIX}{name.upper()}",
            value=_shown(value),
            source=source,
            meaning=str(MEANINGS.get(name, "")),
            needs_restart=fresh is not None and getattr(fresh, name) != getattr(settings.PAPERSITE, name),
        )


def _source(name: str, given: set[str], in_file: set[str]) -> Source:
    if name in given:
        return Source.ENVIRONMENT
    return Source.FILE if name in in_file else Source.DEFAULT


def _names(pairs: Any) -> set[str]:
    """Return the settings that are given, without their prefix; a blank one counts as not given."""
    upper = ((name.upper(), value) for name, value in pairs)
    return {name.removeprefix(_PREFIX).lower() for name, value in upper if name.startswith(_PREFIX) and value}


def _file_values() -> dict[str, str | None]:
    try:
        return dotenv_values(str(Configuration.model_config["env_file"]))
    except (OSError, UnicodeDecodeError):
        return {}


def _shown(value: Any) -> str:
    """Return a value as people may read it."""
    if isinstance(value, SecretStr):
        return _("已设置（不显示）")
    if value is None or value in ("", []):
        return _("未设置")
    if isinstance(value, bool):
        return _("开") if value else _("关")
    key = settings.PAPERSITE.llm_key
    also = (key.get_secret_value(),) if key else ()
    if isinstance(value, (list, tuple)):
        return masked_arguments([str(part) for part in value], also=also)
    return masked(str(value), also=also)
