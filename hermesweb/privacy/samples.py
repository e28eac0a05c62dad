"""Words of what is about to be cleared, to look for when it is: in memory or encrypted, never as they are."""

from pathlib import Path
from typing import Final

from hermesweb.hermes.config import read_config
from hermesweb.hermes.homes import Profile
from memory.entries import read_store
from sessions.database import read_state
from sessions.errors import StateError
from sessions.samples import phrases_of, sample_phrases

OF_MEMORY: Final = 20
OF_SESSIONS: Final = 20


def take_samples(profile: Profile, copy: Path | None = None) -> list[str]:
    """Phrases from the memory entries and the conversations of a profile. Raises nothing: what cannot be read
    gives none."""
    return list(dict.fromkeys([*_of_memory(profile), *_of_sessions(profile, copy)]))


def _of_memory(profile: Profile) -> list[str]:
    config = read_config(profile.folder, root=profile.home.root)
    texts = [
        entry.text for target in ("memory", "user") for entry in read_store(profile, target, config).entries
    ]
    return [phrase for text in texts for phrase in phrases_of(text)][:OF_MEMORY]


def _of_sessions(profile: Profile, copy: Path | None) -> list[str]:
    try:
        return read_state(
            profile.folder, lambda db: sample_phrases(db, None, OF_SESSIONS), copy=copy, seconds=20
        )
    except StateError:
        return []
