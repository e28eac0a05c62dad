"""The half of the scan that looks at bytes: names, files, what is in archives, the objects of git stores."""

import os
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from hermesweb.hermes.scan.archives import Content, Item, Named, Unpacking
from hermesweb.hermes.scan.asked import Asked
from hermesweb.hermes.scan.events import Database, Event, Hit, NotChecked, Progress
from hermesweb.hermes.scan.extracted import Extracted
from hermesweb.hermes.scan.finders import finder_of
from hermesweb.hermes.scan.git_lone_packs import objects_of_pack
from hermesweb.hermes.scan.git_objects import GitObject, NotGit, is_object_store, objects
from hermesweb.hermes.scan.git_packs import file_of, packs_in_use
from hermesweb.hermes.scan.kinds import is_loose
from hermesweb.hermes.scan.left_over import LeftOver
from hermesweb.hermes.scan.needles import Needles
from hermesweb.hermes.scan.page_feed import PageFeed
from hermesweb.hermes.scan.pages import Pages
from hermesweb.hermes.scan.search import Found, search
from hermesweb.hermes.scan.walking import Entry, walk, why_of

TOLD_EVERY = 0.2  # seconds between two reports

Tell = Callable[[Event | Database], None]


@dataclass
class Tally:
    """What was found in one place, each kind once with its count."""

    file: str
    where: str = ""
    hits: dict[tuple[int, str], list[Any]] = field(default_factory=dict)

    def add(self, found: Found, how: str, place: dict[str, Any]) -> None:
        """One more."""
        self.hits.setdefault((found.phrase, how), [0, found.offset, place])[0] += 1

    def events(self) -> list[Hit]:
        """All of them."""
        return [
            Hit(self.file, self.where, how, count, offset, place, phrase)
            for (phrase, how), (count, offset, place) in self.hits.items()
        ]


class Looking:
    """Tells everything it finds, and what it could not look into."""

    def __init__(self, asked: Asked, needles: Sequence[Needles], tell: Tell) -> None:
        self._asked, self._needles, self._tell = asked, needles, tell
        self._files = self._bytes = 0
        self._told = 0.0
        self._names: set[str] = set()
        self._not_checked: set[NotChecked] = set()
        self._inside: set[tuple[str, int]] = set()
        self._stores: list[str] = []
        self._packs: set[str] = set()
        self._at = ""

    def look(self) -> None:
        """At everything that was asked for."""
        for entry in walk(self._asked):
            self._at = entry.name
            self._progress(0)
            self._name(entry.name, entry.link())
            if entry.why:
                self._miss(entry.name, entry.why)
            elif entry.is_folder:
                self._git(entry)
            elif entry.status:
                self._file(entry)
        self._tell(Progress(self._files, self._bytes, ""))

    def _file(self, entry: Entry) -> None:
        self._names.clear()
        self._inside.clear()
        self._not_checked.clear()
        self._files += 1
        extracted = Extracted(self._asked.scratch, self._tell) if self._asked.scratch else None
        unpacking = Unpacking(self._asked.limits, extracted)
        try:
            with entry.opened() as file:
                size = os.fstat(file.fileno()).st_size
                whole = entry.name.startswith(tuple(self._stores)) and is_loose(entry.name)
                for item in () if whole else unpacking.file(entry.name, file, size):
                    self._item(item)
        except FileNotFoundError:
            pass  # removed meanwhile
        except OSError as error:
            self._miss(entry.name, why_of(error))

    def _item(self, item: Item) -> None:
        if isinstance(item, NotChecked):
            self._miss(item.file, item.why)
        elif isinstance(item, Named):
            self._member_name(item.name)
        else:
            self._content(item)

    def _content(self, content: Content) -> None:
        tally = Tally(content.name)
        if content.kind in ("pack", "bundle") and content.name not in self._packs:
            self._pack(content)
        pages = _pages_of(content)
        if content.kind == "sqlite" and "!" not in content.name:
            self._tell(Database(content.name))
        read = self._reading(content.read)
        left_over = LeftOver(self._needles)
        if pages:
            left_over.overflow = pages.overflow
        feed = _feed_of(content, left_over, pages)
        for found in search(feed.reading(read) if feed else read, self._needles):
            how, place = _told(found, content, pages)
            tally.add(found, how, place)
        if feed:
            feed.done()
        for (how, phrase), (count, page) in left_over.found.items():
            place = {"form": "index", **({"page": page} if pages else {})}
            self._tell(Hit(content.name, "", how, count, None, place, phrase))
        for hit in tally.events():
            # The members of an archive that is not compressed are in its own bytes as well.
            if content.kind != "archive" or not any(
                name.startswith(f"{content.name}!") and hit.phrase == phrase for name, phrase in self._inside
            ):
                self._inside.add((content.name, hit.phrase))
                self._tell(hit)

    def _git(self, entry: Entry) -> None:
        if entry.path.rsplit("/", 1)[-1] != "objects":
            return
        try:
            handle = os.open("objects", os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW, dir_fd=entry.parent)
        except OSError:
            return  # the walk says so
        try:
            if is_object_store(handle):
                self._store(entry, handle)
        except NotGit as error:
            self._miss(entry.name, error.why)
        except OSError as error:
            self._miss(entry.name, why_of(error))
        finally:
            os.close(handle)

    def _pack(self, content: Content) -> None:
        try:
            for each in objects_of_pack(content.read, bundle=content.kind == "bundle"):
                self._object(each, lambda _: content.name)
        except NotGit as error:
            self._miss(content.name, error.why)
        except OSError as error:
            self._miss(content.name, why_of(error))
        if content.file:
            content.file.seek(0)

    def _store(self, entry: Entry, handle: int) -> None:
        for each in objects(handle):
            self._object(each, lambda identity: f"{entry.name}/{file_of(identity, handle)}".rstrip("/"))
        self._stores.append(f"{entry.name}/")
        self._packs |= {f"{entry.name}/{pack}" for pack in packs_in_use(handle)}

    def _object(self, each: GitObject, file: Callable[[str], str]) -> None:
        found = [*search(self._reading(each.read), self._needles)]
        if found:
            tally = Tally(file(each.id), each.id)
            for one in found:
                tally.add(one, "git", {"object": each.kind, "form": one.how})
            for hit in tally.events():
                self._tell(hit)

    def _name(self, name: str, link: str | None = None) -> None:
        last = name.rsplit("!", 1)[-1].rstrip("/").rsplit("/", 1)[-1]
        for text, where in ((last, "name"), (link or "", "link")):
            found = finder_of(tuple(self._needles)).matches(text.encode("utf-8", "surrogatepass"))
            for phrase, count in Counter(phrase for phrase, _ in found).items():
                self._inside.add((name, phrase))
                self._tell(Hit(name, where, "file_name", count, None, {}, phrase))

    def _member_name(self, name: str) -> None:
        """Of a member, and of the folders it is in, which need not be members themselves."""
        archive, member = name.rsplit("!", 1)
        parts = member.rstrip("/").split("/")
        for number in range(1, len(parts) + 1):
            path = f"{archive}!{'/'.join(parts[:number])}"
            if path not in self._names:
                self._names.add(path)
                self._name(path)

    def _miss(self, file: str, why: str) -> None:
        missed = NotChecked(file, why)
        if missed not in self._not_checked:
            self._not_checked.add(missed)
            self._tell(missed)

    def _progress(self, more: int) -> None:
        self._bytes += more
        if time.monotonic() - self._told >= TOLD_EVERY:
            self._told = time.monotonic()
            self._tell(Progress(self._files, self._bytes, self._at))

    def _reading(self, read: Callable[[int], bytes]) -> Callable[[int], bytes]:
        def counted(size: int) -> bytes:
            some = read(size)
            self._progress(len(some))
            return some

        return counted


def _pages_of(content: Content) -> Pages | None:
    file = content.file
    if content.kind != "sqlite" or not file:
        return None

    def read_at(offset: int, size: int) -> bytes:
        here = file.tell()
        file.seek(offset)
        some = file.read(size)
        file.seek(here)
        return some

    pages = Pages(read_at, content.size or 0)
    return pages if pages.is_database else None


def _feed_of(content: Content, left_over: LeftOver, pages: Pages | None) -> PageFeed | None:
    if pages:
        return PageFeed(left_over, pages, "")
    if content.kind == "wal" or content.name.endswith("-wal"):
        return PageFeed(left_over, None, "wal")
    journal = content.kind == "sqlite" or content.name.endswith("-journal")
    return PageFeed(left_over, None, "bytes") if journal else None


def _told(found: Found, content: Content, pages: Pages | None) -> tuple[str, dict[str, Any]]:
    """How it was found, and where more exactly."""
    form = {} if found.how == "bytes" else {"form": found.how}
    if content.kind == "wal" or content.name.endswith("-wal"):
        return "wal", form
    if pages:
        place = pages.place_of(found.offset)
        return place.how if place.how != "bytes" else found.how, {"page": place.page, **form}
    return found.how, {}
