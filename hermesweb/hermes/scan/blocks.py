"""Some bytes, and what is made of them once for all phrases."""

import codecs
import re
from dataclasses import dataclass
from functools import cached_property, lru_cache

from hermesweb.hermes.scan.anchors import squeezed
from hermesweb.hermes.scan.folding import fold

_OUTSIDE_ASCII = re.compile(r"[^\x00-\x7f]+")
_PERCENT = re.compile(rb"%([0-9a-f]{2})")
_JSON = re.compile(r"\\+u([0-9a-f]{4})")
_ESCAPES = (b"\\", b"%", b"&")


@dataclass(frozen=True)
class Block:
    """`many`: more than a few phrases are looked for, so that it pays to read the block as a text first."""

    raw: bytes
    many: bool = False

    @cached_property
    def lowered(self) -> bytes:
        """ASCII letters in lower case."""
        return self.raw.lower()

    @cached_property
    def squeezed(self) -> bytes:
        """Nothing but ASCII, in lower case, without NULs."""
        return squeezed(self.raw)

    @cached_property
    def is_plain(self) -> bool:
        """Nothing but ASCII, and nothing escaped in it."""
        return self.raw.isascii() and not any(sign in self.raw for sign in _ESCAPES)

    @cached_property
    def is_wide(self) -> bool:
        """About every other byte is a NUL, as in UTF-16 of Latin letters."""
        return 0.4 <= self.raw.count(b"\0") / max(1, len(self.raw)) <= 0.52

    @cached_property
    def texts(self) -> tuple[str, str]:
        """As a folded text, and the same with its escapes undone (also twice)."""
        decoded = _PERCENT.sub(lambda found: bytes.fromhex(found[1].decode()), self.lowered)
        return _folded(_text(self.lowered)), _folded(_JSON.sub(_unescaped, _text(decoded)))


def _text(some: bytes) -> str:
    return some.decode("utf-8", "hermesweb_latin1")


def _unescaped(found: "re.Match[str]") -> str:
    return chr(int(found[1], 16))


def _folded(text: str) -> str:
    return _OUTSIDE_ASCII.sub(lambda found: _fold(found[0]), text).lower()


@lru_cache(10_000)
def _fold(text: str) -> str:
    return fold(text)


def _latin1(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return error.object[error.start : error.end].decode("latin-1"), error.end


codecs.register_error("hermesweb_latin1", _latin1)
