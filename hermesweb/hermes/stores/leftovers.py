"""Names that a writer or an editor gives to what it leaves beside a file."""

import re
from collections.abc import Iterator

_RANDOM = "[a-z0-9_]{8}"  # as Python's tempfile makes them
_AFTER = re.compile(
    r"(?P<name>.+?)(?:\.tmp.*|\.bak.*|\.corrupt.*|\.orig|\.old|\.[a-z0-9_]{8}\.tmp|~)", re.DOTALL
)
_HIDDEN = re.compile(rf"\.(?P<name>.+?)\.(?:(?:tmp\.)?{_RANDOM}(?:\.tmp)?|sw[a-p])", re.DOTALL)
_STEM = re.compile(rf"\.(?P<name>.+)_{_RANDOM}\.tmp", re.DOTALL)  # utils.atomic_json_write of Hermes


def original_names(path: str) -> Iterator[str]:
    """The paths that a left-over file at `path` may have been meant for."""
    folder, slash, name = path.rpartition("/")
    for pattern, suffix in ((_AFTER, ""), (_HIDDEN, ""), (_STEM, ".json")):
        if found := pattern.fullmatch(name):
            yield f"{folder}{slash}{found['name']}{suffix}"
