"""Looking for sampled words in everything that is left of a profile."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from hermesweb.hermes.homes import DEFAULT, Profile
from hermesweb.hermes.scan.asked import ScanFolder
from hermesweb.hermes.scan.events import Event, Hit, NotChecked, Progress
from hermesweb.hermes.scan.scan import scan
from hermesweb.hermes.stores.catalogue import may_hide, store_of

NAMED: Final = 100  # files of an answer


def look_for(
    profile: Profile, phrases: Sequence[str], *, scratch: Path, step: Callable[[int, int], None]
) -> dict[str, Any]:
    """Which stores still have one of `phrases`: files with counts, never the words.

    `step` is told the files and bytes done and may raise to end it. Without phrases nothing is looked for, and
    that is said: "phrases" is 0 then.
    """
    if not phrases:
        return {"phrases": 0, "complete": False, "found": [], "not_checked": []}
    root = profile.name == DEFAULT
    found: Counter[str] = Counter()
    hit: dict[str, set[int]] = {}
    missed: list[dict[str, str]] = []
    folder = ScanFolder(str(profile.folder), "", ("profiles",) if root else ())
    for event in _events(folder, phrases, scratch):
        match event:
            case Hit():
                found[event.file] += event.count
                hit.setdefault(event.file, set()).add(event.phrase)
            case NotChecked() if may_hide(event.file, event.why, root=root):
                missed.append({"file": event.file, "why": event.why})
            case Progress():
                step(event.files, event.bytes)
    return {
        "phrases": len(phrases),
        "complete": not missed,
        "found": [
            {"file": file, "store": _store_of(file, root), "count": count, "phrases": len(hit[file])}
            for file, count in sorted(found.items())[:NAMED]
        ],
        "not_checked": missed[:NAMED],
    }


def _events(folder: ScanFolder, phrases: Sequence[str], scratch: Path) -> Iterator[Event]:
    """What the scan finds; if its processes cannot be begun, that: what was cleared has to be reported anyway."""
    try:
        yield from scan((folder,), tuple(phrases), scratch=scratch)
    except OSError:
        yield NotChecked(".", "died")


def _store_of(file: str, root: bool) -> str:
    found = store_of(file.partition("!")[0], root=root)
    return found.id if found else "unknown"
