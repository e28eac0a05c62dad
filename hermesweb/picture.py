"""The picture of what is stored where: one bar a kind, each step ten times the one before."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from hermesweb.hermes.measure import Size

WIDTH = 120  # units of the SVG; six steps of 20, from 1 KB to 1 GB

KINDS: dict[str, tuple[str | Promise, str | Promise, bool | None]] = {
    # group: name, what is in it, whether a "memory reset" removes it (None: partly, or it holds no memory)
    "memory": (_("Memory files"), "", True),
    "memory_copies": (_("Copies of memory"), _("backups, archive, pending writes"), False),
    "conversations": (_("Conversations"), _("state.db and its WAL"), False),
    "conversation_copies": (_("Copies of conversations"), _("session files, dumps, exports, media"), False),
    "logs_and_caches": (_("Logs and caches"), "", False),
    "snapshots_and_backups": (_("Snapshots and backups"), "", False),
    "skills_and_settings": (_("Skills and settings"), "", False),
    "work": (_("Work"), _("boards, plans, files the agent worked on"), False),
    "contacts": (_("Contacts"), _("pairings, names of chats and people"), False),
    "credentials": (_("Keys and sign-ins"), "", False),
    "program": (_("Hermes itself"), _("the program and its tools"), False),
    "unknown": (_("Unknown files"), _("files that belong to no store we know"), False),
}


@dataclass(frozen=True)
class Row:
    group: str
    name: str
    holds: str
    files: int
    bytes: int
    width: int
    gone_after_reset: bool


def rows_of(groups: Mapping[Any, Size]) -> list[Row]:
    rows = []
    for group, (name, holds, gone) in KINDS.items():
        size = groups.get(group)
        if size and size.files:
            rows.append(
                Row(group, str(name), str(holds), size.files, size.bytes, width_of(size.bytes), bool(gone))
            )
    return rows


def width_of(size: int) -> int:
    """Units for *size* bytes: 1 KB gives the first unit, 1 GB the whole width."""
    if size < 1:
        return 0
    return max(1, min(WIDTH, round(20 * (math.log10(size) - 3))))
