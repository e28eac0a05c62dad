"""Expressions over lower-cased bytes that match a folded phrase however it is spelled and escaped.

Lower-cased with bytes.lower(): that leaves offsets alone, and makes hex digits of escapes one case.
"""

import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import islice

from hermesweb.hermes.scan.folding import MARKS, MOST, fold, letters_like, spellings

Encoding = Callable[[str], bytes]
BLANK = "\t\n\v\f\r \x85\xa0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u3000"
WAYS = 24  # to write some letters that have others which stand for several of them
_QUOTED = {'"': "&quot;", "&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;"}


def utf8(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass").lower()


def utf16_little(text: str) -> bytes:
    return text.encode("utf-16-le", "surrogatepass").lower()


def utf16_big(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass").lower()


def json_units(text: str) -> list[bytes]:
    """What follows the backslash of each escape: how many of those there are depends on how often it was
    escaped."""
    units = text.encode("utf-16-be", "surrogatepass")
    return [b"u" + units[place : place + 2].hex().encode() for place in range(0, len(units), 2)]


def percent(text: str) -> bytes:
    return b"".join(b"%%%02x" % byte for byte in text.encode("utf-8", "surrogatepass"))


def utf8_pattern(folded: str) -> bytes:
    """For UTF-8, Latin-1, JSON escapes (also twice), percent-encoding and HTML's own escapes, mixed."""
    marks = any_of([way(mark) for mark in every_mark() for way in (utf8, percent)])
    escaped = any_of([b"%04x" % ord(mark) for mark in every_mark()])
    return _sequence(folded, _letter, _blanks(), rb"(?:%s|\\+u%s)*" % (marks, escaped))


def beginning_of(folded: str, letters: int) -> str:
    """About so many `letters`, cut where no single letter can stand for what is on both sides: what has the phrase
    has this beginning as well, in every spelling."""
    words: list[str] = []
    for word in folded.split(" "):
        found = ""
        for cluster in _clusters(word):
            if (words or found) and len(" ".join((*words, found, cluster))) > letters + 1:
                return " ".join((*words, found) if found else words)
            found += cluster
        words.append(found)
    return folded


def utf16_pattern(folded: str, encoding: Encoding) -> bytes:
    """For UTF-16 of one byte order."""

    def letter(letters: Iterable[str]) -> bytes:
        return any_of([encoding(each) for each in letters])

    blanks = rb"(?:%s)+" % letter(BLANK)
    return _sequence(folded, letter, blanks, rb"(?:%s)*" % letter(every_mark()))


def _sequence(folded: str, letter: Callable[[Iterable[str]], bytes], blanks: bytes, marks: bytes) -> bytes:
    words = (
        marks.join(_cluster(cluster, letter, marks) for cluster in _clusters(word))
        for word in folded.split(" ")
    )
    return (marks + blanks).join(words)


def _clusters(word: str) -> Iterator[str]:
    """Single letters, or some of which there are letters that stand for several of them (as ß does for ss)."""
    start = 0
    while start < len(word):
        end = place = start
        while place <= end < len(word):
            end = max(end, place + max((size for size in _wide(word, place)), default=1) - 1)
            place += 1
        yield word[start:place]
        start = place


def _wide(word: str, place: int) -> list[int]:
    sizes = range(2, min(MOST, len(word) - place) + 1)
    return [size for size in sizes if word[place : place + size] in letters_like()]


def _cluster(cluster: str, letter: Callable[[Iterable[str]], bytes], marks: bytes) -> bytes:
    ways = [
        marks.join(letter(spellings(part) if len(part) == 1 else letters_like()[part]) for part in way)
        for way in islice(_ways(cluster), WAYS)
    ]
    return ways[0] if len(ways) == 1 else rb"(?:%s)" % b"|".join(ways)


def _ways(cluster: str) -> Iterator[tuple[str, ...]]:
    """Every way to divide it into letters and such as stand for several, the plain one first."""
    if not cluster:
        yield ()
        return
    for size in (1, *_wide(cluster, 0)):
        for rest in _ways(cluster[size:]):
            yield (cluster[:size], *rest)


def _letter(letters: Iterable[str]) -> bytes:
    plain: list[bytes] = []
    escaped: list[bytes] = []
    several: list[bytes] = []  # of letters that JSON writes as two escapes or more
    for each in letters:
        plain += [utf8(each), percent(each)]
        units = json_units(each)
        if len(units) > 1:
            several.append(b"".join(rb"\\+%s" % unit for unit in units))
        else:
            escaped += units
        if len(each) == 1 and 0xA0 <= ord(each) <= 0xFF:
            plain.append(each.encode("latin-1"))
        if each.isascii() and not each.isalnum():
            escaped.append(each.encode())
            plain.append(_QUOTED.get(each, each).encode())
    written = [any_of(plain)[3:-1], *([rb"\\+%s" % any_of(escaped)] if escaped else []), *several]
    return rb"(?:%s)" % b"|".join(written)


def _blanks() -> bytes:
    # Between two words: any run of blanks and line ends, as they are or escaped.
    raw = any_of([utf8(blank) for blank in BLANK])
    return rb"(?:%s|\\+[nrt]|\+|%%(?:20|0a|0d|09|c2%%a0)|\\+u00(?:20|a0|0a|0d|09)|&nbsp;|&#160;|\xa0)+" % raw


def every_mark() -> list[str]:
    """What may stand after a letter and makes no difference."""
    return [chr(point) for low, high in MARKS for point in range(low, high + 1)]


def any_of(forms: Iterable[bytes]) -> bytes:
    """An alternation of which no two branches begin alike: the engine then skips what cannot begin one."""
    tails: dict[int, set[bytes]] = defaultdict(set)
    for form in forms:
        tails[form[0]].add(form[1:])
    written = [_byte(first) + _tail(rest) for first, rest in sorted(tails.items())]
    return written[0] if len(written) == 1 else rb"(?:%s)" % b"|".join(written)


def _tail(rest: set[bytes]) -> bytes:
    if rest == {b""}:
        return b""
    if all(len(each) == 1 for each in rest):
        return b"[%s]" % b"".join(_byte(each[0]) for each in sorted(rest))
    longer = any_of(rest - {b""})
    return rb"(?:%s)?" % longer if b"" in rest else longer


def _byte(byte: int) -> bytes:
    return rb"\x%02x" % byte


def words_of(phrase: str) -> str:
    """The phrase folded, each run of blanks one space, none at the ends."""
    # Letter by letter: together, some would become another one.
    return " ".join("".join(map(fold, unicodedata.normalize("NFC", phrase))).split())
