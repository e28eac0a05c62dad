"""Whether words of deleted conversations can still be found in a profile, and where: looked for by other processes.

The bytes of every file and, through SQL, what the databases say (hermesweb.hermes.scan). A phrase that a
conversation that stays says too is no trace of a deleted one: it is counted for that conversation, and of it only
what lies outside all rows (free pages, slack, entries of rows that are gone) counts as left.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from hermesweb.hermes.files import DATABASE_NAMES
from hermesweb.hermes.homes import DEFAULT, Profile
from hermesweb.hermes.scan.asked import ScanFolder
from hermesweb.hermes.scan.events import Hit, NotChecked, Progress
from hermesweb.hermes.scan.fts_index import Moved
from hermesweb.hermes.scan.fts_rows import IndexRemains, rows_in_index
from hermesweb.hermes.scan.scan import scan
from hermesweb.hermes.scan.segments import BrokenLeaf
from hermesweb.hermes.scan.sql_reading import NotReadable
from hermesweb.hermes.stores.catalogue import may_hide, store_of

NAMED: Final = 100  # files of an answer
OUTSIDE_ROWS: Final = frozenset(("free_page", "slack", "index_left_over"))
_MAIN: Final = "state.db"

Step = Callable[[int, int], object]


@dataclass(frozen=True)
class StillIn:
    """A file below the profile with `phrases` of those looked for, at `count` places. `store`: its id in the
    catalogue or "unknown". `how`: codes of Hit; for rows of state.db the table and column."""

    file: str
    store: str
    how: tuple[str, ...]
    count: int
    phrases: int


@dataclass(frozen=True)
class Proof:
    """`phrases` were looked for, `distinct` of them are said by no conversation that stays. `state`: left in
    state.db and its side files, `elsewhere`: in other files. `said_by`: conversations that stay and how many of the
    phrases they say. `rows_counted` and `rows_written`: deleted messages that a full-text index still counts, or
    has words of; `index_read`: whether every index was read whole, or is one segment, which has none."""

    phrases: int
    distinct: int
    state: tuple[StillIn, ...]
    elsewhere: tuple[StillIn, ...]
    said_by: tuple[tuple[str, int], ...]
    not_checked: tuple[tuple[str, str], ...]
    rows_counted: int
    rows_written: int
    index_read: bool

    def plain(self) -> dict[str, Any]:
        """As values for JSON."""
        return asdict(self)


def look_for(
    profile: Profile,
    phrases: Sequence[str],
    *,
    gone: Collection[str],
    rows: Collection[int],
    scratch: Path,
    step: Step = lambda *_: None,
    seconds: float = 30,
) -> Proof:
    """Look for `phrases` in every file of a profile, and for the message `rows` in the indexes of state.db.

    `gone`: ids of the deleted sessions; none where words of earlier deletions were removed. `scratch`: a private
    folder of ours. `step(files, bytes)` is told how far it is and may raise to end it. `seconds`: for reading the
    indexes. Raises nothing of its own: what could not be looked into is in the answer.
    """
    seen = _Seen(profile.name == DEFAULT, frozenset(gone))
    if phrases:
        folder = ScanFolder(str(profile.folder), "", ("profiles",) if seen.root else ())
        for event in scan((folder,), tuple(phrases), scratch=scratch):
            match event:
                case Hit():
                    seen.hits.append(event)
                case NotChecked() if may_hide(event.file, event.why, root=seen.root):
                    seen.not_checked[(event.file, event.why)] = None
                case Progress():
                    step(event.files, event.bytes)
    counted, written, whole = _in_indexes(profile.folder / _MAIN, rows, seconds)
    return Proof(
        phrases=len(phrases),
        distinct=len(phrases) - len(seen.in_rows),
        state=seen.left_in_state(),
        elsewhere=seen.left_elsewhere(),
        said_by=tuple((session, len(found)) for session, found in list(seen.said.items())[:NAMED]),
        not_checked=tuple(seen.not_checked)[:NAMED],
        rows_counted=counted,
        rows_written=written,
        index_read=whole,
    )


@dataclass
class _Seen:
    root: bool
    gone: frozenset[str]
    hits: list[Hit] = field(default_factory=list)
    not_checked: dict[tuple[str, str], None] = field(default_factory=dict)

    @property
    def said(self) -> dict[str, set[int]]:
        """Sessions that stay, and the phrases in their rows."""
        found: dict[str, set[int]] = {}
        for hit in self.hits:
            if hit.file == _MAIN and hit.how == "sql":
                for session in _sessions(hit.place):
                    if session not in self.gone:
                        found.setdefault(session, set()).add(hit.phrase)
        return found

    @property
    def in_rows(self) -> set[int]:
        """Phrases that what stays says. Where nothing was deleted all rows stay, also those of no session."""
        if not self.gone:
            return {hit.phrase for hit in self.hits if hit.file == _MAIN and hit.how == "sql"}
        return {phrase for found in self.said.values() for phrase in found}

    def left_in_state(self) -> tuple[StillIn, ...]:
        said = self.in_rows
        return self._summed(
            hit for hit in self.hits if hit.file in DATABASE_NAMES and self._is_left(hit, said)
        )

    def left_elsewhere(self) -> tuple[StillIn, ...]:
        said = self.in_rows
        return self._summed(
            hit for hit in self.hits if hit.file not in DATABASE_NAMES and hit.phrase not in said
        )

    def _is_left(self, hit: Hit, said: set[int]) -> bool:
        if hit.how in OUTSIDE_ROWS:
            return True
        if hit.phrase not in said:
            # Where no row was deleted, the cell of a row that stays: two columns lie side by side in it.
            return bool(self.gone) or hit.file != _MAIN
        if (
            hit.how != "sql"
        ):  # in the bytes, the journal or an index: of a row that stays, for all that can be told
            return False
        sessions = _sessions(hit.place)
        return any(session in self.gone for session in sessions)

    def _summed(self, hits: Iterable[Hit]) -> tuple[StillIn, ...]:
        files: dict[str, list[Hit]] = {}
        for hit in hits:
            files.setdefault(hit.file, []).append(hit)
        return tuple(self._one(file, found) for file, found in sorted(files.items())[:NAMED])

    def _one(self, file: str, hits: list[Hit]) -> StillIn:
        known = store_of(file.partition("!")[0], root=self.root)
        how = sorted({hit.where if hit.how == "sql" else hit.how for hit in hits})
        phrases = len({hit.phrase for hit in hits})
        return StillIn(
            file, known.id if known else "unknown", tuple(how), sum(hit.count for hit in hits), phrases
        )


def _sessions(place: Mapping[str, Any]) -> list[str]:
    return [str(session) for session in place.get("sessions", ())]


def _in_indexes(path: Path, rows: Collection[int], seconds: float) -> tuple[int, int, bool]:
    """How many of the rows an index still counts, has words of, and whether all of each was read. A single segment
    needs no reading: making it one dropped what was deleted."""
    if not rows:
        return 0, 0, True
    try:
        found: tuple[IndexRemains, ...] = rows_in_index(path, rows, seconds=seconds)
    except (NotReadable, BrokenLeaf, Moved, OSError):
        return 0, 0, False
    counted = {row for each in found for row in each.counted}
    written = {row for each in found for row in each.written}
    return len(counted), len(written), all(each.complete or each.segments <= 1 for each in found)
