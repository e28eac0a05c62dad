"""Which files of a profile are a session's own, by their names alone.

An id is neither a path nor a pattern: what is no single part of a path has no file of its own name, and the
file of `s10` never counts as one of `s1`. Names: run_agent.py and gateway/session.py (sessions/),
agent/agent_runtime_helpers.py (request dumps), tools/hook_output_spill.py, tui_gateway/server.py (spawn-trees),
agent/moa_trace.py.
"""

import hashlib
import re
from typing import Final

LONGEST: Final = 240  # bytes of an id that a file can be named after
INDEX: Final = "sessions.json"  # of all chats, whatever a session is called
# Names that another session's file has too.
_TAKEN = ("session_", "request_dump_")
_TIME = re.compile(r"\d{8}_\d{6}(_\d{6})?")
_NUMBER = re.compile(r"\d{1,13}")
_TIME_AT_END = re.compile(r"_\d{8}_\d{6}$")


def is_one_part(id: str) -> bool:
    """Whether a file or folder can be called just so."""
    try:
        raw = id.encode()
    except UnicodeEncodeError:
        return False
    return id not in ("", ".", "..") and not {"/", "\\", "\0"} & set(id) and len(raw) <= LONGEST


def is_kept_as_it_is(id: str) -> bool:
    """Whether every part of Hermes names folders after the id unchanged, so that they are of no other's."""
    return is_one_part(id) and all(letter.isalnum() or letter in "-_" for letter in id)


def altered(id: str) -> str:
    """What some part of Hermes may have made of an id: perhaps of several ids the same."""
    return "".join(letter if letter.isalnum() or letter in "-_" else "_" for letter in id)[:LONGEST]


def transcript_names(id: str) -> list[str]:
    """Names in sessions/ that are certainly this session's."""
    if not is_one_part(id):
        return []
    names = [f"session_{id}.json"]
    if not id.startswith(_TAKEN):
        names += [f"{id}.json", f"{id}.jsonl"]
    return [name for name in names if name != INDEX]


def doubtful_names(id: str) -> list[str]:
    """Names in sessions/ that may as well be another's."""
    return [f"{id}.json", f"{id}.jsonl"] if is_one_part(id) and id.startswith(_TAKEN) else []


def dump_owners(name: str) -> list[str]:
    """Whom a request dump may be of, as `dump_id` writes it: what stands before a time or a number."""
    if not (name.startswith(_TAKEN[1]) and name.endswith(".json")):
        return []
    middle = name.removeprefix(_TAKEN[1]).removesuffix(".json")
    parts = [(middle[:end], middle[end + 1 :]) for end, letter in enumerate(middle) if letter == "_" and end]
    return [id for id, rest in parts if _TIME.fullmatch(rest) or (_NUMBER.fullmatch(rest) and not _timed(id))]


def _timed(id: str) -> bool:
    """Whether a number after it may be the end of the time that it seems to end with."""
    return _TIME_AT_END.search(id) is not None


def dump_id(id: str) -> str:
    """What Hermes 0.22 puts for an id in the name of a request dump: with a hash if it had to change it."""
    raw = id.strip()
    plain = re.sub(r"[^\w-]", "_", raw).strip("._")[:96] or "session"
    if plain == raw:
        return plain
    return f"{plain}_{hashlib.sha256(raw.encode('utf-8', 'surrogatepass')).hexdigest()[:12]}"
