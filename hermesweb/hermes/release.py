"""Which release of Hermes last wrote a profile. No file says it, so it is told from what releases leave."""

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermesweb.hermes.config import read_config
from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import look_at

Name = Literal["0.13", "0.15", "0.17", "0.18", "0.19", "0.22"]

# hermes_state.py: the schema each of these releases brings a state.db to. 0.22 and what came close before it
# write 30 and 31; other numbers belong to builds between two releases.
_SCHEMAS: tuple[tuple[int, Name], ...] = (
    (11, "0.13"),
    (13, "0.15"),
    (16, "0.17"),
    (19, "0.18"),
    (22, "0.19"),
    (31, "0.22"),
)
# hermes_cli/config.py, `_config_version`: 0.19 writes 33, 0.22 writes 50.
_LAST_CONFIG_VERSION_OF_019 = 33
# What 0.22 makes by itself and 0.19 does not know.
_NEWER_FILES = (
    "backups/config",
    "cache/terminal-output",
    "cache/scratch",
    "telemetry/shared_metrics",
    "skills/.curator_ledger.jsonl",
    "state.db.quarantine.lock",
    "spawn-ledger.json",
)


@dataclass(frozen=True)
class Release:
    """`rules`: whose rules for memory apply. `certain`: exactly this release left that schema.
    `evidence`: "schema_version" "newer_files" "config_version" "nothing"."""

    name: Name
    rules: Literal["0.19", "0.22"]
    certain: bool
    evidence: Literal["schema_version", "newer_files", "config_version", "nothing"]


def guess_release(folder: Path, schema_version: int | None) -> Release:
    """The release that last wrote the profile in `folder`, by the schema of its state.db, or by its files
    where there is none. A schema between two releases counts as the later one. Raises nothing."""
    if schema_version is not None:
        return _by_schema(schema_version)
    if any(_exists(folder / name, folder) for name in _NEWER_FILES):
        return Release("0.22", "0.22", False, "newer_files")
    version = read_config(folder, root=folder).get("_config_version")
    if isinstance(version, int) and not isinstance(version, bool):
        older = version <= _LAST_CONFIG_VERSION_OF_019
        return Release(*("0.19", "0.19") if older else ("0.22", "0.22"), False, "config_version")
    return Release("0.22", "0.22", False, "nothing")


def _by_schema(version: int) -> Release:
    name = next((name for schema, name in _SCHEMAS if version <= schema), _SCHEMAS[-1][1])
    certain = any(version == schema for schema, _ in _SCHEMAS)
    return Release(name, "0.22" if name == "0.22" else "0.19", certain, "schema_version")


def _exists(path: Path, folder: Path) -> bool:
    try:
        look_at(path, root=folder)
    except Unreadable:
        return False
    return True
