"""Whether anything that writes to a home is offered: never in review mode, never where this user may not."""

from django.conf import settings

from hermesweb.hermes.homes import Profile, condition


def may_write(profile: Profile) -> bool:
    """Asked before a form is shown and again before it is carried out."""
    return not settings.READ_ONLY and condition(profile).writable
