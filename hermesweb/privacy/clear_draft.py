"""What somebody has chosen in the wizard so far: ids of stores and answers, kept with their sign-in."""

import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from django.http import HttpRequest

from hermesweb.hermes.homes import Profile
from hermesweb.homes import place_of
from hermesweb.privacy.clearing import Wish
from hermesweb.privacy.wiping.choice import Choice, choose, clearable
from hermesweb.privacy.wiping.perform import is_shared

_KEY: Final = "clearing"
_MOST: Final = 20  # drafts of one sign-in


@dataclass
class Draft:
    """`chosen`: the page of the choice was left with "Next". `remote_seen`: the list of what is out of reach was
    seen. `while_running`: do what can be done although Hermes runs. `began`: UTC epoch seconds."""

    stores: list[str]
    unknown: bool = False
    chosen: bool = False
    remote_seen: bool = False
    while_running: bool = False
    began: float = field(default_factory=time.time)

    @property
    def choice(self) -> Choice:
        return Choice(frozenset(self.stores), self.unknown)

    @property
    def wish(self) -> Wish:
        return Wish(self.choice, self.while_running)

    def take(self, choice: Choice) -> None:
        self.stores, self.unknown = sorted(choice.stores), choice.unknown


def draft_of(request: HttpRequest, profile: Profile) -> Draft:
    """The one of this sign-in for this folder, a new one with what is ticked at first otherwise."""
    saved = request.session.get(_KEY, {}).get(_name(profile))
    if saved is None:
        return Draft(sorted(choose(["default"], shared=is_shared(profile)).stores))
    known = {each.id for each in clearable()}
    return Draft(**{**saved, "stores": [each for each in saved["stores"] if each in known]})


def save(request: HttpRequest, profile: Profile, draft: Draft) -> None:
    others = {key: value for key, value in request.session.get(_KEY, {}).items() if key != _name(profile)}
    kept: dict[str, Any] = dict(list(others.items())[1 - _MOST :])
    request.session[_KEY] = {**kept, _name(profile): asdict(draft)}


def drop(request: HttpRequest, profile: Profile) -> None:
    others = {key: value for key, value in request.session.get(_KEY, {}).items() if key != _name(profile)}
    request.session[_KEY] = others


def with_ticks(draft: Draft, ticked: Iterable[str], offered: Iterable[str], *, unknown: bool) -> Choice:
    """The choice after a form: of the stores it offered, the ticked ones; of the others what was chosen before,
    since what is not there now may be there when the run comes to it."""
    offered = set(offered)
    return Choice(frozenset((offered & set(ticked)) | (set(draft.stores) - offered)), unknown)


def _name(profile: Profile) -> str:
    return f"{profile.home.key}/{profile.name}/{place_of(profile)}"
