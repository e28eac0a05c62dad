"""What a file is, by its first bytes."""

import re

HEAD = 512
TAIL = 4_096
SQLITE = b"SQLite format 3\0"
_WAL = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_MAGIC = (
    (SQLITE, "sqlite"),
    (_WAL[0], "wal"),
    (_WAL[1], "wal"),
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x1f\x8b\x08", "gzip"),
    (b"BZh", "bzip2"),
    (b"\xfd7zXZ\0", "xz"),
    (b"PACK\0\0\0\x02", "pack"),
    (b"PACK\0\0\0\x03", "pack"),
    (b"# v2 git bundle\n", "bundle"),
    (b"# v3 git bundle\n", "bundle"),
    (b"7z\xbc\xaf\x27\x1c", "unknown"),
    (b"Rar!\x1a\x07", "unknown"),
    (b"\x28\xb5\x2f\xfd", "unknown"),  # zstd
    (b"\x04\x22\x4d\x18", "unknown"),  # lz4
    (b"\x89LZO\0", "unknown"),
    (b"LZIP", "unknown"),
    (b"\x1f\x9d", "unknown"),  # compress
    (b"-----BEGIN PGP MESSAGE", "encrypted"),
    (b"age-encryption.org/", "encrypted"),
    (b"Salted__", "encrypted"),
)
_LOOSE = re.compile(r"(?:^|/)objects/[0-9a-f]{2}/(?:[0-9a-f]{38}|[0-9a-f]{62})$")


def kind_of(head: bytes, name: str) -> str:
    """ "sqlite" "wal" "zip" "gzip" "bzip2" "xz" "tar" "loose" (an object of git) "pack" "bundle"
    (many of them) "unknown" (packed in a way we
    cannot unpack) "encrypted" or "plain"."""
    for magic, kind in _MAGIC:
        if head.startswith(magic):
            return kind
    if head[257:262] == b"ustar":
        return "tar"
    if is_loose(name) and head[:1] == b"x":
        return "loose"
    return "plain"


def ends_as_zip(tail: bytes) -> bool:
    """Whether the last bytes of a file, which begins with something else, are those of a zip."""
    place = tail.rfind(b"PK\x05\x06")
    return place >= 0 and len(tail) - place >= 22 and tail[place + 4 : place + 8] == bytes(4)


def is_loose(name: str) -> bool:
    """Whether git keeps a single object under such a name."""
    return bool(_LOOSE.search(name))
