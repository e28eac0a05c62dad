"""What Hermes wrote down about its own processes. All of it outlives them, so each is held against the
process table (gateway/status.py, hermes_cli/active_sessions.py, spawn-ledger.json of 0.22)."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path

from hermesweb.hermes.commands import hermes_command
from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import read_file
from hermesweb.hermes.homes import DEFAULT, Profile
from hermesweb.hermes.processes import ProcessTable
from hermesweb.hermes.signs import Evidence

_LIMIT = 1_000_000  # bytes
# Two readings of one start differ by up to two seconds.
_TICKS = 200
_SECONDS = 2.0


def recorded_signs(profile: Profile, table: ProcessTable) -> Iterator[Evidence]:
    """The signs of records whose process is still alive. Raises nothing."""
    yield from _gateway(profile, table)
    yield from _served_by_root(profile, table)
    yield from _open_chats(profile, table)
    yield from _spawned(profile, table)


def _gateway(profile: Profile, table: ProcessTable) -> Iterator[Evidence]:
    for name in ("gateway.pid", "gateway_state.json"):
        record = _read(profile.folder / name, profile)
        if isinstance(record, int):  # as very old releases wrote it
            record = {"pid": record}
        if isinstance(record, dict) and _gateway_lives(record, table):
            yield Evidence("gateway_pid", {"pid": _pid(record)})
            return


def _served_by_root(profile: Profile, table: ProcessTable) -> Iterator[Evidence]:
    """One gateway of the root may work for named profiles too, and writes into their folders."""
    if profile.name == DEFAULT:
        return
    record = _read(profile.home.root / "gateway_state.json", profile)
    if not isinstance(record, dict) or not _gateway_lives(record, table):
        return
    served = record.get("served_profiles")
    if isinstance(served, list) and profile.name in served:
        yield Evidence("served_by_root", {"pid": _pid(record)})


def _open_chats(profile: Profile, table: ProcessTable) -> Iterator[Evidence]:
    for entry in _entries(_read(profile.folder / "runtime/active_sessions.json", profile)):
        if _lives(entry, "process_start_time", table):
            yield Evidence("open_chat", {"pid": _pid(entry)})


def _spawned(profile: Profile, table: ProcessTable) -> Iterator[Evidence]:
    for entry in _entries(_read(profile.home.root / "spawn-ledger.json", profile)):
        home = entry.get("hermes_home")
        if isinstance(home, str) and _is_same(home, profile.folder) and _lives(entry, "create_time", table):
            yield Evidence("spawned", {"pid": _pid(entry)})


def _gateway_lives(record: Mapping[str, object], table: ProcessTable) -> bool:
    started = table.started(_pid(record))
    if started is None:
        return False
    written = record.get("start_time")
    if isinstance(written, int | float) and not abs(written - started[0]) <= _TICKS:
        return False
    # Numbers and times repeat from one start of the machine to the next; the command line does not.
    return hermes_command(table.arguments(_pid(record))) is not None


def _lives(entry: Mapping[str, object], start: str, table: ProcessTable) -> bool:
    started = table.started(_pid(entry))
    written = entry.get(start)
    if started is None:
        return False
    if isinstance(written, int | float):
        return abs(written - started[1]) <= _SECONDS
    return hermes_command(table.arguments(_pid(entry))) is not None


def _pid(record: Mapping[str, object]) -> int:
    pid = record.get("pid")
    return pid if isinstance(pid, int) and 0 < pid < 2**31 else 0


def _entries(record: object) -> list[dict[str, object]]:
    entries = record.get("entries") if isinstance(record, dict) else record
    return [entry for entry in entries if isinstance(entry, dict)] if isinstance(entries, list) else []


def _is_same(written: str, folder: Path) -> bool:
    try:
        return Path(written).samefile(folder)
    except (OSError, ValueError):
        return False


def _read(path: Path, profile: Profile) -> object:
    try:
        return json.loads(read_file(path, root=profile.home.root, limit=_LIMIT))
    except (Unreadable, ValueError, RecursionError):
        return None
