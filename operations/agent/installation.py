"""The agent of this installation: the one that is set, else pi; and what is missing where there is none."""

import os
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from operations.agent.command import AgentCommand, located
from operations.agent.errors import AgentNotConfigured, AgentNotInstalled
from operations.agent.pi import Model, pi_command
from operations.agent.providers import key_variable
from operations.agent.tools import OLDEST_NODE, Pi, Places

PI_MISSING = "pi_missing"
PI_UNUSABLE = "pi_unusable"
NOT_CONFIGURED = "not_configured"
KEY_MISSING = "key_missing"
COMMAND_MISSING = "command_missing"

INSTALL_COMMAND = "make agent"


@dataclass(frozen=True)
class AgentState:
    """Whether summaries can be made, or what is missing; `message` is for people, in the page's language."""

    ok: bool
    problem_code: str
    message: str


class _Problem(Exception):
    def __init__(self, code: str, message: str, english: str) -> None:
        super().__init__(english)
        self.code = code
        self.message = message


def configured_agent() -> AgentCommand:
    """Return the agent to run.

    Raises:
        AgentNotInstalled: there is none on this machine.
        AgentNotConfigured: pi has not been told which model to use, or lacks its key.
    """
    if settings.PAPERSITE.agent_command:
        return AgentCommand(tuple(settings.PAPERSITE.agent_command))
    try:
        pi, model = _usable_pi(), _configured_model()
    except _Problem as problem:
        kind = AgentNotConfigured if problem.code in (NOT_CONFIGURED, KEY_MISSING) else AgentNotInstalled
        raise kind(str(problem)) from None
    return pi_command(pi, model, agent_folder())


def agent_folder() -> Path:
    """Return the folder of the files that pi reads."""
    return settings.PAPERSITE.data_dir / "agent"


def agent_state() -> AgentState:
    """Return whether the agent can be run. Starts a process only where a program is new or has changed."""
    state = _state_of_command if settings.PAPERSITE.agent_command else _state_of_pi
    try:
        return AgentState(ok=True, problem_code="", message=state())
    except _Problem as problem:
        return AgentState(ok=False, problem_code=problem.code, message=problem.message)


def _state_of_command() -> str:
    command = AgentCommand(tuple(settings.PAPERSITE.agent_command))
    try:
        program = located(command, command.full_environment())[0]
    except AgentNotInstalled as error:
        message = _("找不到 PAPERSITE_AGENT_COMMAND 中的程序：%(program)s。") % {"program": command.arguments[0]}
        raise _Problem(COMMAND_MISSING, message, str(error)) from None
    return _("自定义智能体：%(program)s") % {"program": program}


def _state_of_pi() -> str:
    pi, model = _usable_pi(), _configured_model()
    version = ".".join(str(part) for part in pi.version or ())
    return _("pi %(version)s，模型 %(model)s") % {"version": version, "model": model.name}


def _usable_pi() -> Pi:
    pi = Places().find_pi()
    if pi is None:
        raise _Problem(
            PI_MISSING,
            _("没有安装智能体 pi。请运行 make run 或 %(command)s 来安装。") % {"command": INSTALL_COMMAND},
            f"agent not installed: there is no pi; run `{INSTALL_COMMAND}`",
        )
    if not pi.is_usable:
        node = ".".join(str(part) for part in OLDEST_NODE)
        raise _Problem(
            PI_UNUSABLE,
            _("智能体 pi 无法运行（新版需要 node %(node)s 以上）。请运行 %(command)s 来修复。")
            % {"node": node, "command": INSTALL_COMMAND},
            f"agent not installed: {' '.join(pi.arguments)} does not run; run `{INSTALL_COMMAND}`",
        )
    return pi


def _configured_model() -> Model:
    configuration = settings.PAPERSITE
    key = configuration.llm_key.get_secret_value().strip() if configuration.llm_key else None
    if not configuration.llm_model:
        raise _not_configured("PAPERSITE_LLM_MODEL")
    if configuration.llm_url:
        return Model(configuration.llm_provider or "", configuration.llm_model, configuration.llm_url, key or None)
    if not configuration.llm_provider:
        raise _not_configured("PAPERSITE_LLM_PROVIDER / PAPERSITE_LLM_URL")
    variable = key_variable(configuration.llm_provider)
    # Someone who uses pi by hand may have the provider's own variable set already.
    key = key or os.environ.get(variable)
    if not key:
        raise _key_missing(configuration.llm_provider, variable)
    return Model(configuration.llm_provider, configuration.llm_model, None, key)


def _not_configured(names: str) -> _Problem:
    return _Problem(
        NOT_CONFIGURED,
        _("还没有设置智能体使用的模型：请设置 %(names)s。") % {"names": names},
        f"the agent has not been told which model to use: set {names}",
    )


def _key_missing(provider: str, variable: str) -> _Problem:
    return _Problem(
        KEY_MISSING,
        _("没有 %(provider)s 的密钥：请设置 PAPERSITE_LLM_KEY。") % {"provider": provider},
        f"there is no key for {provider}: set PAPERSITE_LLM_KEY (or {variable})",
    )
