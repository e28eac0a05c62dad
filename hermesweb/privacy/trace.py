"""Looks for a phrase in every store of chosen profiles, and says what could not be looked into."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.scan.events import Hit, NotChecked, Progress
from hermesweb.hermes.scan.scan import scan
from hermesweb.privacy.trace_places import UNKNOWN, Part, Places, Reach

Step = Callable[[int, int], object]

MEMBER: Final = "member"  # `where` for the name of a member of an archive
LEFT_BEHIND: Final = frozenset(("index_left_over", "free_page", "slack", "wal"))
_NAMED: Final = 20  # of the rows and sessions of one place


@dataclass(frozen=True)
class Found:
    """A phrase in a file, in one way. `file` is relative to the root of the home, outside of it `~/…`, `<tmp>/…`,
    `<data>/…`; `where`, `how`, `offset` and `place` as in Hit; `count`: how often."""

    profile: str
    store: str
    file: str
    where: str
    how: str
    count: int
    offset: int | None = None
    place: Mapping[str, Any] = field(default_factory=dict)

    @property
    def can_be_scrubbed(self) -> bool:
        """Whether it stands where state.db keeps what was deleted."""
        return self.store == "state-db" and self.how in LEFT_BEHIND

    def plain(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def hit(self) -> Hit:
        """As the scanner said it."""
        return Hit(self.file, self.where, self.how, self.count, self.offset, self.place)


@dataclass(frozen=True)
class Trace:
    """`found`: by file, place and way. `files`, `bytes`: that were looked at. `links`: that lead away from within
    the folder of a store; their name and where they lead to were looked at, not what is there, which is none of
    Hermes' stores. A link in the place of a store itself was not checked."""

    found: tuple[Found, ...]
    not_checked: tuple[NotChecked, ...]
    files: int
    bytes: int
    links: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether everything could be looked into."""
        return not self.not_checked

    @property
    def exit_code(self) -> int:
        """0 found, 1 looked everywhere and found nothing, 2 found nothing but could not look everywhere."""
        return 0 if self.found else 1 if self.complete else 2


def trace(
    profiles: Sequence[Profile],
    phrase: str,
    *,
    reach: Reach | None = None,
    scratch: Path | None = None,
    step: Step = lambda files, read: None,
    hide_others: bool = False,
) -> Trace:
    """Every place where `profiles`, of one home, have the phrase; with the default profile also what all share.

    `reach`: where to look outside the home. `scratch`: a private folder of ours for what is unpacked. `step` is told
    the files and bytes so far, several times a second; what it raises ends everything at once. `hide_others`: what
    a backup of the whole home has of profiles that were not chosen is left out. Raises BadPhrase.
    """
    return trace_several(
        profiles, (phrase,), reach=reach, scratch=scratch, step=step, hide_others=hide_others
    )[0]


def trace_several(
    profiles: Sequence[Profile],
    phrases: Sequence[str],
    *,
    reach: Reach | None = None,
    scratch: Path | None = None,
    step: Step = lambda files, read: None,
    hide_others: bool = False,
) -> list[Trace]:
    """The same for several phrases, each file being read once."""
    looking = _Looking(Places(profiles, reach or Reach()), phrases, scratch, step, hide_others)
    return looking.look()


@dataclass
class _Looking:
    places: Places
    phrases: Sequence[str]
    scratch: Path | None
    step: Step
    hide_others: bool
    found: dict[tuple[int, str, str, str], Found] = field(default_factory=dict)
    missed: dict[NotChecked, None] = field(default_factory=dict)
    links: dict[str, None] = field(default_factory=dict)
    files: int = 0
    bytes: int = 0

    def look(self) -> list[Trace]:
        for part in self.places.parts():
            if isinstance(part, NotChecked):
                self._miss(part)
            else:
                self._scan(part)
        return [self._trace(number) for number in range(len(self.phrases))]

    def _scan(self, part: Part) -> None:
        files, read = self.files, self.bytes
        events = scan(
            (part.folder,), self.phrases, stop=self._tick, scratch=self.scratch, files=part.files
        )  # fmt: skip
        for event in events:
            match event:
                case Hit():
                    self._hit(event, part)
                case NotChecked():
                    self._miss(event)
                case Progress():
                    # The second process counts the databases once more.
                    self.files = max(self.files, files + event.files)
                    self.bytes = max(self.bytes, read + event.bytes)

    def _tick(self) -> bool:
        self.step(self.files, self.bytes)
        return False

    def _miss(self, event: NotChecked) -> None:
        if self.hide_others and self.places.is_of_others(event.file):
            return
        if self.places.may_hide(event):
            self.missed[event] = None
        else:
            self.links[event.file] = None

    def _hit(self, hit: Hit, part: Part) -> None:
        if self.hide_others and self.places.is_of_others(hit.file):
            return
        self._add(hit, part)
        if hit.how == "file_name" and "!" in hit.file:
            # The archive has the names of its members in its own bytes.
            archive = hit.file.rpartition("!")[0]
            self._add(Hit(archive, MEMBER, hit.how, hit.count, phrase=hit.phrase), part)

    def _add(self, hit: Hit, part: Part) -> None:
        key = (hit.phrase, hit.file, hit.where, hit.how)
        before = self.found.get(key)
        if before is None:
            whose = self._whose(hit.file, part)
            self.found[key] = Found(
                *whose, hit.file, hit.where, hit.how, hit.count, hit.offset, hit.place
            )  # fmt: skip
        else:
            self.found[key] = Found(
                before.profile, before.store, before.file, before.where, before.how,
                before.count + hit.count, before.offset, _together(before.place, hit.place),
            )  # fmt: skip

    def _whose(self, file: str, part: Part) -> tuple[str, str]:
        if part.stores is None:
            return self.places.store_of(file)
        fitting = [name for name in part.stores if file == name or file.startswith(f"{name}!")]
        return part.stores[max(fitting, key=len)] if fitting else (self.places.profiles[0].name, UNKNOWN)

    def _trace(self, number: int) -> Trace:
        found = sorted(
            (each for key, each in self.found.items() if key[0] == number),
            key=lambda each: (each.file, each.where, each.how),
        )
        return Trace(tuple(found), tuple(self.missed), self.files, self.bytes, tuple(self.links))


def _together(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """Numbers of rows are added, lists of rows and sessions joined up to a limit; the first page stays."""
    both = dict(one)
    for name, value in other.items():
        if isinstance(value, list):
            both[name] = list(dict.fromkeys([*both.get(name, []), *value]))[:_NAMED]
        elif name in ("live", "undone", "compacted"):
            both[name] = both.get(name, 0) + value
        else:
            both.setdefault(name, value)
    return both
