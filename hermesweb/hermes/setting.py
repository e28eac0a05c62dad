"""Reads the setting HERMESWEB_HOMES: `Home server=/srv/hermes,"Papa, alt=/mnt/a,b",~/.hermes`."""

import csv
import io
import os
import re
from dataclasses import dataclass
from pathlib import Path

from hermesweb.hermes.errors import BadHomesSetting

# A label may hold "=" too: the path begins after the first "=" that is followed by a path.
_LABEL_AND_PATH = re.compile(r"(?P<label>[^/~][^=]*?|[^/~].*?)\s*=\s*(?P<path>[/~].*)", re.DOTALL)


@dataclass(frozen=True)
class NamedPath:
    """One part of the setting as it was written, its label if it has one, and the absolute path."""

    part: str
    label: str | None
    path: Path


def split_setting(setting: str, os_home: Path) -> list[NamedPath]:
    """The parts of the setting, `~` replaced by `os_home`. Raises BadHomesSetting."""
    try:
        rows = list(csv.reader(io.StringIO(setting, newline=""), strict=True, skipinitialspace=True))
    except csv.Error as error:
        raise BadHomesSetting(setting, "quoting") from error
    parts = [part.strip() for row in rows for part in row]
    return [_named_path(part, os_home) for part in parts if part]


def absolute(written: str, os_home: Path) -> Path:
    """A path as people write it in a setting. Raises BadHomesSetting unless it is absolute."""
    if written == "~" or written.startswith("~/"):
        written = f"{os_home}/{written[2:]}"
    if not written.startswith("/"):
        raise BadHomesSetting(written, "not_absolute")
    return Path("/", os.path.normpath(written).lstrip("/"))  # two slashes at the start would be kept


def _named_path(part: str, os_home: Path) -> NamedPath:
    if part.startswith(("/", "~")):
        return NamedPath(part, None, absolute(part, os_home))
    match = _LABEL_AND_PATH.fullmatch(part)
    if match:
        return NamedPath(part, match["label"].strip(), absolute(match["path"], os_home))
    _, equals, path = part.partition("=")
    if '"' in path:
        raise BadHomesSetting(part, "quoting")
    raise BadHomesSetting(part, "not_absolute" if path.strip() or not equals else "no_path")
