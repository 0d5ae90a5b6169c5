"""What is started, and with which environment."""

import os
import shutil
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from operations.agent.errors import AgentNotInstalled

# What programs need to find their parts, speak the right language and reach the net. No secret is among them.
PASSED_ON = (
    *("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TZ"),
    *("HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"),
    *("SSL_CERT_FILE", "SSL_CERT_DIR", "NODE_EXTRA_CA_CERTS"),
)
DEFAULT_PATH = "/usr/local/bin:/usr/bin:/bin"
# Shorter "secrets" are the placeholders that local servers are given ("none", "ollama"): words of any text.
SHORTEST_SECRET = 16
_SHEBANG_LENGTH = 256  # bytes the kernel reads of one


@dataclass(frozen=True)
class AgentCommand:
    """Program and arguments; what the environment gets beyond the common part; and what must not be repeated."""

    arguments: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict, repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    is_default: bool = False

    def full_environment(self) -> dict[str, str]:
        """Return the whole environment the agent is to have."""
        common = {name: os.environ[name] for name in PASSED_ON if name in os.environ}
        return {"PATH": DEFAULT_PATH, **common, **self.environment}

    def without_secrets(self, text: str) -> str:
        """Return `text` with the secrets blotted out, should the agent have repeated one."""
        for secret in self.secrets:
            if len(secret) >= SHORTEST_SECRET:
                text = text.replace(secret, "***")
        return text


def located(command: AgentCommand, environment: Mapping[str, str]) -> list[str]:
    """Return the argument list with the program's full path.

    Raises:
        AgentNotInstalled: the program, or the interpreter its first line names, is missing or cannot be executed.
    """
    program = _found(command.arguments[:1], environment)
    for interpreter in _interpreters(Path(program)):
        _found([interpreter], environment, needed_by=program)
    return [program, *command.arguments[1:]]


def _found(program: Iterable[str], environment: Mapping[str, str], needed_by: str | None = None) -> str:
    for name in program:
        path = shutil.which(os.path.expanduser(name), path=environment["PATH"])  # noqa: PTH111
        if path is not None:
            return os.path.abspath(path)  # noqa: PTH100  (a link must stay one: its folder may matter)
        why = f", which {needed_by} needs" if needed_by else ""
        raise AgentNotInstalled(f"agent not installed: {name!r}{why} is not an executable program")
    raise AgentNotInstalled("agent not installed: the command is empty")


def _interpreters(program: Path) -> list[str]:
    """Return what a script's first line starts: of `#!/usr/bin/env node`, both."""
    try:
        with program.open("rb") as file:
            start = file.read(_SHEBANG_LENGTH)
    except OSError:
        return []
    if not start.startswith(b"#!"):
        return []
    words = start[2:].split(b"\n", 1)[0].decode(errors="replace").split()
    through_env = (
        len(words) > 1 and Path(words[0]).name == "env" and not words[1].startswith("-") and "=" not in words[1]
    )
    return words[: 2 if through_env else 1]
