from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from hermesweb.activity.broken_words import broken_sentence
from hermesweb.activity.chain import verify


class Command(BaseCommand):
    help = "Check that no line of the activity was changed, removed or moved. Exit 1 when one was."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--seal", default="", help="a seal noted earlier, which has to be among the lines"
        )

    def handle(self, *args: Any, seal: str, **options: Any) -> None:
        found = verify(seal.strip())
        if found.broken:
            raise CommandError(broken_sentence(found.broken), returncode=1)
        self.stdout.write(_("Unbroken: %(lines)s lines.") % {"lines": found.lines})
        if found.first:
            self.stdout.write(_("The first is of %(day)s.") % {"day": found.first.date().isoformat()})
        self.stdout.write(_("Seal of the last line: %(seal)s") % {"seal": found.seal or "-"})
