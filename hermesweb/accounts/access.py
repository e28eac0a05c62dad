"""The one check that decides who sees what. Every view has one of these marks; others are refused.

`open_page`     answers without sign-in and shows nothing of a home
`page`          needs a sign-in, belongs to no profile
`profile_page`  needs a sign-in and this profile; the view is given the Profile
"""

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec

from allauth.account.adapter import get_adapter
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponseBase

from hermesweb import homes
from hermesweb.accounts.models import Person
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Profile

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]


def open_page(view: View[P]) -> View[P]:
    marked = login_not_required(_copy(view))
    marked.access = "open"  # type: ignore[attr-defined]
    return marked


def page(view: View[P]) -> View[P]:
    marked = _copy(view)
    marked.access = "page"  # type: ignore[attr-defined]
    marked.login_required = True  # type: ignore[attr-defined]  # the library's own views may say otherwise
    return marked


def profile_page(
    view: Callable[Concatenate[HttpRequest, Profile, P], HttpResponseBase],
) -> Callable[..., HttpResponseBase]:
    @functools.wraps(view)
    def checked(
        request: HttpRequest, home: str, profile: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        found = profile_for(request.user, home, profile)
        request.profile = found  # type: ignore[attr-defined]  # the shell of the page names it
        return view(request, found, *args, **kwargs)

    checked.access = "profile"  # type: ignore[attr-defined]
    return checked


def _copy(view: View[P]) -> View[P]:
    @functools.wraps(view)
    def copy(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        return view(request, *args, **kwargs)

    return copy


def may_see(person: Person | AnonymousUser, home: str, profile: str) -> bool:
    """Whether *person* may see this profile, by names alone: nothing on disk is touched."""
    if not isinstance(person, Person) or not person.is_active:
        return False
    if "\0" in home + profile:
        return False  # PostgreSQL refuses to be asked for such a name
    return person.is_owner or person.profiles.filter(home=home, profile=profile).exists()


def profile_for(person: Any, home: str, profile: str) -> Profile:
    """The profile behind an address. Http404, the same for "not yours" and "not there"."""
    if not may_see(person, home, profile):
        raise Http404
    try:
        return homes.find(home, profile)
    except HermesError:
        raise Http404 from None


def address_of(request: HttpRequest) -> str:
    """Where a request comes from; behind a trusted proxy, what that proxy says."""
    return str(get_adapter().get_client_ip(request))
