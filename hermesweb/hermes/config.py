"""Reads a profile's config.yaml, however broken it is, in bounded time and memory."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import list_names, read_file
from hermesweb.hermes.safe_yaml import BadYaml, load_yaml

SIZE_LIMIT = 1_000_000  # bytes; a real one has some 10,000

Problem = Literal["undecodable", "broken", "too_deep", "too_large", "not_a_mapping", "unreadable"]


class Missing:
    """The type of MISSING: the key is not there. (None is a value a key can have.)"""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = Missing()


@dataclass(frozen=True)
class Config:
    """The values as written, without Hermes' defaults and with `${NAME}` as it stands. With a `problem` there
    are none; a missing file is no problem. `unreadable` says more about the problem of that name.

    With a problem Hermes 0.19 uses its defaults; 0.22 uses `last_good_config` if there is one, and does so
    too for a `repeated_key` (0.19: the later value counts).
    """

    values: Mapping[object, object] = field(default_factory=lambda: MappingProxyType({}))
    problem: Problem | None = None
    unreadable: Unreadable | None = None
    repeated_key: str | None = None

    def get(self, dotted: str, default: object = MISSING) -> object:
        """The value at `a.b.c`, or `default` where a part is missing or is not a mapping."""
        value: object = self.values
        for part in dotted.split("."):
            if not isinstance(value, Mapping) or part not in value:
                return default
            value = value[part]
        return value


def read_config(folder: Path, *, root: Path) -> Config:
    """The configuration of the profile in `folder` of the home at `root`. Never raises."""
    return _read(folder / "config.yaml", root)


def last_good_config(folder: Path, *, root: Path) -> Config | None:
    """The newest of the copies that Hermes 0.22 keeps of a configuration it could read, None if it cannot be
    used (`load_newest_good_backup` in hermes_cli/config_backups.py). Never raises."""
    copies = folder / "backups/config"
    try:
        names = [name for name in list_names(copies, root=root) if name.startswith("config.yaml.good.")]
    except Unreadable:
        return None
    config = _read(copies / names[-1], root) if names else None
    return config if config and config.problem is None and config.repeated_key is None else None


def _read(path: Path, root: Path) -> Config:
    try:
        content = read_file(path, root=root, limit=SIZE_LIMIT)
    except Unreadable as unreadable:
        return _without_file(unreadable)
    try:
        document = load_yaml(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Config(problem="undecodable")
    except BadYaml as bad:
        return Config(problem=bad.why)
    if document.value is None:  # an empty file, or nothing but comments
        return Config()
    if not isinstance(document.value, dict):
        return Config(problem="not_a_mapping")
    return Config(MappingProxyType(document.value), repeated_key=document.repeated_key)


def _without_file(unreadable: Unreadable) -> Config:
    if unreadable.why == "missing":
        return Config()
    if unreadable.why == "too_large":
        return Config(problem="too_large", unreadable=unreadable)
    return Config(problem="unreadable", unreadable=unreadable)
