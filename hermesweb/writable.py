"""Whether anything that changes a home is offered: never in review mode, never where this user may not write, and
never to somebody who only reviews the profile."""

from django.conf import settings

from hermesweb.accounts.standing import may_change
from hermesweb.hermes.homes import Profile, condition


def may_write(profile: Profile) -> bool:
    """Asked before a form is shown and again before it is carried out."""
    return not settings.READ_ONLY and may_change(profile) and condition(profile).writable
