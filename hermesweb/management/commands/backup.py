import sqlite3
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError
from django.utils.translation import gettext as _

from hermesweb import own_database


class Command(BaseCommand):
    help = "Copy our own database (accounts, activity, jobs) to a new file, also while the server runs."
    requires_system_checks = []

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("file", type=Path, help="where to; nothing may be there yet")

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        if not own_database.is_sqlite():
            raise CommandError(
                _(
                    'The database is PostgreSQL, which has its own tool: pg_dump --format=custom "$DATABASE_URL"'
                )
            )
        try:
            own_database.copy_to(file.absolute())
        except FileExistsError:
            raise CommandError(
                _("%(file)s is there already. Nothing was written; name another file.") % {"file": file}
            ) from None
        except OSError as problem:
            raise CommandError(
                _("%(file)s cannot be written: %(why)s.") % {"file": file, "why": problem.strerror}
            ) from None
        except (sqlite3.Error, DatabaseError, own_database.NotCopied) as problem:
            raise CommandError(
                _("The database could not be copied: %(why)s. Nothing was kept.")
                % {"why": " ".join(str(problem).split()) or _("the copy was damaged")}
            ) from None
        self.stdout.write(_("Copied to %(file)s.") % {"file": file})
