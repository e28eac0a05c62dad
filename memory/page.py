"""What the memory page shows: both files, where their entries already are, and what a form was sent with."""

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.utils.safestring import SafeString

from hermesweb.hermes.config import Config
from hermesweb.hermes.errors import HermesError, Unreadable
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.release import Release
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.look import look_at_memory, schema_version_of
from hermesweb.record import record_html
from hermesweb.sentences import unreadable_sentence
from hermesweb.worddiff import Compared, compare
from hermesweb.writable import may_write
from memory import tidy
from memory.editing import MemoryFile
from memory.entries import FILE_NAMES, SIZE_LIMIT, Store
from memory.form_data import is_known, known_text, seen_text
from memory.history import History, look_into_history
from memory.limits import Target
from memory.operations import Removed
from memory.presentation import StoreView, store_view
from memory.prompt import prompt_block
from memory.refusals import SeparatorInside, Stale
from memory.seen import Seen, fingerprint
from memory.sentences import refusal_sentence
from memory.side_files import SideFile, list_side_files
from memory.switches import provider, write_approval

PROMPT_SHOWN = 50_000  # characters; the limit of a store is some two thousand


@dataclass(frozen=True)
class Files:
    """The two memory files of a profile under its configuration and the rules of its release."""

    profile: Profile
    config: Config
    release: Release
    stores: tuple[Store, Store]

    def file(self, target: Target) -> MemoryFile:
        return MemoryFile(self.profile, target, self.config, self.release.rules)

    def store(self, target: Target) -> Store:
        return next(store for store in self.stores if store.target == target)


def files_of(profile: Profile) -> Files:
    copy = copy_of(settings.WORK_FOLDER, profile)
    config, release, stores = look_at_memory(profile, schema_version_of(profile, copy))
    return Files(profile, config, release, stores)


@dataclass(frozen=True)
class Draft:
    """What a form was sent with and could not be done: shown again, nothing of it lost."""

    target: Target
    text: str
    problem: HermesError
    seen: Seen | None = None  # None: a new entry
    opened: str = ""
    known: str = ""

    @property
    def position(self) -> int | None:
        return self.seen.position if self.seen else None

    @property
    def number(self) -> int | str:
        return self.seen.position + 1 if self.seen else ""

    @property
    def seen_text(self) -> str:
        """What the form about the entry is sent with again: never what stands there since."""
        return seen_text(self.seen) if self.seen else ""

    @property
    def sentence(self) -> str:
        return refusal_sentence(self.problem)

    @property
    def split(self) -> tuple[str, ...]:
        """What to save as entries of their own instead; only a new entry is offered that way."""
        wanted = isinstance(self.problem, SeparatorInside) and self.position is None
        return self.problem.would_be_entries if wanted and isinstance(self.problem, SeparatorInside) else ()

    @property
    def stale(self) -> "ThreeWays | None":
        return three_ways(self.problem, self) if isinstance(self.problem, Stale) else None


@dataclass(frozen=True)
class ThreeWays:
    """What was opened, what stands there now, what was written; the last two against the first. `here`: the
    text that stands there now, None when the entry is gone; `place`, `seen` and `known` are about that one."""

    opened: SafeString
    now: SafeString | None
    wrote: SafeString
    here: str | None
    place: str
    seen: str
    known: str


def three_ways(problem: Stale, draft: Draft) -> ThreeWays:
    position, here = draft.position or 0, problem.here
    if here is not None and is_known(here, draft.known):
        here = None  # not what became of it: another entry that moved up
    now: Compared | None = compare(draft.opened, here) if here is not None else None
    current = Seen(fingerprint(here or ""), position, here in problem.now[:position])
    return ThreeWays(
        opened=record_html(draft.opened),
        now=now.joined if now else None,
        wrote=compare(draft.opened, draft.text).joined,
        here=here,
        place=f"{draft.target}.{position}",
        seen=seen_text(current),
        known=known_text(problem.now),
    )


@dataclass(frozen=True)
class PageState:
    """What is open on the page, and what just happened."""

    editing: tuple[Target, int] | None = None
    adding: Target | None = None
    draft: Draft | None = None
    refused: str = ""
    undo_target: Target | None = None
    undo: tuple[Removed, ...] = ()
    gone_for_good: int = 0  # deleted entries that no undo can bring back


def memory_context(files: Files, state: PageState) -> dict[str, Any]:
    profile = files.profile
    history = look_into_history(files)
    return {
        "stores": [file_view(store, files, history) for store in files.stores],
        "state": state,
        "undo_count": len(state.undo) + state.gone_for_good,
        "undo_name": FILE_NAMES[state.undo_target] if state.undo_target else "",
        "release": files.release,
        "provider": provider(files.config),
        "write_approval": write_approval(files.config),
        "may_write": may_write(profile),
        "history": history,
        **side_files(profile),
    }


@dataclass(frozen=True)
class FileView:
    """One file: its entries, the block it gives, and whether its forms are offered. `with_mark`: what the form
    carries that takes a byte order mark away."""

    view: StoreView
    prompt: SafeString | None
    prompt_more: int
    can_add: bool
    can_change: bool
    can_edit: bool
    can_move: bool
    can_download: bool
    with_mark: str
    other_name: str


def file_view(store: Store, files: Files, history: History) -> FileView:
    block = prompt_block(store) or ""
    writes = may_write(files.profile) and store.problem is None
    changes = writes and not store.refuses_changes
    other = files.store("user" if store.target == "memory" else "memory")
    return FileView(
        view=store_view(store, history=history),
        prompt=record_html(block[:PROMPT_SHOWN]) if block else None,
        prompt_more=max(0, len(block) - PROMPT_SHOWN),
        can_add=writes and store.enabled,
        can_change=changes,
        can_edit=changes and store.enabled,
        can_move=changes and other.enabled and other.problem is None,
        can_download=store.exists and can_download(store.problem),
        with_mark=mark_of(store, files) if writes and store.bom else "",
        other_name=FILE_NAMES[other.target],
    )


def can_download(problem: Unreadable | None) -> bool:
    """Also what cannot be shown: bytes that are no text, and more entries than a page can hold."""
    if problem is None or problem.why == "undecodable":
        return True
    return problem.why == "too_large" and (problem.size or 0) <= SIZE_LIMIT


def mark_of(store: Store, files: Files) -> str:
    """The fingerprint of the file as it is; "" when it is gone or cannot be read since."""
    try:
        return tidy.preview(files.file(store.target), tidy.Wish(tidy.MARK_ONLY)).seen
    except HermesError:
        return ""


def side_files(profile: Profile) -> dict[str, Any]:
    try:
        listed: list[SideFile] = list_side_files(profile)
    except Unreadable as problem:
        return {"side_files": [], "side_problem": unreadable_sentence(problem)}
    return {"side_files": listed, "side_problem": ""}
