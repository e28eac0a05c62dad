"""The one check that decides who sees what. Every view has one of these marks; others are refused.

`open_page`     answers without sign-in and shows nothing of a home
`page`          needs a sign-in, belongs to no profile
`owner_page`    needs an owner, belongs to no profile; for others it does not exist
`profile_page`  needs a sign-in and this profile; the view is given the Profile. A reviewer is let through to
                read: their POST only with `reading=True`, for what changes nothing of the home
"""

import functools
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, overload

from allauth.account.adapter import get_adapter
from django.contrib.auth.decorators import login_not_required
from django.http import Http404, HttpRequest, HttpResponseBase

from hermesweb import homes
from hermesweb.accounts.models import Person
from hermesweb.accounts.standing import Standing, rights_of, standing_of
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Home, Profile

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponseBase]
ProfileView = Callable[Concatenate[HttpRequest, Profile, P], HttpResponseBase]
Checked = Callable[..., HttpResponseBase]


class Closed(Exception):
    """The profile has members, and this owner has not opened it with notice."""

    def __init__(self, profile: Profile) -> None:
        super().__init__(profile.name)
        self.profile = profile


class OnlyReading(Exception):
    """This would change something, and the person reviews the profile."""


def open_page(view: View[P]) -> View[P]:
    marked = login_not_required(_copy(view))
    marked.access = "open"  # type: ignore[attr-defined]
    return marked


def page(view: View[P]) -> View[P]:
    marked = _copy(view)
    marked.access = "page"  # type: ignore[attr-defined]
    marked.login_required = True  # type: ignore[attr-defined]  # the library's own views may say otherwise
    return marked


def owner_page(view: View[P]) -> View[P]:
    @functools.wraps(view)
    def checked(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if not (isinstance(request.user, Person) and request.user.is_owner):
            raise Http404
        return view(request, *args, **kwargs)

    checked.access = "owner"  # type: ignore[attr-defined]
    return checked


@overload
def profile_page(view: ProfileView[P]) -> Checked: ...
@overload
def profile_page(*, reading: bool) -> Callable[[ProfileView[P]], Checked]: ...
def profile_page(view: Any = None, *, reading: bool = False) -> Any:
    if view is None:
        return functools.partial(_profile_page, reading=reading)
    return _profile_page(view, reading=reading)


def _profile_page(view: ProfileView[P], *, reading: bool) -> Checked:
    @functools.wraps(view)
    def checked(
        request: HttpRequest, home: str, profile: str, *args: P.args, **kwargs: P.kwargs
    ) -> HttpResponseBase:
        changes = request.method not in ("GET", "HEAD") and not reading
        return view(request, profile_for(request, home, profile, changes=changes), *args, **kwargs)

    checked.access = "profile"  # type: ignore[attr-defined]
    checked.reading = reading  # type: ignore[attr-defined]
    return checked


def _copy(view: View[P]) -> View[P]:
    @functools.wraps(view)
    def copy(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        return view(request, *args, **kwargs)

    return copy


def profile_for(request: HttpRequest, home: str, profile: str, *, changes: bool = False) -> Profile:
    """The profile behind an address, for whoever asks. Raises Http404, the same for "not yours" and "not there";
    Closed for an owner who has not opened it; OnlyReading for a reviewer when the request `changes` something."""
    standing = standing_of(request, home, profile)
    if standing is Standing.NONE:
        raise Http404
    found = find_or_404(home, profile)
    if standing is Standing.CLOSED:
        raise Closed(found)
    if changes and standing is Standing.REVIEWER:
        raise OnlyReading
    request.profile = found  # type: ignore[attr-defined]  # the shell of the page names it
    if standing is Standing.REVIEWER:
        request.masked = True  # type: ignore[attr-defined]  # see hermesweb.masking
    return found


def find_or_404(home: str, profile: str) -> Profile:
    try:
        return homes.find(home, profile)
    except HermesError:
        raise Http404 from None


def visible(request: HttpRequest) -> list[tuple[Home, list[Profile]]]:
    """The homes and profiles that whoever asks may read: for badges, lists of what waits, the start."""
    rights, found = rights_of(request), []
    for home, profiles in listed(request):
        mine = [one for one in profiles if rights.of(home.key, one.name).reads]
        if any(rights.of(home.key, one.name) is Standing.REVIEWER for one in mine):
            request.masked = True  # type: ignore[attr-defined]
        if mine:
            found.append((home, mine))
    return found


def listed(request: HttpRequest) -> list[tuple[Home, list[Profile]]]:
    """The homes and profiles that may be named to whoever asks, for an owner also those of others.

    Raises BadHomesSetting.
    """
    rights = rights_of(request)
    configured = homes.configured()
    if rights.owner:
        return [(home, homes.profiles_of(home)) for home in configured]
    keys = {home for home, _profile in rights.levels or ()}  # other homes are not even looked into
    mine = [
        (home, [one for one in homes.profiles_of(home) if rights.of(home.key, one.name).reads])
        for home in configured
        if home.key in keys
    ]
    return [(home, found) for home, found in mine if found]


def address_of(request: HttpRequest) -> str:
    """Where a request comes from; behind a trusted proxy, what that proxy says."""
    return str(get_adapter().get_client_ip(request))
