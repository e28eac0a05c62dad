"""What counts as the same letter: case, accents and compatibility forms make no difference."""

import unicodedata
from collections import defaultdict
from functools import cache

# Latin, Greek and kana marks, and the points of Hebrew and Arabic. Not the vowel signs of Indic scripts, which
# are letters to their readers.
MARKS = (
    (0x0300, 0x036F),
    (0x0591, 0x05BD),
    (0x05BF, 0x05BF),
    (0x05C1, 0x05C2),
    (0x05C4, 0x05C5),
    (0x05C7, 0x05C7),
    (0x064B, 0x065F),
    (0x0670, 0x0670),
    (0x1AB0, 0x1AFF),
    (0x1DC0, 0x1DFF),
    (0x20D0, 0x20F0),
    (0x3099, 0x309A),
    (0xFF9E, 0xFF9F),
    (0xFE20, 0xFE2F),
    # Nothing to see: soft hyphens, joiners, marks of direction.
    (0xAD, 0xAD),
    (0x200B, 0x200F),
    (0x202A, 0x202E),
    (0x2060, 0x2064),
    (0x2066, 0x2069),
    (0xFEFF, 0xFEFF),
)
# Where Unicode sees a letter of its own and people see a stroke through one they know.
_STROKES = str.maketrans("łøđħıŧɨƀǥ", "lodhitibg")
_DROP = {point: None for low, high in MARKS for point in range(low, high + 1)}
MOST = 6  # letters that one letter stands for; two longer ones have blanks among them
_TABLED = (range(0x80, 0x3400), range(0xA640, 0xAC00), range(0xF900, 0x10000))


def fold(text: str) -> str:
    """`text` without case, accents and compatibility forms. Its length can differ."""
    if text.isascii():
        return text.lower()
    # A mark that becomes a letter of its own when its case is folded.
    text = unicodedata.normalize("NFKD", text).replace("\u0345", "")
    text = unicodedata.normalize("NFKD", text.casefold())
    return unicodedata.normalize("NFC", text.translate(_DROP).translate(_STROKES))


@cache
def letters_like() -> dict[str, tuple[str, ...]]:
    """For one to MOST folded letters, every single letter outside ASCII that folds to them."""
    table: dict[str, list[str]] = defaultdict(list)
    for points in _TABLED:
        for letter in map(chr, points):
            folded = fold(letter)
            if 0 < len(folded) <= MOST and folded != letter:
                table[folded].append(letter)
    return {folded: tuple(letters) for folded, letters in table.items()}


def spellings(letter: str) -> tuple[str, ...]:
    """Every way to write one folded letter, without case where that is ASCII."""
    own = {letter, letter.upper(), unicodedata.normalize("NFKD", letter)}
    return tuple(sorted(own | set(letters_like().get(letter, ()))))
