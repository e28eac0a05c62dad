"""The patterns of the catalogue, ready for use."""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

PROFILE = "[a-z0-9][a-z0-9_-]*"
_ANYWHERE = "**/"
_WILD = re.compile(r"\*|\{session\}|\{profile\}")
_DATABASE = (".db", ".sqlite3")
_BESIDE = ("-wal", "-shm", "-journal")


@dataclass(frozen=True)
class Pattern:
    """`first`: the name every path that fits begins with, None if it has a star in it. `below`: it stands
    for all in a folder. `depth`: how many names are in it."""

    text: str
    first: str | None
    below: bool
    depth: int
    match: Callable[[str], object] = field(compare=False, repr=False)

    def may_begin(self, name: str) -> bool:
        """Whether a path that begins with the folder or file `name` may fit."""
        if self.first is not None:
            return self.first == name
        start = self.text.partition("/")[0]
        return start == "**" or bool(re.fullmatch(expression(start), name, re.DOTALL))


def is_local(pattern: str) -> bool:
    """Whether it is relative to the folder of a profile."""
    return not pattern.startswith(("~/", "<"))


@cache
def compiled(text: str) -> Pattern:
    """`text` as in Store.patterns, relative to some folder."""
    below = text.endswith("/")
    first = text.partition("/")[0]
    plain = text.removeprefix(_ANYWHERE)
    body = expression(plain)
    if plain != text:
        body = f"(?:.*/)?{body}"
    if text.endswith(_DATABASE):
        body += f"(?:{'|'.join(_BESIDE)})?"
    if "/" not in text and text.endswith(_DATABASE):
        first = ""  # its side files begin otherwise
    end = "" if below else r"\Z"
    return Pattern(
        text,
        first if first and not _WILD.search(first) else None,
        below,
        text.strip("/").count("/") + 1,
        re.compile(body + end, re.DOTALL).match,
    )


def with_side_files(name: str) -> tuple[str, ...]:
    """The name without a star in it, and those that a database has beside it."""
    return (name, *(name + suffix for suffix in _BESIDE)) if name.endswith(_DATABASE) else (name,)


def expression(text: str) -> str:
    """The regular expression for `text` without what stands at its ends."""
    parts = [re.escape(piece) for piece in _WILD.split(text)]
    wild = [
        {"*": "[^/]*", "{session}": "[^/]+", "{profile}": PROFILE}[found] for found in _WILD.findall(text)
    ]
    return "".join(part + follows for part, follows in zip(parts, [*wild, ""], strict=True))
