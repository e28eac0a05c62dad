"""What became of each store of the catalogue, from what was found before and what lies there now.

"wiped" is said of a store whose files are gone, or whose file is empty, by a look at the disk after
everything was done. Nothing else is.
"""

from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from hermesweb.hermes.stores.catalogue import stores
from hermesweb.hermes.stores.store import Store
from hermesweb.privacy.wiping.choice import UNKNOWN, Choice
from hermesweb.privacy.wiping.database import DATABASE
from hermesweb.privacy.wiping.order import is_last
from hermesweb.privacy.wiping.run import Record
from hermesweb.privacy.wiping.survey import Lying, Survey

COPIES_NAMED: Final = 50
TELLING: Final = ("sessions", "messages")  # rows of these in state.db: words, or at least who wrote when

TABLES: Final = frozenset(each.id for each in stores() if each.table)

Result = Literal["wiped", "partly", "not_wiped", "kept", "absent", "out_of_reach"]


@dataclass(frozen=True)
class Copy:
    """One snapshot or backup: its folder or file, and when it was last written, UTC epoch seconds."""

    name: str
    bytes: int
    at: float


@dataclass(frozen=True)
class Outcome:
    """`why` is a code. `left`: names of what stays, the first ones, and how many there are in all. `verified`:
    it was looked at again after the run. `copies`: of a store that holds copies of others and stays, what lies
    there; `newest`: when the last of what lies there was written, UTC epoch seconds."""

    id: str
    outcome: Result
    why: str
    verified: bool
    files_before: int
    files_after: int
    bytes_before: int
    bytes_after: int
    left: tuple[str, ...] = ()
    newest: float | None = None
    copies: tuple[Copy, ...] = ()
    rows_before: int = 0  # of a table of state.db


_BOOKKEEPING = "state_meta"  # what it has about a person was looked at when it was emptied


@dataclass(frozen=True)
class Seen:
    """What the outcomes are read from. `settings`: bytes of config.yaml that stores inside it held and hold.
    `copies`: our own work copies before and now. `rows_now`: of a state.db that is there afterwards, None if it
    cannot be read. `remote`: ids of remote stores that show a sign of use."""

    choice: Choice
    record: Record
    now: Survey
    shared: bool
    settings: dict[str, tuple[int | None, int | None]]
    copies: tuple[int, int]
    remote: frozenset[str]
    rows_now: dict[str, int] | None = None
    root: bool = True  # it is the default profile


def outcomes(seen: Seen) -> list[Outcome]:
    """One for each store of the catalogue, in its order."""
    found = [_outcome(each, seen) for each in stores() if not each.table]
    database = next(each for each in found if each.id == DATABASE)
    return found + [_of_table(each, database, seen) for each in stores() if each.table]


def of_unknown_files(seen: Seen) -> Outcome:
    """The files that match no store, as if they were one."""
    return _of_files(UNKNOWN, chosen=seen.choice.unknown, needs="choice", seen=seen)


def is_complete(found: list[Outcome], choice: Choice) -> bool:
    """Whether everything that was chosen is wiped, or was not there."""
    chosen = {*choice.stores, *([UNKNOWN] if choice.unknown else [])}
    return all(each.outcome in ("wiped", "absent") for each in found if each.id in chosen)


def is_clean(found: list[Outcome], choice: Choice) -> bool:
    """Complete, and no local store that is cleared by default, and no backup, is left for whatever reason."""
    counted = {
        each.id for each in stores() if each.clearing in ("default", "backups") and each.where != "remote"
    }
    return is_complete(found, choice) and all(
        each.outcome not in ("kept", "partly", "not_wiped") for each in found if each.id in counted
    )


def _outcome(each: Store, seen: Seen) -> Outcome:
    if each.where == "remote" or (not each.patterns and each.where == "outside" and each.id != "os-level"):
        used = each.id in seen.remote
        return _plain(each.id, "out_of_reach" if used else "absent", "remote" if used else "no_sign")
    if each.id == "hermesweb-work-copies":
        return _of_copies(each, seen)
    if each.inside == "config":
        return _of_settings(each, seen)
    if each.where == "ours":
        noted = seen.record.own_rows if each.id == "hermesweb-database" else 0
        return Outcome(each.id, "kept", "ours_noted" if noted else "ours", True, noted, 0, 0, 0)
    if not each.patterns or each.how == "report":
        return _out_of_reach(each, seen)
    return _of_files(each.id, chosen=each.id in seen.choice.stores, needs=_why_kept(each, seen), seen=seen)


def _why_kept(each: Store, seen: Seen) -> str:
    if each.clearing == "keep":
        return "needed"
    if each.where == "outside":
        return "outside"
    return "shared" if each.where == "root" and seen.shared else "choice"


def _of_files(name: str, *, chosen: bool, needs: str, seen: Seen) -> Outcome:
    files_before, bytes_before = seen.record.before.get(name, (0, 0))
    now = seen.now.of(name)
    bytes_after = seen.now.bytes_of(name)
    result, why = _judged(name, chosen, needs, seen)
    return Outcome(
        name, result, why, True, files_before, len(now), bytes_before, bytes_after,
        _names_left(name, now, seen) if result in ("partly", "not_wiped") else (),
        max((part.changed for part in now), default=None),
        _copies(now) if name != UNKNOWN and is_last(name) and result != "wiped" else (),
    )  # fmt: skip


def _names_left(name: str, now: tuple[Lying, ...], seen: Seen) -> tuple[str, ...]:
    links = seen.now.links_to(name, root=seen.root)
    return tuple(dict.fromkeys((*links, *(part.shown for part in now[:20]))))


def _copies(now: tuple[Lying, ...]) -> tuple[Copy, ...]:
    """By snapshot or backup: a file, or a folder of the second level with all in it. The newest first."""
    found: dict[str, Copy] = {}
    for part in now:
        name = "/".join(part.name.split("/")[:2])
        known = found.get(name, Copy(name, 0, 0.0))
        found[name] = Copy(name, known.bytes + part.bytes, max(known.at, part.changed))
    return tuple(sorted(found.values(), key=lambda copy: -copy.at))[:COPIES_NAMED]


def _judged(name: str, chosen: bool, needs: str, seen: Seen) -> tuple[Result, str]:
    files_before, bytes_before = seen.record.before.get(name, (0, 0))
    now, left = seen.now.of(name), seen.record.left.get(name)
    hidden = _hidden(name, seen)
    if not chosen:
        return ("kept", needs) if now else ("kept", hidden) if hidden else ("absent", "")
    if name not in seen.record.done:
        return ("not_wiped", "interrupted") if now or hidden else ("absent", "")
    touched = len(now) < files_before or seen.now.bytes_of(name) < bytes_before
    why = str(left["why"]) if left else hidden
    if why:
        return ("partly" if touched else "not_wiped"), why
    if any(part.bytes for part in now):
        # A state.db that was emptied by statements stays as a file; one that a chat made anew has rows.
        if name == DATABASE and seen.rows_now is None:
            return "partly", "not_checked"
        if name != DATABASE or any((seen.rows_now or {}).get(table) for table in TELLING):
            return "partly", "appeared"
    if seen.record.other_names.get(name):
        return "partly", "other_names"
    if not files_before and not now:
        return "absent", ""
    return "wiped", "in_place" if now else ""


def _hidden(name: str, seen: Seen) -> str:
    """Why there may be more of the store than was seen, "" if there is not."""
    if seen.now.links_to(name, root=seen.root):
        return "link"
    return "closed" if seen.now.may_be_closed(name) else ""


def _of_table(each: Store, database: Outcome, seen: Seen) -> Outcome:
    table = each.table or ""
    rows = seen.record.rows.get(table, 0)
    if not rows:
        return _plain(each.id, "absent", "")
    result, why = database.outcome, database.why
    if database.outcome != "wiped":
        if each.clearing == "keep":
            result, why = "kept", "needed"
    elif (seen.rows_now or {}).get(table) and table != _BOOKKEEPING:
        # It was emptied where it stands: what tells of nobody, or of a Hermes that runs, stays in it.
        result, why = ("kept", "needed") if each.clearing in ("keep", "live") else ("partly", "appeared")
    return replace(_plain(each.id, result, why), rows_before=rows)


def _of_settings(each: Store, seen: Seen) -> Outcome:
    before, after = seen.settings.get(each.id, (0, 0))
    result, why = _judged_settings(each, before, after, seen)
    return Outcome(each.id, result, why, True, int(bool(before)), int(bool(after)), before or 0, after or 0)


def _judged_settings(each: Store, before: int | None, after: int | None, seen: Seen) -> tuple[Result, str]:
    left, chosen = seen.record.left.get(each.id), each.id in seen.choice.stores
    if before is None or after is None:
        return ("not_wiped" if chosen else "kept"), "broken"
    if not before and not after:
        return "absent", ""
    if not chosen:
        return "kept", "choice"
    if after:
        return "not_wiped", str(left["why"]) if left else "appeared"
    return "wiped", ""


def _of_copies(each: Store, seen: Seen) -> Outcome:
    before, after = seen.copies
    chosen = each.id in seen.choice.stores
    if not before and not after:
        return _plain(each.id, "absent", "")
    if not chosen:
        return Outcome(each.id, "kept", "choice", True, before, after, 0, 0)
    if after:
        return Outcome(each.id, "not_wiped", "busy", True, before, after, 0, 0)
    return Outcome(each.id, "wiped", "", True, before, after, 0, 0)


def _out_of_reach(each: Store, seen: Seen) -> Outcome:
    found = seen.now.of(each.id)
    if each.id == "os-level":
        return _plain(each.id, "out_of_reach", "os_level")
    names = tuple(part.shown for part in found[:20])
    if not found and not any(pattern.startswith(("~/", "<tmp>/")) for pattern in each.patterns):
        # Where the agent worked without noting it, or others did for it, nobody knows.
        return _plain(each.id, "out_of_reach", "not_at_work" if seen.now.work else "not_looked")
    result: Result = "out_of_reach" if found or not each.patterns else "absent"
    return Outcome(each.id, result, "report", True, len(found), len(found), 0, 0, names)


def _plain(name: str, result: Result, why: str) -> Outcome:
    return Outcome(name, result, why, result != "out_of_reach", 0, 0, 0, 0)


def sums(found: list[Outcome]) -> dict[Result, int]:
    """How many stores had each outcome; a table of state.db is a part of one, as where it is ticked."""
    whole = [each for each in found if each.id not in TABLES]
    return {result: sum(each.outcome == result for each in whole) for result in get_args(Result)}
