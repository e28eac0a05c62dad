"""Where deleted words are left over in state.db, and how much, before and after they were removed."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _
from django.utils.translation import ngettext


@dataclass(frozen=True)
class PlaceView:
    """`before` and `after` in words; `after` is "" where nobody has looked yet. `clean`: nothing is there now."""

    name: str
    holds: str
    before: str
    after: str
    clean: bool


def places(before: Mapping[str, Any] | None, after: Mapping[str, Any] | None = None) -> Iterator[PlaceView]:
    """For one look at a state.db as a Residue has it, or two."""
    rows: tuple[tuple[str, str, Callable[[Mapping[str, Any]], int], Callable[[int], str]], ...] = (
        (
            _("Free pages"),
            _("Parts of the file that nothing uses any more, with what was written there."),
            _free_pages,
            _pages,
        ),
        (
            _("Search index, not merged"),
            _("Parts in which words of deleted messages stand until they are merged."),
            _unmerged,
            _parts,
        ),
        (
            _("Search index, entries left over"),
            _("Of messages that are not there any more."),
            _left_over,
            _entries,
        ),
        (
            _("Write-ahead log"),
            _("What was written last, and what it replaced."),
            _log_bytes,
            filesizeformat,
        ),
    )
    for name, holds, measure, words in rows:
        first, last = (None if look is None else measure(look) for look in (before, after))
        now = first if after is None else last
        yield PlaceView(
            name,
            holds,
            _("not looked at") if first is None else words(first),
            "" if after is None or last is None else words(last),
            now == 0,
        )


def _free_pages(look: Mapping[str, Any]) -> int:
    return int(look["freelist_pages"])


def _unmerged(look: Mapping[str, Any]) -> int:
    return sum(max(0, int(count) - 1) for count in look["segments"].values())


def _left_over(look: Mapping[str, Any]) -> int:
    return sum(map(int, look["left_over"].values())) + len(look["being_migrated"])


def _log_bytes(look: Mapping[str, Any]) -> int:
    return int(look["wal_bytes"]) + int(look["journal_bytes"])


def _pages(count: int) -> str:
    return ngettext("%(n)d page", "%(n)d pages", count) % {"n": count}


def _parts(count: int) -> str:
    return ngettext("%(n)d part", "%(n)d parts", count) % {"n": count}


def _entries(count: int) -> str:
    return ngettext("%(n)d entry", "%(n)d entries", count) % {"n": count}
