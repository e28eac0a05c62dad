#!/usr/bin/env python3
"""Commands of hermesweb: `manage.py help` lists them."""

import os
import sys


def main() -> None:
    if sys.platform == "win32":
        sys.exit("hermesweb runs on Linux and macOS. On Windows, start it through WSL.")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "hermesweb.settings")
    try:
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed for this Python. Use `make run`, or .venv/bin/python manage.py …")
    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as problem:
        sys.exit(str(problem))


if __name__ == "__main__":
    main()
