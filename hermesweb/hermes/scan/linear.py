"""Expressions with which a search takes time in proportion to the bytes, whatever these are: RE2's.

RE2 is not made for every machine. Without it everything is found as well, in more time (finders.py).
"""

import importlib
import re
from contextlib import suppress
from functools import lru_cache
from typing import Any, cast

MEMORY = 10 << 20  # bytes that one expression may need while it searches, at most

_re2: Any = None
with suppress(ImportError):
    _re2 = importlib.import_module("re2")


class NotLinear(Exception):
    """RE2 is not there, or the expression needs more memory than it may have."""


@lru_cache(64)
def linear(pattern: bytes, *, any_case: bool = False, memory: int = MEMORY) -> re.Pattern[bytes]:
    """For bytes. `any_case`: case makes no difference, nor does it in Latin-1: then more is found than there is,
    since two bytes that are parts of letters can be capital and small letter of that. Raises NotLinear."""
    if _re2 is None:
        raise NotLinear
    options = _re2.Options()
    options.encoding = _re2.Options.Encoding.LATIN1
    options.case_sensitive = not any_case
    options.dot_nl = options.never_capture = True
    options.log_errors = False  # they would quote what is looked for
    options.max_mem = memory
    try:
        return cast("re.Pattern[bytes]", _re2.compile(pattern, options))
    except (_re2.error, MemoryError):
        raise NotLinear from None
