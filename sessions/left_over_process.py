"""The process that reads words out of the free pages and the gaps of a state.db, to look for them again later.

Started by left_over_samples.py as `python -m sessions.left_over_process`. It reads the file as plain bytes, so it
must never have a connection to it: closing the file would drop the locks of that. The first line on stdin is a JSON
object with the arguments; one JSON string a line on stdout for each phrase. The end of stdin ends it.
"""

import json
import os
import re
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

from hermesweb.hermes.scan.asked import read_line
from hermesweb.hermes.scan.pages import Pages
from sessions.samples import phrases_of, spread

PAGES = 2_000  # of each kind that are looked at, spread over the file
TEXT = re.compile(rb"[\x20-\x7e\xc2-\xf4\x80-\xbf]{12,4000}")
DIGEST = re.compile(r"[0-9a-fA-F-]+")
FREE, GAPS = "free_page", "slack"


def main() -> None:
    asked = json.loads(read_line())
    for phrase in phrases(Path(asked["path"]), asked["most"], asked["seconds"]):
        print(json.dumps(phrase), flush=True)


def phrases(path: Path, most: int, seconds: float) -> Iterator[str]:
    """Up to `most` different phrases, at most two out of one page, found within `seconds`. Raises OSError."""
    until, found = time.monotonic() + seconds, dict[str, None]()
    for texts in _pages(path):
        new = [each for each in dict.fromkeys(_phrases(texts)) if each not in found][:2]
        found.update(dict.fromkeys(new))
        yield from new
        if len(found) >= most or time.monotonic() > until:
            return


def _phrases(texts: Iterable[bytes]) -> Iterator[str]:
    """Without the words at both ends, which may be cut, or one with a column beside them; and no digests."""
    for text in texts:
        inner = text.decode("utf-8", "ignore").partition(" ")[2].rpartition(" ")[0]
        yield from (each for each in phrases_of(inner) if not DIGEST.fullmatch(each))


def _pages(path: Path) -> Iterator[list[bytes]]:
    """The texts that nothing in the database has any more, page by page: free pages first."""
    handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        size = os.fstat(handle).st_size
        pages = Pages(lambda offset, wanted: os.pread(handle, wanted, offset), size)
        if not pages.is_database:
            return
        numbers = range(1, size // pages.size + 1)
        free = [number for number in numbers if pages.is_free(number)]
        in_use = [number for number in numbers if not pages.is_free(number)]
        for number in (*spread(free, PAGES), *spread(in_use, PAGES)):
            start = (number - 1) * pages.size
            found = TEXT.finditer(os.pread(handle, pages.size, start))
            texts = [match[0] for match in found if pages.place_of(start + match.start()).how in (FREE, GAPS)]
            if texts:
                yield texts
    finally:
        os.close(handle)


if __name__ == "__main__":
    main()
