"""sessions/sessions.json: which session each chat of the gateway is in, with the names of people and chats.

At its start the gateway takes entries of this file over into the table gateway_routing (gateway/session.py),
so one that names a deleted session would come back from here. While it runs it writes the file anew from memory.
"""

import json
from collections.abc import Collection
from typing import Any, Final

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import read_file
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.writing import replace_file

INDEX: Final = "sessions/sessions.json"
LIMIT: Final = 50_000_000  # bytes


def chats_of(profile: Profile, ids: Collection[str]) -> int:
    """How many of its entries name one of these sessions; 0 when it is not there or is no such file.

    Raises Unreadable for what may name some but cannot be looked into.
    """
    return sum(_names(entry, ids) for entry in _entries(profile).values())


def forget_chats(profile: Profile, ids: Collection[str]) -> int:
    """Take those entries out, which is for when no gateway runs; how many there were.

    Everything else in the file stays as it is. Raises Unreadable, NotWritten.
    """
    entries = _entries(profile)
    kept = {key: entry for key, entry in entries.items() if not _names(entry, ids)}
    if len(kept) < len(entries):
        content = json.dumps(kept, indent=2, ensure_ascii=True).encode()
        replace_file(profile.folder / INDEX, content, root=profile.home.root)
    return len(entries) - len(kept)


def _entries(profile: Profile) -> dict[str, Any]:
    try:
        value = json.loads(read_file(profile.folder / INDEX, root=profile.home.root, limit=LIMIT))
    except Unreadable as unreadable:
        if unreadable.why == "missing":
            return {}
        raise
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def _names(entry: object, ids: Collection[str]) -> bool:
    named = entry.get("session_id") if isinstance(entry, dict) else None
    return isinstance(named, str) and named in ids
