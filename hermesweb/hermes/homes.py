"""Homes and the profiles in them. The rules are those of hermes_constants.py and hermes_cli/profiles.py."""

import errno
import hashlib
import os
import re
import stat
import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from hermesweb.hermes.errors import BadHomesSetting, NoSuchHome, NoSuchProfile, Unreadable
from hermesweb.hermes.files import list_names
from hermesweb.hermes.rights import can_change, can_list
from hermesweb.hermes.setting import NamedPath, absolute, split_setting

DEFAULT = "default"
What = Literal["not_set", "bad_setting", "missing", "no_folder", "not_a_home", "unreadable", "home"]

# The first run makes each of these (hermes_cli/config.py); a copy handed over may hold only some.
_TRACES = ("state.db", "memories", "SOUL.md", "config.yaml", "pending")
_PROFILE_NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


@dataclass(frozen=True)
class Home:
    """One installation. `key` ([a-z0-9-]+) stands for it in addresses and is unique among the homes."""

    key: str
    label: str
    root: Path


@dataclass(frozen=True)
class Profile:
    """One profile of a home. `folder` has no link on the way below the root; for "default" it is the root."""

    home: Home
    name: str
    folder: Path


@dataclass(frozen=True)
class Place:
    """A place where a home was looked for: what names it, the path (None if it names none), what is there."""

    name: Literal["HERMESWEB_HOMES", "HERMES_HOME", "~/.hermes"]
    path: Path | None
    what: What


@dataclass(frozen=True)
class Condition:
    """`owner`: a user id, None if it cannot be seen. `writable`: this process may change what is there."""

    state: Literal["ok", "missing", "unreadable"]
    writable: bool
    owner: int | None
    owned_by_us: bool


def configured_homes(environ: Mapping[str, str], os_home: Path) -> list[Home]:
    """The homes this installation looks at: those of HERMESWEB_HOMES, else HERMES_HOME, else `~/.hermes`.

    HERMESWEB_HOMES is a list like `Home server=/srv/hermes,/mnt/laptop`; a part with a comma or a newline is
    put in double quotes. Nothing needs to exist. Raises BadHomesSetting.
    """
    setting = environ.get("HERMESWEB_HOMES", "")
    if setting.strip():
        return _with_keys([_home(part, os_home) for part in split_setting(setting, os_home)])
    hermes_home = environ.get("HERMES_HOME", "").strip()
    native = os_home / ".hermes"
    if not hermes_home:
        return _with_keys([_home(NamedPath("~/.hermes", None, native), os_home)])
    path = absolute(hermes_home, os_home)
    # Not Path.resolve, which raises for links that lead in a circle.
    if Path(os.path.realpath(path)).is_relative_to(os.path.realpath(native)):
        path = native
    return _with_keys([_home(NamedPath(hermes_home, None, path), os_home)])


def home_at(path: Path, label: str | None = None) -> Home:
    """The home that the existing folder `path` is, or is a profile of. Raises NoSuchHome."""
    path = Path(os.path.abspath(path))  # noqa: PTH100 - takes `..` out as people mean it
    root = root_of(path)
    if os.path.realpath(root) == root.anchor or not _is_folder(path) or not _is_folder(root):
        raise NoSuchHome(path)
    return _with_keys([_named(root, label)])[0]


def root_of(folder: Path) -> Path:
    """The root of the home whose profile `folder` is (get_default_hermes_root): two levels up from
    `<root>/profiles/<name>`, else the folder itself. Looks at the name only."""
    return folder.parent.parent if folder.parent.name == "profiles" else folder


def leads_to(home: Home) -> Path | None:
    """The folder that the root of a home is, if it is named through a link; else None. Raises nothing."""
    real = Path(os.path.realpath(home.root))
    return None if real == home.root else real


def list_profiles(home: Home) -> list[Profile]:
    """The default profile, then the named ones by name. Never raises: `profiles_problem` says why named
    profiles could not be listed, `condition` how a profile is."""
    return [Profile(home, DEFAULT, home.root), *_named_profiles(home)]


def profiles_problem(home: Home) -> Unreadable | None:
    """Why the named profiles of a home are not known, if so. Having no `profiles` folder is no problem."""
    base = home.root / "profiles"
    try:
        list_names(_real_folder(base, home) or base, root=home.root)
    except Unreadable as problem:
        return None if problem.why == "missing" else problem
    return None


def find_profile(home: Home, name: str) -> Profile:
    """The profile `name`. Anything that is not a name never reaches the disk. Raises NoSuchProfile."""
    if name == DEFAULT:
        return Profile(home, DEFAULT, home.root)
    base = _real_folder(home.root / "profiles", home) if is_profile_name(name) else None
    folder = _real_folder(base / name, home) if base else None
    if folder is None:
        raise NoSuchProfile(name)
    return Profile(home, name, folder)


def is_profile_name(name: str) -> bool:
    """Whether Hermes could have a named profile called `name`."""
    return name != DEFAULT and _PROFILE_NAME.fullmatch(name) is not None


def is_home(path: Path) -> bool:
    """Whether Hermes has ever kept something in the folder `path`, as its root or as one profile of it."""
    if any(_holds_traces(path, name) for name in _TRACES):
        return True
    profiles = list_profiles(Home("", "", path))[1:]
    return any(_holds_traces(profile.folder, name) for profile in profiles for name in _TRACES)


def places_looked_at(environ: Mapping[str, str], os_home: Path) -> list[Place]:
    """Every place a home could be in by the environment, and what is there. Raises nothing."""
    setting = environ.get("HERMESWEB_HOMES", "").strip()
    try:
        named = [
            Place("HERMESWEB_HOMES", part.path, _what_is_at(part.path))
            for part in split_setting(setting, os_home)
        ]
    except BadHomesSetting:
        named = [Place("HERMESWEB_HOMES", None, "bad_setting")]
    return [
        *(named or [Place("HERMESWEB_HOMES", None, "not_set")]),
        _place_of_hermes_home(environ.get("HERMES_HOME", "").strip(), os_home),
        Place("~/.hermes", os_home / ".hermes", _what_is_at(os_home / ".hermes")),
    ]


def condition(profile: Profile) -> Condition:
    """How the folder of a profile is right now. Found out by asking, not by writing. Raises nothing."""
    try:
        status = profile.folder.stat()
    except OSError as error:
        missing = error.errno in (errno.ENOENT, errno.ENOTDIR)
        return Condition("missing" if missing else "unreadable", False, None, False)
    ours = status.st_uid == os.geteuid()
    if not stat.S_ISDIR(status.st_mode):
        return Condition("missing", False, status.st_uid, ours)
    readable = can_list(profile.folder)
    writable = readable and can_change(profile.folder)
    return Condition("ok" if readable else "unreadable", writable, status.st_uid, ours)


def _place_of_hermes_home(written: str, os_home: Path) -> Place:
    if not written:
        return Place("HERMES_HOME", None, "not_set")
    try:
        path = absolute(written, os_home)
    except BadHomesSetting:
        return Place("HERMES_HOME", None, "bad_setting")
    return Place("HERMES_HOME", path, _what_is_at(path))


def _what_is_at(path: Path) -> What:
    try:
        status = path.stat()
    except OSError as error:
        return "missing" if error.errno in (errno.ENOENT, errno.ENOTDIR) else "unreadable"
    if not stat.S_ISDIR(status.st_mode):
        return "no_folder"
    if not can_list(path):
        return "unreadable"
    return "home" if is_home(root_of(path)) else "not_a_home"


def _holds_traces(folder: Path, name: str) -> bool:
    try:
        (folder / name).lstat()
    except (OSError, ValueError):
        return False
    return True


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        return True  # there is something that may not be looked at; `condition` says so


def _home(part: NamedPath, os_home: Path) -> Home:
    root = root_of(part.path)
    real = os.path.realpath(root)  # a link may be a home; what it leads to is what counts
    if real in (root.anchor, os.path.realpath(os_home)):
        raise BadHomesSetting(part.part, "too_wide")
    return _named(root, part.label)


def _named(root: Path, label: str | None) -> Home:
    return Home(_slug(label or root.name), label or root.name, root)


def _with_keys(homes: Sequence[Home]) -> list[Home]:
    """Homes whose labels give no key of their own get one from their path, whatever their order."""
    seen: set[str] = set()
    for home in homes:
        # Under two names one home could be open to somebody under one and closed under the other.
        real = os.path.realpath(home.root)
        if real in seen:
            raise BadHomesSetting(str(home.root), "twice")
        seen.add(real)
    times_used = Counter(home.key for home in homes)
    return [home if home.key and times_used[home.key] == 1 else _keyed_by_path(home) for home in homes]


def _keyed_by_path(home: Home) -> Home:
    digest = hashlib.sha256(os.fsencode(home.root)).hexdigest()[:8]
    return replace(home, key=f"{home.key or 'home'}-{digest}")


def _slug(label: str) -> str:
    ascii_label = unicodedata.normalize("NFKD", label).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "-", ascii_label.lower()).strip("-")[:40].rstrip("-")


def _named_profiles(home: Home) -> Iterator[Profile]:
    base = _real_folder(home.root / "profiles", home)
    if base is None:
        return
    try:
        names = list_names(base, root=home.root)
    except Unreadable:
        return
    for name in filter(is_profile_name, names):
        folder = _real_folder(base / name, home)
        if folder is not None:
            yield Profile(home, name, folder)


def _real_folder(path: Path, home: Home) -> Path | None:
    """The folder that `path` is, or that a link there leads to, as long as that stays inside the home."""
    try:
        if not path.is_symlink():
            return path if path.is_dir() else None
        root = home.root.resolve(strict=True)
        target = path.resolve(strict=True)
    except (OSError, RuntimeError):
        return None
    # A link to the root, or to what holds the profiles, would be the whole home under another name.
    if not target.is_dir() or not target.is_relative_to(root) or path.parent.resolve().is_relative_to(target):
        return None
    return home.root / target.relative_to(root)
