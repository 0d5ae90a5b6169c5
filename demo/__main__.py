"""`python -m demo`: the site on the recorded world, made by the code that makes it on the real sources."""

import argparse
import os
import shlex
import sys
from pathlib import Path

from demo.server import serving_world
from operations.serving.listening import port_number

PROJECT_DIR = Path(__file__).resolve().parent.parent


def arguments() -> argparse.Namespace:
    """Return what the command line says."""
    parser = argparse.ArgumentParser(prog="python -m demo", description="The site on ten invented papers, offline.")
    parser.add_argument("--port", type=port_number, default=8000, help="port on 127.0.0.1 (default: %(default)s)")
    parser.add_argument("--data-dir", type=Path, default=PROJECT_DIR / "data-demo", help="default: %(default)s")
    parser.add_argument("--once", action="store_true", help="make everything and end, without serving")
    return parser.parse_args()


def configure(world: str, data_dir: Path) -> None:
    """Point this process, and all that it starts, to the recorded world alone."""
    for name in [name for name in os.environ if name.startswith("PAPERSITE_")]:
        del os.environ[name]
    agent = [sys.executable, str(Path(__file__).with_name("agent.py"))]
    os.environ |= {
        "DJANGO_SETTINGS_MODULE": "papersite.settings",
        "PAPERSITE_ENV_FILE": os.devnull,
        "PAPERSITE_DATA_DIR": str(data_dir.absolute()),
        "PAPERSITE_HF_URL": f"{world}/hf",
        "PAPERSITE_ARXIV_API_URL": f"{world}/arxiv",
        "PAPERSITE_ARXIV_URL": f"{world}/arxiv",
        "PAPERSITE_ARXIV_INTERVAL": "0",
        "PAPERSITE_AGENT_COMMAND": shlex.join(agent),
    }


def main() -> int:
    """Make what is missing, then serve until Ctrl-C."""
    options = arguments()
    with serving_world() as address:
        configure(address, options.data_dir)
        from demo import site  # Django reads its settings at the first import

        return site.run(port=options.port, serve=not options.once)


if __name__ == "__main__":
    sys.exit(main())
