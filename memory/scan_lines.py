"""Texts to be scanned as JSON lines, for a program that wants to know what Hermes would block."""

import json
import math
from collections.abc import Iterator
from typing import Any, BinaryIO, Literal

from memory.blocked import findings

LINE_BYTES = 16 * 1024 * 1024
"""A longer line is refused, so that one without an end cannot fill the memory."""

Why = Literal["too_long", "undecodable", "not_json", "not_an_object", "no_text", "text_not_a_string"]


class BadLine(Exception):
    """A line that cannot be scanned."""

    def __init__(self, why: Why) -> None:
        super().__init__(why)
        self.why: Why = why


def lines_of(stream: BinaryIO) -> Iterator[bytes]:
    """Yield the lines of `stream`, one at a time; of a line that is too long just its beginning."""
    while line := stream.readline(LINE_BYTES + 1):
        yield line
        while len(line) > LINE_BYTES and not line.endswith(b"\n"):
            line = stream.readline(LINE_BYTES + 1)


def scanned(line: bytes, release: str) -> str:
    """Return the JSON object in `line` with the findings of its "text" added, as one line of ASCII.

    Raises BadLine.
    """
    if len(line) > LINE_BYTES:
        raise BadLine("too_long")
    try:
        record = _record(line)
        return json.dumps(record | {"findings": findings(record["text"], release)})
    except UnicodeDecodeError:
        raise BadLine("undecodable") from None
    except (ValueError, RecursionError):
        raise BadLine("not_json") from None


def _record(line: bytes) -> dict[str, Any]:
    # Windows' shells put a byte order mark in front of what they pipe.
    text = line.decode("utf-8-sig")
    record = json.loads(text, parse_float=_finite, parse_constant=_finite)
    if not isinstance(record, dict):
        raise BadLine("not_an_object")
    if "text" not in record:
        raise BadLine("no_text")
    if not isinstance(record["text"], str):
        raise BadLine("text_not_a_string")
    return record


def _finite(number: str) -> float:
    # NaN and infinity are no JSON: they could be read here, but not by whoever reads the answer.
    if not math.isfinite(value := float(number)):
        raise ValueError(number)
    return value
