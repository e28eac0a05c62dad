"""A memory file that is about to be changed: its rules, its lock, what it holds this very moment."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from hermesweb.hermes.config import Config
from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import read_file
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.locks import WAIT_SECONDS, held
from hermesweb.hermes.writing import Watcher, make_folder, remove_leftovers, replace_file, unwatched
from memory.changes import first_positions
from memory.entries import ENTRY_LIMIT, SIZE_LIMIT, memory_path
from memory.limits import Number, Rules, Target, approval_limit, effective_limit
from memory.parsing import DELIMITER, NOTHING, MemoryText, decode, round_trips, split_entries
from memory.refusals import Guarded, Stale, StoreDisabled
from memory.seen import Seen, fingerprint
from memory.switches import store_enabled


@dataclass(frozen=True)
class MemoryFile:
    """One memory file of a profile under its config.yaml and the rules of the release that wrote the home.

    `seconds`: how long to wait for Hermes to give the lock back. `watch` is told each step of a write.
    """

    profile: Profile
    target: Target
    config: Config
    rules: Rules
    seconds: float = WAIT_SECONDS
    watch: Watcher = unwatched

    @property
    def path(self) -> Path:
        return memory_path(self.profile, self.target)

    @property
    def root(self) -> Path:
        return self.profile.home.root

    @property
    def limit(self) -> Number:
        """What a write is held against."""
        return writing_limit(self.config, self.target, self.rules)

    @property
    def other(self) -> "MemoryFile":
        """The other memory file of the same profile."""
        return replace(self, target="user" if self.target == "memory" else "memory")


@dataclass(frozen=True)
class Fresh:
    """What a memory file holds now. `content` is None without a file; `entries` has the duplicates too."""

    content: bytes | None
    text: MemoryText
    entries: tuple[str, ...]

    @property
    def kept(self) -> tuple[str, ...]:
        """The entries without the duplicates."""
        return tuple(self.entries[position] for position in first_positions(self.entries))


def writing_limit(config: Config, target: Target, rules: Rules) -> Number:
    """The limit for writes, in characters: the one the agent starts with. Where it would load nothing at all
    its own writes fail, and what Hermes' approval without an agent would use is left."""
    limit = effective_limit(config, target, rules).value
    return approval_limit(config, target, rules) if limit is None else limit


def read_fresh(file: MemoryFile) -> Fresh:
    """What the file holds now. Raises Unreadable, but not for a file that is missing."""
    try:
        content = read_file(file.path, root=file.root, limit=SIZE_LIMIT)
    except Unreadable as problem:
        if problem.why == "missing":
            return Fresh(None, NOTHING, ())
        raise
    text = decode(content, file.path)
    if text.text.count(DELIMITER) >= ENTRY_LIMIT:
        raise Unreadable(file.path, "too_large", size=len(content))
    return Fresh(content, text, tuple(split_entries(text.read_by(file.rules))))


@contextmanager
def locked(*files: MemoryFile) -> Iterator[None]:
    """Hold the locks of one or both memory files, always in the same order, or two of us could wait for each
    other. Makes the folder, as Hermes does. Raises Busy, NotWritten."""
    if not files:
        yield
        return
    first, *rest = sorted(files, key=lambda file: file.target)
    make_folder(first.path.parent, root=first.root)
    with held(first.path, root=first.root, seconds=first.seconds), locked(*rest):
        yield


def write(file: MemoryFile, content: bytes) -> None:
    """Put `content` in the place of the file. Only for who holds its lock. Raises NotWritten."""
    replace_file(file.path, content, root=file.root, watch=file.watch)
    remove_leftovers(file.path, root=file.root)


def find(file: MemoryFile, fresh: Fresh, seen: Seen) -> int:
    """Where the entry that was seen stands now; of several copies of it the nearest. Raises Stale."""
    rows = [row for row, text in enumerate(fresh.entries) if fingerprint(text) == seen.entry]
    # A copy is never taken for the entry itself: to remove "the duplicate" must leave one.
    wanted = rows[1:] if seen.duplicate else rows[:1]
    if not wanted:
        raise stale(file, fresh, seen)
    return min(wanted, key=lambda row: abs(row - seen.position))


def stale(file: MemoryFile, fresh: Fresh, seen: Seen | None) -> Stale:
    """The refusal that carries what stands there now."""
    inside = seen is not None and 0 <= seen.position < len(fresh.entries)
    here = fresh.entries[seen.position] if seen is not None and inside else None
    return Stale(file.target, seen, fresh.entries, here)


def refuse_disabled(file: MemoryFile) -> None:
    """Raises StoreDisabled when config.yaml switches the store off."""
    if not store_enabled(file.config, file.target, file.rules):
        raise StoreDisabled(file.target)


def refuse_guarded(file: MemoryFile, fresh: Fresh) -> None:
    """Hermes' guard against text from elsewhere (`_detect_external_drift`). Raises Guarded."""
    if any(len(entry) > file.limit for entry in fresh.entries):
        raise Guarded(file.path, "oversized_entry")
    if file.rules == "0.19" and not round_trips(fresh.text.read_by(file.rules)):
        raise Guarded(file.path, "does_not_round_trip")


def refuse_unreadable_rows(file: MemoryFile, rows: Sequence[str]) -> None:
    """A separator line at the end of an entry merges with the next one. Hermes writes it all the same, and
    reads other entries back. Raises Guarded."""
    if split_entries(DELIMITER.join(rows)) != list(rows):
        raise Guarded(file.path, "would_not_read_back")
