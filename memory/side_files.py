"""What lies beside MEMORY.md and USER.md and may hold text that was thought to be gone.

`MEMORY.md.bak.<time>` is left by Hermes when it refuses a write, `.mem_*.tmp` by a crash of Hermes or of ours,
`ARCHIVE.jsonl` by very new releases that move the oldest entries out. Locks are listed, but never removed.
"""

import hashlib
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import list_names, look_at, read_file
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.locks import SUFFIX, WAIT_SECONDS, held
from hermesweb.hermes.writing import LEFTOVER_START, NotWritten, remove_file
from memory.entries import FILE_NAMES, memory_path
from memory.limits import TARGETS, Target

READ_LIMIT: Final = 1024 * 1024  # bytes; a larger file is listed without its content
SHOWN_CHARACTERS: Final = 65_536
READ_FILES: Final = 100  # each refused write of Hermes leaves one more

Kind = Literal["backup", "archive", "temporary", "lock", "other"]


@dataclass(frozen=True)
class SideFile:
    """One file. `name`: bytes that are no UTF-8 are spelled out, so that it can be shown. `size` in bytes,
    `changed_at` in UTC epoch seconds, `owner` a user id. `of`: the store it is a copy of, if its name says so.

    `content`: the start of it, what is no UTF-8 replaced, None when it was not read; `cut`: there is more.
    `problem`: why it could not be read. `seen` is what `remove_side_file` wants to hear again.
    """

    name: str
    path: Path
    kind: Kind
    of: Target | None
    size: int
    changed_at: float
    mode: int
    owner: int
    foreign_owner: bool
    removable: bool
    seen: str
    content: str | None = None
    cut: bool = False
    problem: Unreadable | None = None

    @property
    def readable_by_others(self) -> bool:
        """Other accounts of the machine may read it, as far as the file itself says."""
        return bool(self.mode & 0o044)

    @property
    def ours(self) -> bool:
        """A write of this product was killed and left it."""
        return self.name.startswith(LEFTOVER_START)


def list_side_files(profile: Profile, *, read: int = READ_FILES) -> list[SideFile]:
    """Everything in the profile's `memories` folder but the two memory files, by name; the content of the first
    `read`. Changes nothing. A folder that is missing holds none. Raises Unreadable for one that cannot be
    listed."""
    folder = memory_path(profile, "memory").parent
    try:
        names = list_names(folder, root=profile.home.root)
        owner = look_at(folder, root=profile.home.root).st_uid
    except Unreadable as problem:
        if problem.why == "missing":
            return []
        raise
    wanted = [name for name in names if name not in FILE_NAMES.values()]
    return list(_listed(profile, wanted, owner, read))


def remove_side_file(profile: Profile, name: str, seen: str, *, seconds: float = WAIT_SECONDS) -> None:
    """Remove the side file `name` that is still as it was listed. Holds both locks meanwhile: Hermes may be
    about to rename a temporary file.

    No path is made of `name`: it is looked for among those listed. Raises NotWritten ("missing", "changed",
    "not_a_file" for what is never removed), Busy, Unreadable.
    """
    memory, user = (memory_path(profile, target) for target in TARGETS)
    file = next((each for each in list_side_files(profile, read=0) if each.name == name), None)
    if file is None:
        raise NotWritten(memory.parent, "missing")
    if not file.removable:
        raise NotWritten(file.path, "not_a_file")
    root = profile.home.root
    with held(memory, root=root, seconds=seconds), held(user, root=root, seconds=seconds):
        remove_file(file.path, root=root, unless=lambda status: _seen(status) != seen)


def kind_of(name: str) -> tuple[Kind, Target | None]:
    """What a file in the folder is by its name, and which store it belongs to."""
    of = next((target for target in TARGETS if FILE_NAMES[target] in name), None)
    if name.endswith(SUFFIX):
        return "lock", of
    if name.startswith(".mem_") and name.endswith(".tmp"):
        return "temporary", of
    if of and name.startswith(f"{FILE_NAMES[of]}.bak."):
        return "backup", of
    return ("archive", None) if name == "ARCHIVE.jsonl" else ("other", of)


def _listed(profile: Profile, names: list[str], owner: int, read: int) -> Iterator[SideFile]:
    for name in names:
        try:
            file = _looked_at(profile, name, owner)
        except Unreadable:  # gone since the folder was listed
            continue
        yield _with_content(profile, file) if read > 0 else file
        read -= 1


def _looked_at(profile: Profile, name: str, folder_owner: int) -> SideFile:
    path = memory_path(profile, "memory").parent / name
    status = look_at(path, root=profile.home.root)
    kind, of = kind_of(name)
    return SideFile(
        name=os.fsencode(name).decode("utf-8", "backslashreplace"),
        path=path,
        kind=kind,
        of=of,
        size=status.st_size,
        changed_at=status.st_mtime,
        mode=stat.S_IMODE(status.st_mode),
        owner=status.st_uid,
        foreign_owner=status.st_uid != folder_owner,
        removable=stat.S_ISREG(status.st_mode) and kind != "lock",
        seen=_seen(status),
    )


def _with_content(profile: Profile, file: SideFile) -> SideFile:
    try:
        content = read_file(file.path, root=profile.home.root, limit=READ_LIMIT).decode("utf-8", "replace")
    except Unreadable as problem:
        return replace(file, problem=problem)
    return replace(file, content=content[:SHOWN_CHARACTERS], cut=len(content) > SHOWN_CHARACTERS)


def _seen(status: os.stat_result) -> str:
    about = f"{status.st_dev}:{status.st_ino}:{status.st_size}:{status.st_mtime_ns}"
    return hashlib.sha256(about.encode()).hexdigest()
