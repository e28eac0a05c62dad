"""`manage.py scan_text`: says for each text on standard input what Hermes would find in it."""

import os
import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from memory.scan_lines import BadLine, Why, lines_of, scanned
from memory.threats.rules import RELEASES

REASONS: dict[Why, str | Promise] = {
    "too_long": gettext_lazy("longer than 16 MiB"),
    "undecodable": gettext_lazy("not valid UTF-8"),
    "not_json": gettext_lazy("not JSON"),
    "not_an_object": gettext_lazy("not a JSON object"),
    "no_text": gettext_lazy('has no "text"'),
    "text_not_a_string": gettext_lazy('"text" is not a string'),
}


class Command(BaseCommand):
    help = (
        'Reads JSON objects with a "text", one per line, from standard input and writes each of them back '
        "with the findings of Hermes' memory scanner added. Blank lines are passed over. "
        "Exit code 2: some lines could not be scanned; standard error says which and why."
    )
    # It must answer on a fresh install too: without database, account, worker or secret.
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--release",
            choices=RELEASES,
            default=RELEASES[-1],
            help="the release of Hermes whose rules are to be applied (default: %(default)s)",
        )

    def handle(self, *_args: Any, release: str, **_options: Any) -> None:
        try:
            bad = self.scan(release)
        except BrokenPipeError:
            # Who reads the answers has enough of them. Nothing may be left for Python to write at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return
        if bad:
            message = ngettext("%(count)d line was not scanned.", "%(count)d lines were not scanned.", bad)
            raise CommandError(message % {"count": bad}, returncode=2)

    def scan(self, release: str) -> int:
        bad = 0
        for number, line in enumerate(lines_of(sys.stdin.buffer), start=1):
            if line.isspace():
                continue
            try:
                self.stdout.write(scanned(line, release))
                self.stdout.flush()  # for who sends a line and waits for its answer
            except BadLine as error:
                bad += 1
                reason = REASONS[error.why]
                self.stderr.write(_("Line %(number)d: %(reason)s.") % {"number": number, "reason": reason})
        return bad
