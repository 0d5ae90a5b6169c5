"""Stands in for the agent: finds the paper's id in the prompt and prints the answer recorded for it.

Run as `python agent.py`, the prompt on stdin, as the site runs any agent.
"""

import re
import sys
from pathlib import Path

_ANSWERS = Path(__file__).with_name("world") / "answers"
_ID = re.compile(r"2606\.9\d{4}|hep-th/99019\d\d")
# What the admin's set-up page asks, to see whether the agent answers at all.
_TRIAL = '{"ok": true}'


def main() -> int:
    """Print the recorded answer."""
    prompt = sys.stdin.buffer.read().decode("utf-8")
    if prompt.rstrip().endswith(_TRIAL):
        sys.stdout.write(f"{_TRIAL}\n")
        return 0
    found = _ID.search(prompt)
    path = _ANSWERS / f"{found[0].replace('/', '_')}.txt" if found else None
    if path is None or not path.is_file():
        sys.stderr.write("no answer was recorded for this prompt\n")
        return 1
    sys.stdout.buffer.write(path.read_bytes())
    return 0


if __name__ == "__main__":
    sys.exit(main())
