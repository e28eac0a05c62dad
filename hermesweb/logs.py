"""Log lines without words of anybody: no address, no message of an exception, no value of a variable.

Paths can hold a sign-in token and exceptions can quote a memory entry. What helps to mend a fault, where it
happened and of which kind it was, stays; the reference on the error page leads to it.
"""

import logging
import traceback
from types import TracebackType
from typing import Any

ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def frames_of(error: BaseException | None) -> str:
    """Type and places of *error* and of what caused it, without their messages."""
    parts = []
    while error is not None:
        places = [
            f"  {frame.filename}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ]
        parts.append("\n".join([type(error).__qualname__, *places]))
        error = error.__cause__ or error.__context__
    return "\ncaused by ".join(parts)


class WithoutWords(logging.Formatter):
    """Formats exceptions as types and places only, and requests by their view instead of their path."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        plain = logging.makeLogRecord(record.__dict__)
        plain.exc_text = None
        if request := getattr(record, "request", None):
            plain.msg, plain.args = describe(request, getattr(record, "status_code", "")), ()
        elif record.exc_info and not record.name.startswith("hermesweb"):
            # Libraries put what they choked on into their message.
            plain.msg, plain.args = "a fault in %s", (record.name,)
        return super().format(plain)

    def formatException(self, ei: Any) -> str:
        return frames_of(ei[1])


def describe(request: Any, status: object) -> str:
    match = getattr(request, "resolver_match", None)
    view = match.view_name if match else "no view"
    reference = getattr(request, "reference", "")
    return " ".join(str(part) for part in (request.method, view, status, reference) if part)
