import os
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.urls import reverse
from django.utils.translation import gettext as _

from hermesweb.accounts.management.person import person_named
from hermesweb.accounts.models import SignInLink
from hermesweb.activity.log import about_person, record_command
from hermesweb.activity.models import Action
from hermesweb.listening import Listening


class Command(BaseCommand):
    help = "Print a link that signs somebody in once, to choose a new password. It works for a day."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("name")
        parser.add_argument("--address", default=os.environ.get("HERMESWEB_ADDRESS", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=os.environ.get("HERMESWEB_PORT", "8642"))

    def handle(self, *args: Any, name: str, address: str, port: int, **options: Any) -> None:
        person = person_named(name)
        if not person.is_active:
            raise CommandError(_("Their sign-in is switched off. An owner can switch it on."))
        path = reverse("join", args=[SignInLink.make(person)])
        record_command(Action.LINK_MADE, about=about_person(person))
        self.stdout.write(_("This link signs %(name)s in once, within a day:") % {"name": person.username})
        for base in Listening(address, port).addresses():
            self.stdout.write(f"  {base.rstrip('/')}{path}")
        self.stdout.write(_("The password so far is gone as soon as it is used. A second factor stays."))
