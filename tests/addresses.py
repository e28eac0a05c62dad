"""Every address, with sample arguments. A new view without a line here fails tests/web/test_addresses.py."""

from dataclasses import dataclass
from typing import Literal

from django.urls import URLPattern, get_resolver, reverse

Shows = Literal["page", "redirect", "nothing"]


@dataclass(frozen=True)
class Address:
    """`arguments`: names of values that a test fills in. `get`: what a GET answers to whoever may see it:
    a page, a redirect, or nothing (only POST is allowed)."""

    arguments: tuple[str, ...] = ()
    get: Shows = "page"

    @property
    def about_profile(self) -> bool:
        """Whether it shows or does something of one profile."""
        return "profile" in self.arguments or "job" in self.arguments


PROFILE = ("home", "profile")
ADDRESSES = {
    "start": Address(get="redirect"),
    "homes": Address(),
    "activity": Address(),
    "job": Address(("job",)),
    "cancel_job": Address(("job",), "nothing"),
    "continue_job": Address(("job",), "nothing"),
    "overview": Address(PROFILE),
    "measure": Address(PROFILE, "nothing"),
    "make_copy": Address(PROFILE, "nothing"),
    "remove_copy": Address(PROFILE, "nothing"),
    "memory": Address(PROFILE),
    "first_link_needed": Address(),
    "first_link": Address(("token",)),
    "account": Address(),
    "choose_password": Address(),
    "account_change_password": Address(),
    "account_reauthenticate": Address(),
    "account_login": Address(),
    "account_logout": Address(),
}
PAGES = [name for name, address in ADDRESSES.items() if address.get == "page"]
POST_ONLY = [name for name, address in ADDRESSES.items() if address.get == "nothing"]
ABOUT_PROFILES = [name for name, address in ADDRESSES.items() if address.about_profile]


def patterns() -> dict[str, URLPattern]:
    """Every view of the product by the name of its address."""
    found = {}
    for pattern in get_resolver().url_patterns:
        assert isinstance(pattern, URLPattern), "an include() needs a walk of its own here"
        assert pattern.name, f"{pattern} has no name"
        found[pattern.name] = pattern
    return found


def access_of(name: str) -> str:
    """The mark of `hermesweb.accounts.access` that the view carries, "" for none."""
    return getattr(patterns()[name].callback, "access", "")


def path_of(name: str, **values: object) -> str:
    """The path of an address; `values` has at least its arguments."""
    return reverse(name, args=[str(values[argument]) for argument in ADDRESSES[name].arguments])
