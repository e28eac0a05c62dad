"""Clearing what stands inside config.yaml, which itself stays: Hermes would start with other settings."""

from typing import Final

from hermesweb.hermes.config import SIZE_LIMIT
from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import read_file
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.writing import NotWritten, replace_file
from hermesweb.privacy.wiping.settings_text import NotEditable, blanked, holds_key, holds_own_words, without

NAME: Final = "config.yaml"


def held_settings(profile: Profile, store: str) -> int | None:
    """The bytes of config.yaml that the store holds: 0 for nothing, None if it cannot be told."""
    try:
        text, rest = _read(profile, store)
    except Unreadable as problem:
        return 0 if problem.why == "missing" else None
    except (NotEditable, UnicodeDecodeError):
        return None
    return 0 if text == rest else max(len(text) - len(rest), 1)


def clear_settings(profile: Profile, store: str) -> dict[str, str]:
    """Take the settings of a store ("personality-config", "config-keys") out of config.yaml. Returns the file
    and why they stay, nothing if none does. Raises nothing."""
    try:
        text, rest = _read(profile, store)
        if rest != text:
            replace_file(profile.folder / NAME, rest.encode(), root=profile.home.root)
    except Unreadable as problem:
        return {} if problem.why == "missing" else {NAME: problem.why}
    except UnicodeDecodeError:
        return {NAME: "undecodable"}
    except NotEditable as problem:
        return {NAME: problem.why}
    except NotWritten as problem:
        return {NAME: problem.why}
    return {}


def _read(profile: Profile, store: str) -> tuple[str, str]:
    content = read_file(profile.folder / NAME, root=profile.home.root, limit=SIZE_LIMIT)
    text = content.decode()
    rest = blanked(text, holds_key) if store == "config-keys" else without(text, holds_own_words)
    return text, rest
