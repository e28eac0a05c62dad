"""Reads a profile's config.yaml, however broken it is, in bounded time and memory."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import read_file
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
    """The values as written, without Hermes' defaults. With a `problem` there are none; a missing file is
    no problem. `unreadable` says more about the problem of that name."""

    values: Mapping[object, object] = field(default_factory=lambda: MappingProxyType({}))
    problem: Problem | None = None
    unreadable: Unreadable | None = None

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
    try:
        content = read_file(folder / "config.yaml", root=root, limit=SIZE_LIMIT)
    except Unreadable as unreadable:
        return _without_file(unreadable)
    try:
        values = load_yaml(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        return Config(problem="undecodable")
    except BadYaml as bad:
        return Config(problem=bad.why)
    if values is None:  # an empty file, or nothing but comments
        return Config()
    if not isinstance(values, dict):
        return Config(problem="not_a_mapping")
    return Config(MappingProxyType(values))


def _without_file(unreadable: Unreadable) -> Config:
    if unreadable.why == "missing":
        return Config()
    if unreadable.why == "too_large":
        return Config(problem="too_large", unreadable=unreadable)
    return Config(problem="unreadable", unreadable=unreadable)
