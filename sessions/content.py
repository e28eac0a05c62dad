"""The text in the column messages.content, whatever Hermes or an accident has put there.

Hermes stores strings as they are, and lists or mappings as NUL + "json:" + JSON (hermes_state.py). The JSON
may be cut, by us or on the disk.
"""

import json
import re

PREFIX = "\0json:"
_TEXT = re.compile(r'"text"\s*:\s*("(?:[^"\\]|\\.)*")', re.DOTALL)


def plain_text(content: object) -> str:
    """The readable text of a stored content: parts joined by newlines, pictures left out, "" for none.

    Never raises. NUL characters become U+FFFD; bytes that are no UTF-8 too.
    """
    if content is None:
        return ""
    if isinstance(content, bytes):
        content = content.decode("utf-8", "replace")
    text = str(content)
    if text.startswith(PREFIX):
        text = _text_of_json(text.removeprefix(PREFIX))
    return text.replace("\0", "\ufffd")


def preview(content: object, characters: int = 60) -> str:
    """The beginning on one line: at most `characters` code points and "…" when there is more."""
    line = " ".join(plain_text(content).split())
    return line if len(line) <= characters else line[:characters].rstrip() + "…"


def _text_of_json(source: str) -> str:
    try:
        value = json.loads(source)
    except (ValueError, RecursionError):
        return "\n".join(_string(found) for found in _TEXT.findall(source)) or source
    if isinstance(value, list):
        return "\n".join(filter(None, (_text_of_part(part) for part in value)))
    return _text_of_part(value) or source


def _text_of_part(part: object) -> str:
    if isinstance(part, dict):
        part = part.get("text", part.get("content"))
    return part if isinstance(part, str) else ""


def _string(literal: str) -> str:
    try:
        return str(json.loads(literal, strict=False))
    except ValueError:
        return literal
