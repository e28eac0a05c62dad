"""What the filters offer and the picture shows, counted once for as long as the sessions are the same.

Each takes a look at every session. A message more changes none of these numbers, unless Hermes notes something
else about a session with it (another model); that is seen within a minute.
"""

import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from zoneinfo import ZoneInfo

from django.utils.timezone import get_current_timezone

from sessions.database import Database
from sessions.errors import StateDamaged
from sessions.listing import Month, models, months, sources
from sessions.listing_catalog import Catalog, catalog
from sessions.listing_filters import Filters

KEPT = 8  # state.db files
SECONDS = 60


@dataclass
class Counts:
    """How many conversations there are of each source and with each model; the months by whether hidden count."""

    found: Catalog
    sources: Mapping[str, int]
    models: Mapping[str, int]
    months: dict[tuple[bool, object], tuple[Month, ...]] = field(default_factory=dict)
    at: float = field(default_factory=time.monotonic)

    def still_true(self, found: Catalog) -> bool:
        if found is self.found:
            return True
        same = found.extent[:3] == self.found.extent[:3] and found.family == self.found.family
        return same and found.hidden == self.found.hidden and time.monotonic() - self.at < SECONDS


_kept: dict[Path, Counts] = {}
_lock = threading.Lock()


def counts_of(db: Database) -> Counts:
    """Raises StateError."""
    found = catalog(db)
    with _lock:
        known = _kept.get(db.path)
    if known is not None and known.still_true(found):
        return known
    known = Counts(found, _counted(db, sources), _counted(db, models))
    with _lock:
        _kept.pop(db.path, None)
        _kept[db.path] = known
        while len(_kept) > KEPT:
            del _kept[next(iter(_kept))]
    return known


def _counted(db: Database, count: Callable[[Database], Mapping[str, int]]) -> Mapping[str, int]:
    """Nothing to choose from where the sessions cannot all be read: a number would be wrong."""
    try:
        return count(db)
    except StateDamaged:
        return {}


def months_of(db: Database, filters: Filters) -> tuple[Month, ...]:
    """The months of the conversations that fit, in the machine's zone. Raises StateError."""
    zone = get_current_timezone()
    if filters.narrow:
        return months(db, filters, zone)
    known, key = counts_of(db), (filters.hidden, str(zone) if isinstance(zone, ZoneInfo) else zone)
    if key not in known.months:
        known.months[key] = months(db, filters, zone)
    return known.months[key]
