"""The person a command is about."""

from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from hermesweb.accounts.models import Person


def person_named(name: str) -> Person:
    found = Person.objects.filter(username__iexact=name).first()
    if found is None:
        names = ", ".join(Person.objects.order_by("username").values_list("username", flat=True)) or "-"
        raise CommandError(
            _("Nobody is called %(name)r. There are: %(names)s") % {"name": name, "names": names}
        )
    return found
