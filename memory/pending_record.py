"""One write that waits for approval: a JSON file which Hermes may have written, or anybody else.

The rules are those of `list_pending` and `get_pending` in Hermes' `tools/write_approval.py`.
"""

import hashlib
import json
import math
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from hermesweb.hermes.errors import Unreadable
from memory.switches import Subsystem

SUFFIX: Final = ".json"

Problem = Literal[
    "unreadable",  # see the field of that name
    "not_json",
    "not_an_object",
    "missing_payload",
    "unpaired_surrogates",  # half a character: Hermes cannot write it to a file, pages cannot show it
    "not_read",  # there is too much in the folder
]
Note = Literal[
    "odd_name",  # not eight hex digits; Hermes lists every .json
    "inner_id_differs",  # Hermes shows the id inside, but approves by the name of the file
    "other_subsystem",
    "bad_time",  # no number: with a second record beside it, Hermes' own list ends in an error
    "byte_order_mark",  # 0.19 does not list the record
]

_HERMES_ID = re.compile(r"[0-9a-f]{8}")
_MAYBE_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")
_SURROGATE = re.compile("[\ud800-\udfff]")


@dataclass(frozen=True)
class PendingRecord:
    """`id` is the name of the file without its ending, `subsystem` the folder it is in: they decide, whatever
    the record says of itself. `created_at`: UTC epoch seconds, None if it holds no number.

    With a `problem` the record cannot be approved, only rejected, and `payload` is empty, or for
    "unpaired_surrogates" fit to be shown only. `notes` hinder nothing. `fingerprint`: 64 hex digits that stand
    for the bytes of the file, or for why there are none.
    """

    id: str
    subsystem: Subsystem
    path: Path
    problem: Problem | None = None
    unreadable: Unreadable | None = None
    notes: tuple[Note, ...] = ()
    inner_id: str = ""
    action: str = ""
    summary: str = ""
    origin: str = ""
    created_at: float | None = None
    payload: Mapping[str, object] = field(default_factory=lambda: MappingProxyType({}))
    fingerprint: str = ""


def record_id(file_name: str) -> str:
    """The id a file name stands for; bytes that are no UTF-8 are spelled out, so that it can be shown."""
    stem = os.fsencode(file_name.removesuffix(SUFFIX))
    return stem.decode("utf-8", "backslashreplace")


def parse_record(path: Path, subsystem: Subsystem, content: bytes) -> PendingRecord:
    """The record in the bytes of a file. Raises nothing: what is wrong becomes a problem or a note."""
    return replace(_parsed(path, subsystem, content), fingerprint=hashlib.sha256(content).hexdigest())


def broken_record(
    path: Path, subsystem: Subsystem, problem: Problem, unreadable: Unreadable | None = None
) -> PendingRecord:
    """A record of which no more is known than that its file is there."""
    identity = record_id(path.name)
    notes: tuple[Note, ...] = () if _HERMES_ID.fullmatch(identity) else ("odd_name",)
    why = f"{problem} {unreadable.why if unreadable else ''}"
    fingerprint = hashlib.sha256(why.encode()).hexdigest()
    return PendingRecord(identity, subsystem, path, problem, unreadable, notes, fingerprint=fingerprint)


def _parsed(path: Path, subsystem: Subsystem, content: bytes) -> PendingRecord:
    identity = record_id(path.name)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return broken_record(path, subsystem, "unreadable", _undecodable(path, content))
    try:
        values = json.loads(text)
        shown = _without_surrogates(content, values)
    except (ValueError, RecursionError):
        return broken_record(path, subsystem, "not_json")
    if not isinstance(shown, dict):
        return broken_record(path, subsystem, "not_an_object")
    payload = shown.get("payload")
    return PendingRecord(
        id=identity,
        subsystem=subsystem,
        path=path,
        problem=_problem(values is not shown, payload),
        notes=_notes(identity, subsystem, content, shown),
        inner_id=_text(shown, "id"),
        action=_text(shown, "action"),
        summary=_text(shown, "summary"),
        origin=_text(shown, "origin"),
        created_at=_time(shown.get("created_at")),
        payload=MappingProxyType(payload if isinstance(payload, dict) else {}),
    )


def _undecodable(path: Path, content: bytes) -> Unreadable:
    try:
        content.decode("utf-8")  # the other codec does not count the byte order mark
    except UnicodeDecodeError as error:
        return Unreadable(path, "undecodable", offset=error.start)
    return Unreadable(path, "undecodable")


def _without_surrogates(content: bytes, values: object) -> object:
    """The values themselves, or a copy that can be encoded when a string holds half a character."""
    if not _MAYBE_SURROGATE.search(content):
        return values
    text = json.dumps(values, ensure_ascii=False)
    return json.loads(_SURROGATE.sub("\ufffd", text)) if _SURROGATE.search(text) else values


def _problem(has_surrogates: bool, payload: object) -> Problem | None:
    if not isinstance(payload, dict):
        return "missing_payload"
    return "unpaired_surrogates" if has_surrogates else None


def _notes(
    identity: str, subsystem: Subsystem, content: bytes, values: Mapping[str, object]
) -> tuple[Note, ...]:
    remarks: dict[Note, bool] = {
        "odd_name": not _HERMES_ID.fullmatch(identity),
        "inner_id_differs": values.get("id") != identity,
        "other_subsystem": values.get("subsystem", subsystem) != subsystem,
        # Hermes takes an absent time for 0 and sorts by it.
        "bad_time": not isinstance(values.get("created_at", 0), int | float),
        "byte_order_mark": content.startswith(b"\xef\xbb\xbf"),
    }
    return tuple(note for note, holds in remarks.items() if holds)


def _text(values: Mapping[str, object], key: str) -> str:
    value = values.get(key)
    return value if isinstance(value, str) else ""


def _time(value: object) -> float | None:
    try:
        seconds = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    except OverflowError:
        return None
    return seconds if math.isfinite(seconds) else None
