"""The homes this installation was pointed at, as views and commands ask for them."""

import hashlib
import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path

from hermesweb.environment import login_folder
from hermesweb.hermes import homes as kernel
from hermesweb.hermes.errors import BadHomesSetting, HermesError, NoSuchHome
from hermesweb.hermes.homes import Home, Place, Profile


def configured() -> list[Home]:
    """Every home, in the order of the setting. Raises BadHomesSetting."""
    return kernel.configured_homes(os.environ, login_folder())


def label_of(key: str) -> str:
    """What the home with this key is called; the key itself for one that is not configured any more."""
    named = {name: os.environ.get(name, "") for name in ("HERMESWEB_HOMES", "HERMES_HOME")}
    return _labels(tuple(named.items()), login_folder()).get(key, key)


@lru_cache(maxsize=8)
def _labels(named: tuple[tuple[str, str], ...], os_home: Path) -> Mapping[str, str]:
    """By key. A page asks for one line after the other."""
    try:
        return {home.key: home.label for home in kernel.configured_homes(dict(named), os_home)}
    except BadHomesSetting:
        return {}


def looked_at() -> list[Place]:
    """Where a home was looked for: for the page that says that there is none."""
    return kernel.places_looked_at(os.environ, login_folder())


def find(home: str, profile: str) -> Profile:
    """Raises NoSuchHome or NoSuchProfile."""
    for candidate in configured():
        if candidate.key == home:
            return kernel.find_profile(candidate, profile)
    raise NoSuchHome(Path(home))


def place_of(profile: Profile) -> str:
    """Which folder a profile is, in 16 hex digits: another home may have its names later, or stand in its place.

    What was found out about one folder is never said of another. Empty where there is no folder.
    """
    try:
        number = profile.folder.stat().st_ino
    except OSError:
        return ""
    return hashlib.sha256(os.fsencode(profile.folder) + str(number).encode()).hexdigest()[:16]


def profiles_of(home: Home) -> list[Profile]:
    """The profiles of *home*; none when it cannot be read just now, which its condition tells."""
    try:
        return kernel.list_profiles(home)
    except HermesError:
        return []
