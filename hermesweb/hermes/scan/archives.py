"""What is in archives, however deep, one member after the other and each in constant memory."""

import bz2
import gzip
import lzma
import os
import tarfile
import tempfile
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import IO, Any, Self, cast

from hermesweb.hermes.scan.asked import Limits
from hermesweb.hermes.scan.events import NotChecked
from hermesweb.hermes.scan.extracted import Extracted
from hermesweb.hermes.scan.kinds import HEAD, TAIL, ends_as_zip, kind_of
from hermesweb.hermes.scan.streams import BROKEN, Budget, Stream, why_broken

IN_MEMORY = 8 << 20
COPY = 1 << 20
DIRECTORY = 32 << 20  # bytes of the list of members of a zip, which is read as a whole


@dataclass
class Content:
    """Bytes to look at: `read(size)` gives them once. `file`: the same, for reading at any place. `kind` as of
    kind_of, "archive" for the bytes of an archive whose members came before."""

    name: str
    kind: str
    read: Callable[[int], bytes]
    size: int | None = None
    file: IO[bytes] | None = None


@dataclass(frozen=True)
class Named:
    """A member with this name (after the last "!"), whatever it holds."""

    name: str


Item = Content | Named | NotChecked


@dataclass
class Unpacking:
    """One file from a folder, and everything in it. Databases in it go to `extracted`, if that is given."""

    limits: Limits
    extracted: Extracted | None = None
    budget: Budget = field(init=False)

    def __post_init__(self) -> None:
        self.budget = Budget(self.limits.unpacked)

    def file(self, name: str, file: IO[bytes], size: int, depth: int = 0) -> Iterator[Item]:
        """The items in a file that can be read at any place; what is in an archive before itself."""
        file.seek(0)
        kind = kind_of(file.read(HEAD), name)
        if kind == "plain" and size > TAIL:
            file.seek(size - TAIL)
            kind = "zip" if ends_as_zip(file.read(TAIL)) else kind
        elif kind == "plain":
            file.seek(0)
            kind = "zip" if ends_as_zip(file.read(size)) else kind
        file.seek(0)
        if kind in _UNPACKED:
            yield from self._members(name, kind, file, size, depth)
            file.seek(0)
        if kind in ("unknown", "encrypted"):
            yield NotChecked(name, "unknown_format" if kind == "unknown" else kind)
        yield Content(name, "archive" if kind in _UNPACKED else kind, file.read, size, file)

    def _members(self, name: str, kind: str, file: IO[bytes], size: int, depth: int) -> Iterator[Item]:
        if depth >= self.limits.depth:
            yield NotChecked(name, "too_deep")
            return
        try:
            if kind == "zip":
                yield from self._zip(name, file, size, depth)
            elif kind == "tar":
                yield from self._tar(name, file, depth)
            else:
                packed = Stream(file.read, limit=size + 1)
                yield from self._unpacked(name, kind, packed, depth)
        except BROKEN as error:
            yield NotChecked(name, why_broken(error))

    def _unpacked(self, name: str, kind: str, packed: Stream, depth: int) -> Iterator[Item]:
        """A file that is packed as a whole."""
        stream = self._bounded(_opened(kind, packed).read, lambda: packed.position)
        if kind_of(stream.peek(HEAD), "") == "tar":
            yield from self._tar(name, stream, depth)
        else:
            inner = f"{name}!{_inner_name(name)}"
            yield from self._stream(inner, stream, None, depth + 1)
        if stream.failed:
            yield NotChecked(name, stream.failed)

    def _zip(self, name: str, file: IO[bytes], size: int, depth: int) -> Iterator[Item]:
        if _directory_size(file, size) > DIRECTORY:
            yield NotChecked(name, "too_large")
            return
        with zipfile.ZipFile(file) as archive, self._siblings(name):
            for number, info in enumerate(archive.infolist()):
                if number >= self.limits.members:
                    yield NotChecked(name, "too_large")
                    break
                member = f"{name}!{_clean(info.filename)}"
                yield Named(member)
                if not info.is_dir():
                    yield from self._zipped(member, archive, info, depth)
            if self.extracted:
                self.extracted.hand_over(name)

    def _zipped(
        self, member: str, archive: zipfile.ZipFile, info: zipfile.ZipInfo, depth: int
    ) -> Iterator[Item]:
        if info.flag_bits & 1:
            yield NotChecked(member, "encrypted")
            return
        try:
            with archive.open(info) as opened:
                stream = self._bounded(opened.read, lambda: info.compress_size)
                yield from self._stream(member, stream, info.file_size, depth + 1)
        except NotImplementedError:
            yield NotChecked(member, "unknown_format")
        except BROKEN as error:
            yield NotChecked(member, why_broken(error))

    def _tar(self, name: str, file: Stream | IO[bytes], depth: int) -> Iterator[Item]:
        reading = cast("IO[bytes]", file)
        with tarfile.open(fileobj=reading, mode="r|", tarinfo=_Member) as archive, self._siblings(name):
            for number, info in enumerate(archive):
                archive.members = []  # type: ignore[attr-defined]  # or it keeps them all
                if number >= self.limits.members:
                    yield NotChecked(name, "too_large")
                    break
                yield from self._tarred(f"{name}!{_clean(info.name)}", archive, info, depth)
            if getattr(archive, "was_cut", False):
                yield NotChecked(name, "damaged")
            if self.extracted:
                self.extracted.hand_over(name)

    def _tarred(
        self, member: str, archive: tarfile.TarFile, info: tarfile.TarInfo, depth: int
    ) -> Iterator[Item]:
        yield Named(member)
        if info.isreg() and (opened := archive.extractfile(info)):
            stream = self._bounded(opened.read, None)
            yield from self._stream(member, stream, info.size, depth + 1)

    def _stream(self, name: str, stream: Stream, size: int | None, depth: int) -> Iterator[Item]:
        """The items of a member, which can be read only once."""
        kind = kind_of(stream.peek(HEAD), name)
        if self.extracted and self.extracted.wants(name, kind):
            yield from self._extracted(name, kind, stream)
        elif kind in ("zip", "sqlite", "pack", "bundle"):
            with tempfile.SpooledTemporaryFile(IN_MEMORY, dir=self._scratch()) as copy:
                _copy(stream, copy)
                yield from self.file(name, cast("IO[bytes]", copy), copy.tell(), depth)
        elif kind in _PACKED and depth < self.limits.depth:
            yield from self._unpacked(name, kind, stream, depth)
        elif kind == "tar" and depth < self.limits.depth:
            yield from self._tar(name, stream, depth)
        else:
            if kind in _UNPACKED:
                yield NotChecked(name, "too_deep")
            if kind in ("unknown", "encrypted"):
                yield NotChecked(name, "unknown_format" if kind == "unknown" else kind)
            yield Content(name, kind, stream.read, size)
        if stream.failed:
            yield NotChecked(name, stream.failed)

    def _extracted(self, name: str, kind: str, stream: Stream) -> Iterator[Item]:
        assert self.extracted
        try:
            with self.extracted.writing(name) as copy:
                _copy(stream, copy)
                copy.seek(0)
                yield Content(name, kind, copy.read, os.fstat(copy.fileno()).st_size, copy)
        except OSError as error:
            yield NotChecked(name, "no_space" if why_broken(error) == "no_space" else "io")

    def _bounded(self, read: Callable[[int], bytes], packed: Callable[[], int] | None) -> Stream:
        most = (lambda: packed() * self.limits.ratio) if packed else None
        return Stream(read, limit=self.limits.member, budget=self.budget, most=most)

    def _siblings(self, name: str) -> AbstractContextManager[object]:
        return self.extracted.archive(name) if self.extracted else nullcontext()

    def _scratch(self) -> str | None:
        return str(self.extracted.scratch) if self.extracted else None


_PACKED = ("gzip", "bzip2", "xz", "loose")
_UNPACKED = (*_PACKED, "zip", "tar")


class _Member(tarfile.TarInfo):
    """tarfile takes what is no header for the end of the archive, and says nothing."""

    @classmethod
    def fromtarfile(cls, tarfile: tarfile.TarFile) -> Self:
        try:
            return super().fromtarfile(tarfile)
        except (_EmptyHeader, _InvalidHeader, _TruncatedHeader):
            tarfile.was_cut = True  # type: ignore[attr-defined]
            raise


_EmptyHeader = tarfile.EmptyHeaderError  # type: ignore[attr-defined]
_InvalidHeader = tarfile.InvalidHeaderError  # type: ignore[attr-defined]
_TruncatedHeader = tarfile.TruncatedHeaderError  # type: ignore[attr-defined]


class _Inflated:
    """A zlib stream."""

    def __init__(self, packed: Stream) -> None:
        self._packed, self._inflate = packed, zlib.decompressobj()

    def read(self, size: int) -> bytes:
        while not self._inflate.eof:
            waiting = self._inflate.unconsumed_tail or self._packed.read(1 << 16)
            if not waiting:
                raise EOFError
            if some := self._inflate.decompress(waiting, size):
                return some
        return b""


def _opened(kind: str, packed: Stream) -> Any:
    file = cast("IO[bytes]", packed)
    if kind == "gzip":
        return gzip.GzipFile(fileobj=file)
    if kind == "bzip2":
        return bz2.BZ2File(file)
    if kind == "xz":
        return lzma.LZMAFile(file)
    return _Inflated(packed)


def _inner_name(name: str) -> str:
    """What the packed file is called without its ending."""
    last = name.rsplit("!", 1)[-1].rsplit("/", 1)[-1]
    return last.rsplit(".", 1)[0] if "." in last[1:] else last


def _clean(name: str) -> str:
    """A member's name, with which nothing is opened: only fit to be shown."""
    return name.removeprefix("./").encode("utf-8", "backslashreplace").decode()


def _copy(stream: Stream, file: Any) -> None:
    while some := stream.read(COPY):
        file.write(some)


def _directory_size(file: IO[bytes], size: int) -> int:
    """Bytes of the list of members, as its end says."""
    file.seek(max(0, size - 66_000))
    end = file.read(66_000)
    file.seek(0)
    place = end.rfind(b"PK\x05\x06")
    return int.from_bytes(end[place + 12 : place + 16], "little") if place >= 0 else 0
