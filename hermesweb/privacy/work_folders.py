"""The folders that the agent worked in, as state.db has noted them: Hermes leaves files of its own there."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.mounts import Mount, mount_named
from sessions.database import read_state
from sessions.errors import StateEmpty, StateError, StateMissing
from sessions.remote_queries import MOST as NOTED
from sessions.remote_queries import folders_worked_in

MOST: Final = 300  # folders that are looked into
WORK: Final = "<work>/"
SECONDS: Final = 10.0  # of a question: with long prompts in its rows a table is slow to go through


@dataclass(frozen=True)
class WorkFolders:
    """`folders` can be looked into. `missed`: which not, and why: "link" (on the way to it), "remote" (another
    machine's, which might not answer), "permission"; "<work>/" with "too_many", or with "no_list" where state.db could
    not be asked. A folder that is not there any more is in neither."""

    folders: tuple[Path, ...] = ()
    missed: tuple[tuple[str, str], ...] = ()

    @property
    def whole(self) -> bool:
        return not self.missed

    @property
    def labels(self) -> tuple[str, ...]:
        """How the name of a file in one of them begins."""
        return tuple(f"{str(folder).rstrip('/')}/" for folder in self.folders)


def work_folders(profile: Profile, copy: Path | None = None, *, seconds: float = SECONDS) -> WorkFolders:
    """Of one profile. `copy`: a work copy of state.db to ask instead. `seconds`: for each question. Raises nothing."""
    try:
        noted = read_state(profile.folder, folders_worked_in, copy=copy, seconds=seconds)
    except (StateMissing, StateEmpty):
        return WorkFolders()
    except StateError:
        return WorkFolders(missed=((WORK, "no_list"),))
    missed = [(WORK, "too_many")] if len(noted) > MOST or len(noted) >= NOTED else []
    looked: list[Path] = []
    home = mount_named(profile.home.root)
    for path, why in _looked_at(noted[:MOST], home):
        if why:
            missed.append((str(path), why))
        elif not any(path.is_relative_to(other / ".worktrees") for other in looked):
            looked.append(path)  # what lies in a worktree belongs to the folder that has it
    return WorkFolders(tuple(looked), tuple(missed))


def _looked_at(noted: tuple[str, ...], home: Mount | None) -> Iterator[tuple[Path, str]]:
    """Those that are there, and why one is not looked into, "" if it is."""
    for text in noted:
        path = Path(text)
        if os.path.normpath(text) != (text.rstrip("/") or "/") or "\0" in text:
            continue  # nothing that a shell would call its folder
        mount = mount_named(path)
        if mount and mount != home and (mount.is_remote or mount.kind == "autofs"):
            yield path, "remote"
            continue
        try:
            if os.path.realpath(path, strict=True) != str(path):
                yield path, "link"
            elif path.is_dir():
                yield path, "" if os.access(path, os.R_OK | os.X_OK) else "permission"
        except (FileNotFoundError, NotADirectoryError):
            continue
        except OSError:
            yield path, "permission"
