"""Copies at services of others, from the files of a profile and from its state.db together."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from hermesweb.hermes.config import read_config
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.remote import remote_places
from hermesweb.hermes.remote_place import RemotePlace, place
from sessions.database import Database, read_state
from sessions.errors import StateError, StateMissing
from sessions.remote_queries import UsedPlatform, UsedProvider, used_platforms, used_providers

# Sources of conversations that are no messaging platform (`sessions.source`).
_OWN_SOURCES: Final = frozenset(
    ("", "cli", "tui", "api_server", "acp", "webhook", "cron", "subagent", "tool", "kanban", "oneshot", "unknown",
     "desktop", "dashboard", "local")
)  # fmt: skip


@dataclass(frozen=True)
class Remote:
    """`places`: what was noted, configured or used. `read_all`: False when something that would have told more
    could not be read."""

    places: tuple[RemotePlace, ...]
    read_all: bool

    @property
    def stores(self) -> frozenset[str]:
        """The ids of the stores with a sign of use."""
        return frozenset(each.store for each in self.places)

    def plain(self) -> list[dict[str, Any]]:
        """For JSON."""
        return [asdict(each) for each in self.places]


def look_at_remote(profile: Profile, copy: Path | None = None) -> Remote:
    """Ask before anything is cleared: the stores that tell go too. Raises nothing."""
    config = read_config(profile.folder, root=profile.home.root)
    known = remote_places(profile, config)
    try:
        used = read_state(profile.folder, lambda db: _used(db), copy=copy, seconds=5)
        complete = True
    except StateError as problem:
        used, complete = [], isinstance(problem, StateMissing)
    found = {(each.store, each.service.lower(), each.address): each for each in [*known.places, *used]}
    return Remote(tuple(found.values()), complete and not known.not_read and not config.problem)


def _used(db: Database) -> list[RemotePlace]:
    providers = [_of_provider(each) for each in used_providers(db)]
    return providers + [_of_platform(each) for each in used_platforms(db) if each.source not in _OWN_SOURCES]


def _of_provider(each: UsedProvider) -> RemotePlace:
    return place("model-provider", "noted", each.provider, each.base_url, count=each.sessions)


def _of_platform(each: UsedPlatform) -> RemotePlace:
    return place("messaging", "noted", each.source, count=each.sessions)
