"""The text around a hit, read again when somebody wants to see it: a scan itself keeps none."""

import json
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.scan.asked import ScanFolder
from hermesweb.hermes.scan.children import Stopped, raw_lines
from hermesweb.hermes.scan.events import Hit

SECONDS = 30.0


@dataclass(eq=False)
class NoExcerpt(HermesError):
    """There is no text to show. `why`: "gone" (the file or member is not there, or what it holds has changed)
    "no_bytes" (the hit is a name or came through SQL) "died" "stopped"."""

    why: str


@dataclass(frozen=True)
class Excerpt:
    """Printable text: what was found (`match`), and what stands before and after it in the file."""

    before: str
    match: str
    after: str


def excerpt_of(
    folder: ScanFolder,
    hit: Hit,
    phrase: str,
    *,
    characters: int = 200,
    scratch: Path | None = None,
    stop: Callable[[], bool] = lambda: False,
) -> Excerpt:
    """What stands around the first of the places of `hit`, which came from a scan of `folder` for `phrase`, at
    most so many characters before and after. Read by another process. Raises NoExcerpt."""
    if hit.offset is None or not hit.file.startswith(folder.label):
        raise NoExcerpt("no_bytes")
    asked = json.dumps(
        {"folder": asdict(folder), "hit": asdict(hit), "phrase": phrase, "characters": characters}
    )
    with tempfile.TemporaryDirectory(prefix="hermesweb-scan-", dir=scratch) as private:
        try:
            for line in raw_lines("excerpt_process", asked, scratch=Path(private), stop=stop):
                answer = json.loads(line)
                if "why" in answer:
                    raise NoExcerpt(answer["why"])
                return Excerpt(**answer)
        except Stopped:
            raise NoExcerpt("stopped") from None
    raise NoExcerpt("died")
