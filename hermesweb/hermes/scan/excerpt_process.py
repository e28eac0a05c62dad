"""The process that reads the text around one hit again. Like bytes_process, without an SQLite connection."""

import json
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from hermesweb.hermes.scan.archives import Content, Item, Unpacking
from hermesweb.hermes.scan.asked import Asked, ScanFolder, read_line
from hermesweb.hermes.scan.events import Hit
from hermesweb.hermes.scan.finders import finder_of
from hermesweb.hermes.scan.git_objects import NotGit, objects
from hermesweb.hermes.scan.needles import Match, Needles, needles_of
from hermesweb.hermes.scan.walking import walk

WIDEST = 8  # bytes that a character can take, escapes not counted
_ESCAPES = re.compile(r"\\+u([0-9a-fA-F]{4})")


class Gone(Exception):
    """It is not there any more."""


def main() -> None:
    """Reads what is asked, prints {"before", "match", "after"} or {"why"}."""
    fact = json.loads(read_line())
    folder = ScanFolder(**{**fact["folder"], "skip": tuple(fact["folder"]["skip"])})
    hit, needles, characters = Hit(**fact["hit"]), needles_of(fact["phrase"]), int(fact["characters"])
    try:
        with reading(folder, hit) as read:
            print(json.dumps(excerpt(read, hit, needles, characters)), flush=True)
    except (Gone, NotGit, OSError):
        print(json.dumps({"why": "gone"}), flush=True)


def excerpt(read: Callable[[int], bytes], hit: Hit, needles: Needles, characters: int) -> dict[str, str]:
    """Raises Gone if the phrase is not where it was."""
    assert hit.offset is not None
    around = characters * WIDEST
    start = max(0, hit.offset - around)
    _skip(read, start)
    window = _read(read, hit.offset - start + needles.reach + around)
    match = _match(needles, window, hit.offset - start)
    text = _decoder(match, window)
    before = text(window[: match.start])[-characters:] if characters else ""
    after = text(window[match.end :])[:characters]
    return {"before": before, "match": text(window[match.start : match.end]), "after": after}


def _match(needles: Needles, window: bytes, place: int) -> Match:
    found = (match for _, match in finder_of((needles,)).matches(window) if match.start == place)
    match = next(found, None)
    if not match:
        raise Gone
    return match


def _decoder(match: Match, window: bytes) -> Callable[[bytes], str]:
    if match.how == "utf16":
        big = window[match.start : match.start + 1] == b"\0"
        return lambda some: _printable(some.decode("utf-16-be" if big else "utf-16-le", "replace"))
    if match.how == "latin1":
        return lambda some: _printable(some.decode("latin-1"))
    return lambda some: _printable(_unescaped(some.decode("utf-8", "replace")))


def _unescaped(text: str) -> str:
    text = _ESCAPES.sub(lambda found: chr(int(found[1], 16)), text)
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() or letter in "\n\t" else "\ufffd" for letter in text)


def _skip(read: Callable[[int], bytes], size: int) -> None:
    while size and (some := read(min(size, 1 << 16))):
        size -= len(some)
    if size:
        raise Gone


def _read(read: Callable[[int], bytes], size: int) -> bytes:
    parts = b""
    while len(parts) < size and (some := read(size - len(parts))):
        parts += some
    return parts


@contextmanager
def reading(folder: ScanFolder, hit: Hit) -> Iterator[Callable[[int], bytes]]:
    """What the hit was found in, from its beginning. Raises Gone, NotGit, OSError."""
    path = hit.file.removeprefix(folder.label)
    if hit.how == "git":
        with _object(folder, path, hit.where) as read:
            yield read
        return
    asked = Asked((folder,), (), (path.split("!")[0],))
    for entry in walk(asked):
        if entry.status and not entry.why and not entry.is_folder:
            with entry.opened() as file:
                items = Unpacking(asked.limits).file(entry.name, file, os.fstat(file.fileno()).st_size)
                # An archive is closed when its iterator is: it has to outlive the reading.
                yield _content(items, hit.file).read
            return
    raise Gone


def _content(items: Iterator[Item], wanted: str) -> Content:
    for item in items:
        if isinstance(item, Content) and item.name == wanted:
            if item.file:
                item.file.seek(0)
            return item
    raise Gone


@contextmanager
def _object(folder: ScanFolder, path: str, identity: str) -> Iterator[Callable[[int], bytes]]:
    store = f"{path.rsplit('/objects/', 1)[0]}/objects"
    flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
    for entry in walk(Asked((folder,), (), (store,))):
        handle = os.open("objects", flags, dir_fd=entry.parent)
        try:
            for each in objects(handle):
                if each.id == identity:
                    yield each.read
                    return
        finally:
            os.close(handle)
    raise Gone


if __name__ == "__main__":
    main()
