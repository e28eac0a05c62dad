"""The files of sessions that are deleted: finds them, removes them, and looks again.

Only what is certainly of exactly these sessions, by its name, by what its few fields say, or by what the
session's own rows said. Never through a link. Everything else that may tell of them is for the tracer.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Final

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import list_names, look_at, read_file
from hermesweb.hermes.folders import remove_tree
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.writing import NotWritten, remove_file
from sessions.deletion_file_names import (
    altered,
    doubtful_names,
    dump_id,
    dump_owners,
    is_kept_as_it_is,
    is_one_part,
    transcript_names,
)
from sessions.deletion_values import DeletionPlan, PlannedConversation

MOST_NAMES: Final = 1_000_000
SMALL: Final = 64_000  # bytes of a breadcrumb or a manifest
SPOOLED: Final = 20_000_000  # bytes of a message that could not be stored
DELEGATION: Final = ("cache/delegation", "delegation_cache")
FOLDERS: Final = ("hook_outputs", "spawn-trees")


@dataclass(frozen=True)
class LeftFile:
    """A file or folder that is there still; `path` below the profile, "/" between its parts.

    `why`: as in NotWritten and Unreadable, or "ambiguous" (may be another session's), "still_there",
    "came_back" (a running chat wrote it anew).
    """

    path: str
    why: str


@dataclass(frozen=True)
class SessionFiles:
    """Files and whole folders of some sessions below the profile, and what could not be decided or read."""

    files: tuple[str, ...]
    folders: tuple[str, ...]
    left: tuple[LeftFile, ...] = ()

    def __len__(self) -> int:
        return len(self.files) + len(self.folders)


@dataclass(frozen=True)
class RemovedFiles:
    """`removed`: looked for afterwards and not there. `left`: everything that is."""

    removed: tuple[str, ...]
    left: tuple[LeftFile, ...]


@dataclass
class _Found:
    files: set[str] = field(default_factory=set)
    folders: set[str] = field(default_factory=set)
    left: set[LeftFile] = field(default_factory=set)


def files_of(profile: Profile, conversations: Iterable[PlannedConversation]) -> SessionFiles:
    """What is there of these conversations. Never raises: what cannot be read is in `left`."""
    chosen = list(conversations)
    ids = {id for each in chosen for id in each.ids}
    found = _Found()
    _transcripts(profile, ids, found)
    _folders(profile, ids, found)
    _told_by_content(profile, ids, found)
    _delegations(profile, chosen, ids, found)
    return SessionFiles(
        tuple(sorted(found.files)),
        tuple(sorted(found.folders)),
        tuple(sorted(found.left, key=lambda each: (each.path, each.why))),
    )


def remove_files(profile: Profile, conversations: Iterable[PlannedConversation]) -> RemovedFiles:
    """Remove what is there of these conversations, and look again. Can be repeated. Never raises."""
    chosen = list(conversations)
    found = files_of(profile, chosen)
    left = set(found.left)
    for path in found.files:
        _remove(profile, path, left)
    for path in found.folders:
        _remove_folder(profile, path, left)
    tried = {*found.files, *found.folders}
    again = files_of(profile, chosen)
    still = {*again.files, *again.folders}
    named = {each.path for each in left}
    left |= set(again.left)
    left |= {LeftFile(path, "still_there" if path in tried else "came_back") for path in still - named}
    gone = {path for path in tried - still if path not in named or _is_missing(profile, path)}
    left = {each for each in left if each.path not in gone}
    return RemovedFiles(tuple(sorted(gone)), tuple(sorted(left, key=lambda each: (each.path, each.why))))


def counted(plan: DeletionPlan, profile: Profile) -> DeletionPlan:
    """The plan with `counts.files` filled in."""
    return replace(plan, counts=replace(plan.counts, files=len(files_of(profile, plan.conversations))))


def _transcripts(profile: Profile, ids: set[str], found: _Found) -> None:
    there = set(_names(profile, "sessions", found))
    by_dump: dict[str, list[str]] = {}
    for name in there:
        if name.startswith("request_dump_"):
            for owner in dump_owners(name):
                by_dump.setdefault(owner, []).append(name)
    for id in ids:
        names = [name for name in transcript_names(id) if name in there]
        names += by_dump.get(dump_id(id), ())
        found.files.update(f"sessions/{name}" for name in names)
        found.left.update(
            LeftFile(f"sessions/{name}", "ambiguous") for name in doubtful_names(id) if name in there
        )


def _folders(profile: Profile, ids: set[str], found: _Found) -> None:
    for folder in FOLDERS:
        there = set(_names(profile, folder, found))
        found.folders.update(f"{folder}/{id}" for id in ids if is_kept_as_it_is(id) and id in there)
        _doubt(folder, "", ids, there, found)
    there = set(_names(profile, "moa-traces", found))
    found.files.update(
        f"moa-traces/{id}.jsonl" for id in ids if is_kept_as_it_is(id) and f"{id}.jsonl" in there
    )
    _doubt("moa-traces", ".jsonl", ids, there, found)


def _doubt(folder: str, suffix: str, ids: set[str], there: set[str], found: _Found) -> None:
    """Hermes writes such an id differently, and two ids may become the same."""
    for id in ids:
        if not is_kept_as_it_is(id):
            names = {altered(id) + suffix, id + suffix} & there
            found.left.update(LeftFile(f"{folder}/{name}", "ambiguous") for name in names)


def _told_by_content(profile: Profile, ids: set[str], found: _Found) -> None:
    for name in _names(profile, "terminal-sessions", found):
        value = _json(profile, f"terminal-sessions/{name}", SMALL, found)
        if isinstance(value, dict) and _is_one_of(value.get("session_id"), ids):
            found.files.add(f"terminal-sessions/{name}")
    for name in _names(profile, "pending_messages", found):
        value = _json(profile, f"pending_messages/{name}", SPOOLED, found)
        data = value.get("data") if isinstance(value, dict) else None
        named = [value.get("session_id"), value.get("session_key")] if isinstance(value, dict) else []
        named += [data.get("session_id")] if isinstance(data, dict) else []
        if any(_is_one_of(each, ids) for each in named):
            found.files.add(f"pending_messages/{name}")


def _delegations(
    profile: Profile, conversations: list[PlannedConversation], ids: set[str], found: _Found
) -> None:
    wanted = {name for each in conversations for name in each.delegations if is_kept_as_it_is(name)}
    summaries = {name for each in conversations for name in each.summaries if is_one_part(name)}
    for root in DELEGATION:
        there = _names(profile, root, found)
        found.files.update(f"{root}/{name}" for name in summaries & set(there))
        for name in _names(profile, f"{root}/live", found) if "live" in there else ():
            folder = f"{root}/live/{name}"
            if name in wanted or _manifest_names(profile, folder, ids, found):
                found.folders.add(folder)


def _manifest_names(profile: Profile, folder: str, ids: set[str], found: _Found) -> bool:
    value = _json(profile, f"{folder}/manifest.json", SMALL, found)
    names = ("session_id", "parent_session_id", "origin_session_id")
    return isinstance(value, dict) and any(_is_one_of(value.get(name), ids) for name in names)


def _is_one_of(value: object, ids: set[str]) -> bool:
    return isinstance(value, str) and value in ids


def _names(profile: Profile, folder: str, found: _Found) -> list[str]:
    try:
        return list_names(profile.folder / folder, root=profile.home.root, limit=MOST_NAMES)
    except Unreadable as unreadable:
        if unreadable.why != "missing":
            found.left.add(LeftFile(_relative(profile, unreadable.path, folder), unreadable.why))
        return []


def _json(profile: Profile, path: str, limit: int, found: _Found) -> Any:
    try:
        return json.loads(read_file(profile.folder / path, root=profile.home.root, limit=limit))
    except Unreadable as unreadable:
        if unreadable.why not in ("missing", "not_a_folder", "not_a_file"):
            found.left.add(LeftFile(path, unreadable.why))
    except (ValueError, RecursionError):
        pass  # nothing that Hermes could read either
    return None


def _remove(profile: Profile, path: str, left: set[LeftFile]) -> None:
    try:
        remove_file(profile.folder / path, root=profile.home.root)
    except NotWritten as refused:
        if refused.why != "missing":
            left.add(LeftFile(path, refused.why))


def _remove_folder(profile: Profile, path: str, left: set[LeftFile]) -> None:
    try:
        remove_tree(profile.folder / path, "manifest.json", root=profile.home.root)
    except NotWritten as refused:
        if refused.why != "missing":
            left.add(LeftFile(path, refused.why))


def _is_missing(profile: Profile, path: str) -> bool:
    try:
        look_at(profile.folder / path, root=profile.home.root)
    except Unreadable as unreadable:
        return unreadable.why == "missing"
    return False


def _relative(profile: Profile, path: Path, otherwise: str) -> str:
    return path.relative_to(profile.folder).as_posix() if path.is_relative_to(profile.folder) else otherwise
