from django.http import HttpRequest

from hermesweb.accounts.access import address_of
from hermesweb.accounts.models import Person
from hermesweb.activity.chain import append
from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.homes import Profile


def record(
    request: HttpRequest, action: Action, profile: Profile | None = None, *, about: str = ""
) -> Activity:
    """Write one line. *about* is a code or an id of our own, never a text from a home, a form or a search."""
    person = request.user if isinstance(request.user, Person) else None
    return write(action, person, profile, address=address_of(request), about=about)


def record_command(action: Action, *, about: str = "") -> Activity:
    """Write one line about what was done on the machine itself, where nobody is signed in."""
    return write(action, None, None, address="", about=about)


def write(
    action: Action, person: Person | None, profile: Profile | None, *, address: str, about: str
) -> Activity:
    return append(
        person_id=person.pk if person else None,
        name=person.get_username() if person else "",
        action=action,
        home=profile.home.key if profile else "",
        profile=profile.name if profile else "",
        address=address,
        about=about,
    )


def about_person(person: Person) -> str:
    """Somebody a line is about, by number: the page of the activity knows the name."""
    return f"person {person.pk}"
