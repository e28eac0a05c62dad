from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _

from hermesweb.accounts.management.person import person_named
from hermesweb.accounts.people import set_owner, switch
from hermesweb.activity.log import about_person, record_command
from hermesweb.activity.models import Action


class Command(BaseCommand):
    help = "Make somebody an owner, who manages people and homes. Their sign-in is switched on, too."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        person = person_named(name)
        if person.is_owner and person.is_active:
            self.stdout.write(
                _("%(name)s is an owner already. Nothing was changed.") % {"name": person.username}
            )
            return
        set_owner(person, True)
        switch(person, True)
        record_command(Action.OWNER_MADE, about=about_person(person))
        self.stdout.write(_("%(name)s is an owner now.") % {"name": person.username})
