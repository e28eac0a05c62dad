"""One run of clearing: what was chosen goes, store by store, and everything is looked at again from disk.

A run can be ended at any moment and begun again: what was found before, and what became of each store so far,
stands in a `Record` that the caller keeps. Only names of stores, counts and codes are in it.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from hermesweb.hermes.homes import DEFAULT, Profile
from hermesweb.hermes.stores.catalogue import store, store_of
from hermesweb.privacy.wiping.choice import UNKNOWN, Choice
from hermesweb.privacy.wiping.config import clear_settings
from hermesweb.privacy.wiping.database import DATABASE, clear_database
from hermesweb.privacy.wiping.locking import LOCK_FILES, all_held
from hermesweb.privacy.wiping.order import in_order, is_last
from hermesweb.privacy.wiping.removing import OnStep, above, empty_files, remove_empty_folders, remove_files
from hermesweb.privacy.wiping.survey import Lying, Outside, Survey, survey, without

LOCK_SECONDS: Final = 3.0
NAMED: Final = 20  # names of what stays, of one store
SKILLS: Final = "skills"


@dataclass
class Left:
    """What stays of a store, and why: `why` is the most frequent reason."""

    why: str
    count: int
    names: list[str]


@dataclass
class Record:
    """How far a run is. `before`: files and bytes by store. `rows`: by table of state.db. `settings`: bytes of
    config.yaml by the store inside it. `copies`: work copies of ours. `own_rows`: what our own database had noted
    about the profile and was removed. `missed_locks`: of Hermes, and why. `other_names`: files by store of which
    a name was removed while others, which were not chosen, still lead to the content. `work`: where the agent worked,
    which only a state.db tells that goes."""

    began: float = 0.0
    while_running: bool = False
    before: dict[str, tuple[int, int]] = field(default_factory=dict)
    rows: dict[str, int] = field(default_factory=dict)
    settings: dict[str, int | None] = field(default_factory=dict)
    copies: int = 0
    own_rows: int = 0
    done: list[str] = field(default_factory=list)
    left: dict[str, dict[str, Any]] = field(default_factory=dict)
    missed_locks: dict[str, str] = field(default_factory=dict)
    attempts: int = 0
    work: list[str] = field(default_factory=list)
    other_names: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, saved: dict[str, Any]) -> "Record":
        record = cls(**saved)
        record.before = {name: (files, size) for name, (files, size) in record.before.items()}
        return record

    def plain(self) -> dict[str, Any]:
        return asdict(self)


@dataclass
class Run:
    """`alive`: Hermes works on the profile, or may. Then what it has open is only emptied or left for later.
    `is_alive` is asked again before state.db is taken away: somebody may have opened a chat meanwhile."""

    profile: Profile
    choice: Choice
    record: Record
    alive: bool
    step: OnStep
    save: Callable[[Record], None]
    temporary: Path  # of ours, for SQLite's copy of a database that is emptied in place
    outside: Outside | None = None
    is_alive: Callable[[], bool] = lambda: False
    mounts: tuple[str, ...] = ()  # below the profile's folder, where something else is mounted

    def clear(self) -> Survey:
        """Go through the chosen stores that are not done. Returns what lies there afterwards; what `step` or
        `save` raises ends it."""
        self.record.attempts += 1
        with all_held(self.profile, seconds=LOCK_SECONDS) as locks:
            self.record.missed_locks = locks.missed
            # The gateway's own lock tells more surely than the list of processes.
            self.alive = self.alive or locks.missed.get("gateway.lock") == "busy"
            found = self._looked()
            if not self.record.before:
                self.record.before = {
                    name: (len(found.of(name)), found.bytes_of(name)) for name in found.files
                }
                self.save(self.record)
            ids = in_order(self.choice)
            for number, name in enumerate(ids):
                if name not in self.record.done:
                    self.step(name, number, len(ids))
                    if is_last(name):
                        found = self._looked()
                    self._clear_store(name, found)
            remove_empty_folders(self.profile, self._emptied_folders(found))
            return self._looked()

    def _looked(self) -> Survey:
        # The lock files stay: they hold nothing, and Hermes needs them.
        return without(survey(self.profile, self.outside), LOCK_FILES)

    def _clear_store(self, name: str, found: Survey) -> None:
        lying = found.of(name) + (_stock_list(found) if name == SKILLS else ())
        # What is mounted here belongs to whoever mounted it: a folder of projects, say.
        apart = {part.name: why for part in lying if (why := self._why_apart(part, found))}
        if name == DATABASE:
            apart = dict.fromkeys((part.name for part in lying), next(iter(apart.values()))) if apart else {}
        stays = self._removed(name, tuple(part for part in lying if part.name not in apart)) | apart
        linked = self._with_other_names(lying, found)
        if count := sum(part.name not in stays for part in linked):
            self.record.other_names[name] = self.record.other_names.get(name, 0) + count
        self.record.left.pop(name, None)
        if stays:
            why, _ = Counter(stays.values()).most_common(1)[0]
            self.record.left[name] = asdict(Left(why, len(stays), sorted(stays)[:NAMED]))
        self.record.done.append(name)
        self.save(self.record)

    def _why_apart(self, part: Lying, found: Survey) -> str:
        """Why the file is not touched, "" if it is."""
        if part.root == self.profile.folder and part.name in found.links:
            return "link"
        return "mounted" if self._is_mounted(part) else ""

    def _with_other_names(self, lying: tuple[Lying, ...], found: Survey) -> tuple[Lying, ...]:
        """Those of the files that have more names than those that were chosen."""
        if all(part.names == 1 for part in lying):
            return ()
        chosen = {part.path: part.node for parts in self._chosen(found) for part in parts if part.names > 1}
        known = Counter(chosen.values())
        return tuple(part for part in lying if part.names > max(known[part.node], 1))

    def _chosen(self, found: Survey) -> list[tuple[Lying, ...]]:
        return [found.of(name) for name in (*self.choice.stores, UNKNOWN) if self._is_chosen(name)]

    def _is_mounted(self, part: Lying) -> bool:
        return part.root == self.profile.folder and any(
            part.name == point or part.name.startswith(f"{point}/") for point in self.mounts
        )

    def _removed(self, name: str, lying: tuple[Lying, ...]) -> dict[str, Any]:
        def step(done: int) -> None:
            self.step(name, done, len(lying))

        if name == UNKNOWN:
            return dict(remove_files(lying, step=step, database=True))
        each = store(name)
        if each.inside == "config":
            return clear_settings(self.profile, name)
        if name == DATABASE:
            self.alive = self.alive or self.is_alive()
            if self.alive and any(part.names > 1 for part in lying):
                return dict.fromkeys((part.name for part in lying), "other_names")
            return clear_database(
                self.profile, lying, alive=self.alive, temporary=self.temporary, step=self.step
            )
        if self.alive and (each.stop_first or each.how == "database_delete"):
            return dict.fromkeys((part.name for part in lying), "running")
        if each.how == "truncate_or_delete" and self.alive:
            # Emptied, a file is empty under its other names too, and those may be somebody else's.
            stays = dict.fromkeys((part.name for part in lying if part.names > 1), "other_names")
            return stays | empty_files(tuple(part for part in lying if part.names == 1), step=step)
        # What is called state.db in a snapshot is nobody's live database.
        return dict(remove_files(lying, step=step, database=True))

    def _emptied_folders(self, found: Survey) -> set[str]:
        """Folders that held something that was chosen, and those that were empty all along in such a place."""
        mine = self.profile.folder
        gone = [part for parts in self._chosen(found) for part in parts if part.root == mine]
        now = self._looked()
        empty = set(now.folders) - above(part for parts in now.files.values() for part in parts)
        return above(gone) | {folder for folder in empty if self._is_chosen(self._store_in(folder))}

    def _store_in(self, folder: str) -> str:
        found = store_of(f"{folder}/any", root=self.profile.name == DEFAULT)
        return found.id if found else UNKNOWN

    def _is_chosen(self, name: str) -> bool:
        return self.choice.unknown if name == UNKNOWN else name in self.choice.stores


def _stock_list(found: Survey) -> tuple[Lying, ...]:
    """Hermes' list of the skills it brought: without it they come back at the next start, with it never."""
    return tuple(part for part in found.of("skills-bundled") if part.name == "skills/.bundled_manifest")
