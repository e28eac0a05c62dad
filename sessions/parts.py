"""What is in a message: its text, and pictures, sounds and files as placeholders.

Hermes stores text as it is, and lists of parts as NUL + "json:" + JSON (hermes_state.py). The parts are what
the interfaces of model providers take, so there are several ways to write a picture. Nothing here is ever
opened or fetched; data inside the message is only measured.
"""

import codecs
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from sessions.content import PREFIX, plain_text
from sessions.pretty import as_json

Kind = Literal["text", "image", "audio", "video", "file", "other"]
Code = Literal[
    "bad_json",  # what should be JSON is not; shown as it stands
    "cut_json",  # it is longer than what was read
    "not_text",  # bytes or a number where a text should be
    "bad_time",
    "odd_call",  # a tool call without a name
    "too_many",  # more parts or calls than are shown
]

MOST: Final = 200  # parts, calls or reasoning steps of one message on a page
DEEPEST: Final = 5  # parts inside parts

_MEDIA: Final[Mapping[str, Kind]] = {
    "image_url": "image",
    "input_image": "image",
    "image": "image",
    "video_url": "video",
    "input_video": "video",
    "video": "video",
    "audio_url": "audio",
    "input_audio": "audio",
    "audio": "audio",
    "file": "file",
    "input_file": "file",
    "document": "file",
}


@dataclass(frozen=True)
class Stored:
    """A value as it was read from a column. `size`: its bytes in the database; of a longer one than we read,
    `value` has only the beginning, as bytes."""

    value: Any = None
    size: int = 0

    @property
    def cut(self) -> bool:
        return isinstance(self.value, bytes) and len(self.value) < self.size

    @property
    def text(self) -> str:
        """The value as text; "" for none."""
        return as_text(self.value, self.cut)


@dataclass(frozen=True)
class Problem:
    """Something about the column `column` is not as Hermes writes it."""

    code: Code
    column: str


@dataclass(frozen=True)
class Passage:
    """The beginning of a text. `characters`: how many the whole has, in code points; None when even we did
    not read all of it."""

    text: str
    characters: int | None

    @property
    def cut(self) -> bool:
        return self.characters is None or len(self.text) < self.characters


@dataclass(frozen=True)
class Part:
    """One part of a message. `text`: of a text, or the JSON of something unknown.

    `size`: bytes of data that lie in the message itself; `address`: where the data lies otherwise.
    """

    kind: Kind
    text: Passage | None = None
    media_type: str = ""
    size: int | None = None
    address: str = ""
    name: str = ""


def as_text(value: object, cut: bool = False) -> str:
    """A value of any type as text; "" for none. A `cut` may go through the middle of a character."""
    if isinstance(value, bytes):
        return codecs.getincrementaldecoder("utf-8")("replace").decode(value, final=not cut)
    return "" if value is None else str(value)


def passage(stored: Stored | str, limit: int | None) -> Passage:
    """The first `limit` code points of a text, all of them without a limit."""
    text, whole = (stored, True) if isinstance(stored, str) else (stored.text, not stored.cut)
    return Passage(text if limit is None else text[:limit], len(text) if whole else None)


def parts_of(content: Stored, limit: int | None = None) -> tuple[tuple[Part, ...], tuple[Problem, ...]]:
    """The parts of the column content in their order, texts cut at `limit` code points. Never raises."""
    problems: list[Problem] = []
    text = content.text
    if content.value is not None and not isinstance(content.value, str) and not content.cut:
        problems.append(Problem("not_text", "content"))
    if not text.startswith(PREFIX):
        return ((Part("text", passage(content, limit)),) if text else ()), tuple(problems)
    value = loaded(text.removeprefix(PREFIX))
    if value is None:
        problems.append(Problem("cut_json" if content.cut else "bad_json", "content"))
        return (Part("text", _salvaged(text, content.cut, limit)),), tuple(problems)
    parts = list(_parts(value, limit, 0))
    if limit is not None and len(parts) > MOST:
        problems.append(Problem("too_many", "content"))
        parts = parts[:MOST]
    return tuple(parts), tuple(problems)


def text_of(parts: tuple[Part, ...]) -> str:
    """The texts among the parts, joined by newlines."""
    return "\n".join(part.text.text for part in parts if part.text and part.kind == "text")


def loaded(source: str) -> Any:
    """The value of a JSON text, None where it is none (or is "null")."""
    try:
        return json.loads(source)
    except (ValueError, RecursionError):
        return None


def _salvaged(text: str, cut: bool, limit: int | None) -> Passage:
    found = passage(plain_text(text), limit)
    return Passage(found.text, None) if cut else found


def _parts(value: Any, limit: int | None, depth: int) -> Iterator[Part]:
    if isinstance(value, list) and depth < DEEPEST:
        for each in value:
            yield from _parts(each, limit, depth + 1)
        return
    if isinstance(value, str):
        yield Part("text", passage(value, limit))
        return
    if not isinstance(value, dict):
        yield Part("other", passage(as_json(value), limit))
        return
    text, inner = value.get("text"), value.get("content")
    media = _media(value)
    if media:
        yield media
    if isinstance(text, str):
        yield Part("text", passage(text, limit))
    if isinstance(inner, list | str) and not isinstance(text, str) and depth < DEEPEST:
        yield from _parts(inner, limit, depth + 1)
    elif not media and not isinstance(text, str):
        yield Part("other", passage(as_json(value), limit))


def _media(part: Mapping[str, Any]) -> Part | None:
    """The picture, sound or file of a part, by the key it stands under or by its type."""
    for key, kind in _MEDIA.items():
        if key in part:
            return _medium(kind, part[key], part)
    kind = _MEDIA.get(str(part.get("type")), "other")
    if "source" in part:
        return _medium(kind if kind != "other" else "file", part["source"], part)
    if kind != "other" and any(key in part for key in ("data", "url", "file_data", "file_id")):
        return _medium(kind, part, part)
    return None


def _medium(kind: Kind, value: Any, around: Mapping[str, Any]) -> Part:
    inner = value if isinstance(value, dict) else {"url": value}
    spots = ("url", "data", "file_data", "base64")
    source = next((inner[spot] for spot in spots if isinstance(inner.get(spot), str)), "")
    names = ("filename", "file_name", "name", "title")
    name = next(
        (each[key] for each in (inner, around) for key in names if isinstance(each.get(key), str)), ""
    )
    types = ("media_type", "mime_type", "mimeType", "format")
    given = next(
        (each[key] for each in (inner, around) for key in types if isinstance(each.get(key), str)), ""
    )
    if source[:5].lower() == "data:":
        head, _, data = source[5:].partition(",")
        kinds, *options = head.split(";")
        return Part(kind, None, kinds or given, _size(data, "base64" in options), "", name)
    if source and ("data" in inner or "file_data" in inner or "base64" in inner):
        return Part(kind, None, given, _size(source, True), "", name)
    return Part(kind, None, given, None, source or as_text(inner.get("file_id")), name)


def _size(data: str, base64: bool) -> int:
    if not base64:
        return len(data.encode("utf-8", "replace"))
    return len(data.rstrip("=")) * 3 // 4
