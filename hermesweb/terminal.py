"""What commands of ours print, to a terminal, a file or another program."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from django.core.management.base import CommandError
from django.utils.translation import gettext as _


@contextmanager
def answering() -> Iterator[None]:
    """Around everything that prints. Who reads the answer may have enough of it, which is no problem; anything
    else that keeps it from being written is a CommandError. A letter a terminal lacks becomes its number."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        yield
        sys.stdout.flush()
    except OSError as problem:
        # Nothing may be left for Python to write at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(problem, BrokenPipeError):
            raise CommandError(
                _("The answer could not be written: %(why)s.") % {"why": problem.strerror}
            ) from None
