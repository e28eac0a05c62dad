"""Copies at services of others, as far as the files of a profile tell: what went there, and where to remove it.

Nobody here can look there, so none of it says that something is there still.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from hermesweb.hermes.config import Config
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.remote_config import configured_places
from hermesweb.hermes.remote_keys import places_with_keys
from hermesweb.hermes.remote_noted import NotRead, noted_places
from hermesweb.hermes.remote_place import RemotePlace


@dataclass(frozen=True)
class RemotePlaces:
    """`not_read`: the files that would have told more."""

    places: tuple[RemotePlace, ...]
    not_read: tuple[NotRead, ...]


def remote_places(profile: Profile, config: Config) -> RemotePlaces:
    """Where copies of what this profile holds went, or would go. Raises nothing.

    From config.yaml (as it stands, an unset provider is none), the names of keys in .env, and from what Hermes
    noted: channel_directory.json, pastes/pending.json, modal_snapshots.json, singularity_snapshots.json and
    the settings of memory providers. What state.db tells is in sessions.remote_queries.
    """
    not_read: list[NotRead] = []
    found = chain(
        noted_places(profile, not_read), configured_places(config), places_with_keys(profile, not_read)
    )
    return RemotePlaces(tuple(_once(found)), tuple(not_read))


def _once(places: Iterator[RemotePlace]) -> Iterator[RemotePlace]:
    """Each service at each address once: first what was noted, then what is configured."""
    seen: set[tuple[str, str, str]] = set()
    for place in places:
        key = (place.store, place.service.lower(), place.address)
        if key not in seen:
            seen.add(key)
            yield place
