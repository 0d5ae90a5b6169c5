"""One step tried: bounded in time, never raising; what is wrong is its outcome, in plain words."""

import logging
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db import DatabaseError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from operations.agent.errors import AgentError
from operations.http.errors import SourceError
from operations.locks import LockHeld
from operations.models import Measurement
from operations.trial import steps
from operations.trial.in_time import NotInTime
from operations.trial.steps import StepFailed
from operations.trial.words import agent_error_in_words, source_error_in_words

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

logger = logging.getLogger(__name__)


class UnknownStep(Exception):
    """There is no step of that name."""


@dataclass(frozen=True)
class Step:
    """What is tried: `work` returns a sentence in the page's language, and raises where the step fails."""

    label: "StrOrPromise"
    work: Callable[[], str]
    costs_tokens: bool = False


@dataclass(frozen=True)
class StepOutcome:
    """How a step ended: `seconds` it took, and a sentence in the page's language."""

    name: str
    ok: bool
    seconds: float
    message: str

    @property
    def label(self) -> str:
        """What was tried."""
        return str(STEPS[self.name].label)


STEPS: dict[str, Step] = {
    "data_folder": Step(gettext_lazy("数据目录可写"), steps.data_folder),
    "database": Step(gettext_lazy("数据库可写、完好"), steps.database),
    "huggingface": Step(gettext_lazy("Hugging Face：今天的列表"), steps.huggingface),
    "arxiv_api": Step(gettext_lazy("arXiv 接口：一篇论文的元数据"), steps.arxiv_api),
    "arxiv_files": Step(gettext_lazy("arXiv 文件：一篇论文的源文件"), steps.arxiv_files),
    "agent_installed": Step(gettext_lazy("智能体已安装、已设置"), steps.agent_installed),
    "model": Step(gettext_lazy("模型服务可访问"), steps.model),
    "agent_answers": Step(gettext_lazy("智能体真的回答"), steps.agent_answers, costs_tokens=True),
}
# Those that cost nothing, in the order in which they make sense.
FREE_STEPS = tuple(name for name, step in STEPS.items() if not step.costs_tokens)
# Outcomes that the first page tells later.
_KEPT = ("model", "agent_answers")


def try_step(name: str) -> StepOutcome:
    """Try one of `STEPS`; never raises for what goes wrong in it.

    Raises:
        UnknownStep: see there.
    """
    if name not in STEPS:
        raise UnknownStep(name)
    began = time.monotonic()
    ok, message = _try(STEPS[name])
    if name in _KEPT:
        _keep(name, ok)
    return StepOutcome(name, ok, round(time.monotonic() - began, 1), message)


def _try(step: Step) -> tuple[bool, str]:
    try:
        return True, step.work()
    except StepFailed as failure:
        return False, str(failure)
    except NotInTime as error:
        return False, _("%(seconds)d 秒内没有结束，已放弃等待。") % {"seconds": error.seconds}
    except SourceError as error:
        return False, source_error_in_words(error)
    except AgentError as error:
        return False, agent_error_in_words(error)
    except LockHeld:
        return False, _("另一个人正在试，请稍后再看。")
    except Exception as error:
        logger.exception("a step of the trial failed unexpectedly")
        return False, _("意外的错误：%(kind)s。详情见日志。") % {"kind": type(error).__name__}


# ---------------------------------------------------------------- what the first page tells of it later


def _keep(name: str, ok: bool) -> None:
    values = {"value": int(ok), "measured_at": timezone.now()}
    try:
        Measurement.objects.update_or_create(name=_kept_name(name), defaults=values)
    except DatabaseError as error:  # a step of its own tells what is wrong with the database
        logger.warning("the outcome of a step of the trial could not be kept: %s", error)


def last_outcomes(known: Mapping[str, Measurement] | None = None) -> dict[str, Measurement]:
    """Return how the steps that are kept last ended (`value` 1: well); one that was never tried is absent.

    Asks for the measurements unless they are known.
    """
    rows = Measurement.objects.in_bulk([_kept_name(name) for name in _KEPT]) if known is None else known
    return {name: rows[_kept_name(name)] for name in _KEPT if _kept_name(name) in rows}


def _kept_name(name: str) -> str:
    return f"trial of {name}"
