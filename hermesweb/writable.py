"""Whether anything that changes a home is offered: never in review mode, never where this user may not write or what
it writes could not be given to Hermes' user, and never to somebody who only reviews the profile."""

from django.conf import settings

from hermesweb.accounts.standing import may_change
from hermesweb.hermes.homes import Profile, condition
from hermesweb.hermes.rights import can_make_for


def may_write(profile: Profile) -> bool:
    """Asked before a form is shown and again before it is carried out."""
    if settings.READ_ONLY or not may_change(profile):
        return False
    found = condition(profile)
    return found.writable and found.owner is not None and can_make_for(found.owner)
