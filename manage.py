#!/usr/bin/env python
"""Runs Papersite's commands; `.venv/bin/python manage.py help` lists them."""

import os
import sys


def main() -> None:
    """Hand the command line to Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
    try:
        from django.core.management import execute_from_command_line
    except ModuleNotFoundError:
        sys.exit("Django is not here: run .venv/bin/python manage.py … (make environment makes .venv)")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
