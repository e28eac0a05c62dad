from django.http import HttpRequest

from hermesweb.accounts.access import address_of
from hermesweb.accounts.models import Person
from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.homes import Profile


def record(
    request: HttpRequest, action: Action, profile: Profile | None = None, *, about: str = ""
) -> Activity:
    """Write one line. *about* is a code or an id of our own, never a text from a home, a form or a search."""
    person = request.user if isinstance(request.user, Person) else None
    return Activity.objects.create(
        person=person,
        name=person.get_username() if person else "",
        action=action,
        home=profile.home.key if profile else "",
        profile=profile.name if profile else "",
        address=address_of(request),
        about=about,
    )
