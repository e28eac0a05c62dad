from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _

from hermesweb.accounts.management.person import person_named
from hermesweb.accounts.people import reset_second_factor
from hermesweb.activity.log import about_person, record_command
from hermesweb.activity.models import Action


class Command(BaseCommand):
    help = "Take away somebody's one-time codes, recovery codes and passkeys, so that the password is enough."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        person = person_named(name)
        if not reset_second_factor(person):
            self.stdout.write(
                _("%(name)s has no second factor. Nothing was changed.") % {"name": person.username}
            )
            return
        record_command(Action.SECOND_FACTOR_RESET, about=about_person(person))
        self.stdout.write(_("%(name)s signs in with the password alone now.") % {"name": person.username})
