"""Builds the home of the demo. It carries a mark, and nothing without that mark is ever replaced."""

import random
import shutil
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from hermesweb.demo import families, household, messenger, small_talk, workshop
from hermesweb.demo.folder import Folder
from hermesweb.demo.proposals import write_proposals
from hermesweb.demo.remembered import HOUSEHOLD, WORKSHOP, Note
from hermesweb.demo.state import StateWriter, in_order, open_new
from hermesweb.demo.stores import (
    write_memory,
    write_memory_copies,
    write_schedule,
    write_settings,
    write_skills,
)
from hermesweb.demo.talk import Talk
from hermesweb.demo.traces import (
    write_chat_traces,
    write_leftovers,
    write_logs,
    write_report,
    write_request_dump,
    write_snapshot,
    write_transcript,
)
from hermesweb.hermes.errors import HermesError

MARK: Final = "THIS-IS-A-DEMO.txt"
"""The file whose presence says that a home may be thrown away."""
NAMED_PROFILE: Final = "workshop"

_MARK_TEXT: Final = """This Hermes home is a demo. Every person, place, number and key in it is made up.

hermesweb built it and builds it anew at the next `make demo`: do not keep anything here.
"""
_SNAPSHOT_DAYS_AGO: Final = 30.0


# Not frozen: Python itself sets the traceback on an exception that is on its way.
@dataclass(eq=False)
class NotADemo(HermesError):
    """There is something at `path` that no demo has marked as its own, so it is left alone."""

    path: Path


def is_demo(folder: Path) -> bool:
    """Whether there is a home of the demo: a folder, reached through no link, that carries the mark."""
    mark = folder / MARK
    return folder.is_dir() and not folder.is_symlink() and mark.is_file() and not mark.is_symlink()


def build_home(folder: Path, *, now: float, seed: int = 1) -> None:
    """Build the demo in `folder`, in place of an older one. `now`: UTC epoch seconds, the time at which all of it
    ends; the same `now` and `seed` give the same home. Raises NotADemo, and OSError if the disk refuses."""
    draft = folder.with_name(f"{folder.name}.new")
    for old in (folder, draft):
        if _is_taken(old) and not is_demo(old):
            raise NotADemo(old)
    _remove(draft)
    _build(draft, now, seed)
    _remove(folder)
    draft.rename(folder)


def _build(root: Path, now: float, seed: int) -> None:
    source = random.Random(seed)  # noqa: S311 - nothing secret comes from it
    # Put together here, so that nothing in the source looks like a key.
    token = "-".join(("sk", "sample", f"{source.getrandbits(128):032x}"))
    home = Folder(root, now)
    home.write(MARK, _MARK_TEXT)
    write_settings(home, provider="", approval=True, token=token)
    write_memory(home, HOUSEHOLD)
    write_memory_copies(home, HOUSEHOLD)
    write_proposals(home)
    write_skills(home)
    talks = [*household.talks(token), *messenger.talks(), *families.talks(), *small_talk.talks(source)]
    _tell_household(home, source, talks)
    _build_workshop(home.profile(NAMED_PROFILE), source, token)


def _tell_household(home: Folder, source: random.Random, talks: Sequence[Talk]) -> None:
    with closing(open_new(home.place("state.db"))) as connection:
        state = StateWriter(connection, home.now, source, HOUSEHOLD)
        ordered = in_order(talks)
        before = [talk for talk in ordered if talk.days_ago > _SNAPSHOT_DAYS_AGO]
        for talk in before:
            state.tell(talk)
        write_snapshot(home, connection, _SNAPSHOT_DAYS_AGO)
        for talk in ordered[len(before) :]:
            state.tell(talk)
        told = state.told
        write_leftovers(state, told["present"], told["deleted"], told["printers"], told["letter"])
        for talk in (talk for talk in ordered if talk.deleted):
            state.forget(talk.key)
    for key in ("allergy", "deleted"):
        write_transcript(home, told[key])
    write_request_dump(home, told["pasted"])
    write_chat_traces(home, told["present"])
    write_report(home, told["printers-task"])
    write_logs(home, list(told.values()))
    weekly = [session for session in told.values() if session.talk.source == "cron"]
    write_schedule(home, [(each.talk.days_ago, each.talk.messages[-1].content or "") for each in weekly])


def _build_workshop(home: Folder, source: random.Random, token: str) -> None:
    notes: Sequence[Note] = WORKSHOP
    write_settings(home, provider="honcho", approval=False, token=token)
    write_memory(home, notes)
    with closing(open_new(home.place("state.db"))) as connection:
        state = StateWriter(connection, home.now, source, notes)
        for talk in in_order(workshop.talks()):
            state.tell(talk)
    write_logs(home, list(state.told.values()))


def _is_taken(path: Path) -> bool:
    return path.exists() or path.is_symlink()


def _remove(folder: Path) -> None:
    if not is_demo(folder):
        return
    # The mark goes last, so that what an interruption leaves can still be told from a person's own files.
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path.name != MARK:
            path.unlink()
    (folder / MARK).unlink()
    folder.rmdir()
