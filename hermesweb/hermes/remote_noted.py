"""What Hermes wrote down about copies elsewhere (gateway/channel_directory.py, hermes_cli/debug.py,
tools/environments/)."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hermesweb.hermes.errors import Unreadable, Why
from hermesweb.hermes.files import look_at, read_file
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.remote_place import RemotePlace, place

_LIMIT = 16_000_000  # bytes
MOST = 500  # places from one file
_LATEST = 4_102_444_800  # the year 2100
_SETTINGS = {
    "honcho.json": "honcho",
    "mem0.json": "mem0",
    "supermemory.json": "supermemory",
    "hindsight/config.json": "hindsight",
    "retaindb_queue.db": "retaindb",
}
_SANDBOXES = {"modal_snapshots.json": "modal", "singularity_snapshots.json": "singularity"}


@dataclass(frozen=True)
class NotRead:
    """`file`: relative to the profile's folder."""

    file: str
    why: Why | str


def noted_places(profile: Profile, not_read: list[NotRead]) -> Iterator[RemotePlace]:
    """A place for each platform, upload, sandbox and memory service that has left a note. Files that cannot be
    read are added to `not_read`."""
    yield from _platforms(_json(profile, "channel_directory.json", not_read))
    yield from _uploads(_json(profile, "pastes/pending.json", not_read))
    for name, service in _SANDBOXES.items():
        yield from _sandboxes(_json(profile, name, not_read), service)
    for name, service in _SETTINGS.items():
        if _is_there(profile, name, not_read):
            yield place(f"provider-{service}-remote", "noted", service)


def _platforms(document: object) -> Iterator[RemotePlace]:
    platforms = document.get("platforms") if isinstance(document, Mapping) else None
    for name, chats in list(platforms.items())[:MOST] if isinstance(platforms, Mapping) else ():
        count = len(chats) if isinstance(chats, list | Mapping) else None
        if count != 0:
            yield place("messaging", "noted", str(name), count=count)


def _uploads(document: object) -> Iterator[RemotePlace]:
    for entry in document[:MOST] if isinstance(document, list) else ():
        if isinstance(entry, Mapping) and isinstance(entry.get("url"), str):
            yield place(
                "debug-share", "noted", "", entry["url"], count=1, until=_time(entry.get("expire_at"))
            )


def _sandboxes(document: object, service: str) -> Iterator[RemotePlace]:
    if isinstance(document, Mapping) and document:
        handles = [value[:200] for value in document.values() if isinstance(value, str)]
        yield place("sandbox-cloud", "noted", service, count=len(document), handles=tuple(handles[:MOST]))


def _time(value: object) -> float | None:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return float(value) if is_number and 0 < value < _LATEST else None  # type: ignore[operator,arg-type]


def _json(profile: Profile, name: str, not_read: list[NotRead]) -> object:
    try:
        return json.loads(read_file(profile.folder / name, root=profile.home.root, limit=_LIMIT))
    except Unreadable as problem:
        if problem.why != "missing":
            not_read.append(NotRead(name, problem.why))
    except (ValueError, RecursionError):
        not_read.append(NotRead(name, "broken"))
    return None


def _is_there(profile: Profile, name: str, not_read: list[NotRead]) -> bool:
    try:
        look_at(profile.folder / name, root=profile.home.root)
    except Unreadable as problem:
        if problem.why not in ("missing", "not_a_folder"):
            not_read.append(NotRead(name, problem.why))
        return False
    return True
