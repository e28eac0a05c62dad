"""Folders to scan, and what a scan of them says."""

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from hermesweb.hermes.scan import finders, linear, sql_scan
from hermesweb.hermes.scan.asked import Asked, Limits, ScanFolder
from hermesweb.hermes.scan.events import Database, Event, Hit, NotChecked
from hermesweb.hermes.scan.looking import Looking
from hermesweb.hermes.scan.needles import needles_of


@dataclass
class Looked:
    """What the half that looks at bytes said of a folder."""

    hits: list[Hit] = field(default_factory=list)
    missed: list[NotChecked] = field(default_factory=list)
    databases: list[str] = field(default_factory=list)

    def tell(self, event: Event | Database) -> None:
        if isinstance(event, Hit):
            self.hits.append(event)
        elif isinstance(event, NotChecked):
            self.missed.append(event)
        elif isinstance(event, Database):
            self.databases.append(event.file)

    @property
    def found(self) -> dict[str, Counter[str]]:
        """How often in which way, by file."""
        found: dict[str, Counter[str]] = {}
        for hit in self.hits:
            found.setdefault(hit.file, Counter())[hit.how] += hit.count
        return found

    @property
    def why(self) -> dict[str, str]:
        """Why a file was not looked into."""
        return {missed.file: missed.why for missed in self.missed}


def look_at(
    folder: Path, *phrases: str, limits: Limits | None = None, files: Sequence[str] | None = None
) -> Looked:
    """In this process, without SQL."""
    looked = Looked()
    asked = Asked(
        (ScanFolder(str(folder)),), phrases, None if files is None else tuple(files), limits or Limits()
    )
    Looking(asked, [needles_of(phrase) for phrase in phrases], looked.tell).look()
    return looked


@contextmanager
def without_re2() -> Iterator[None]:
    """As on a machine for which RE2 is not made; in this process."""
    made = (finders.finder_of, linear.linear, sql_scan.sought_of)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(linear, "_re2", None)
        for each in made:
            each.cache_clear()
        yield
    for each in made:
        each.cache_clear()
