"""Where nothing is ever cleared, whatever was asked, and one run at a time in one place."""

import fcntl
import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Profile, condition, is_home

WhyNot = Literal[
    "the_root", "the_login_folder", "not_a_home", "missing", "unreadable", "not_writable", "under_way"
]


# Not frozen: Python itself sets the traceback on an exception that is on its way.
@dataclass(eq=False)
class NotHere(HermesError):
    """Nothing is cleared in the folder `path`, and `why`."""

    path: Path
    why: WhyNot


def refuse_unless_profile(profile: Profile, os_home: Path) -> None:
    """Raises NotHere for the root of the file system, the folder of a login, and what Hermes never used."""
    real = Path(os.path.realpath(profile.folder))
    if real == Path(real.anchor):
        raise NotHere(profile.folder, "the_root")
    if real == Path(os.path.realpath(os_home)):
        raise NotHere(profile.folder, "the_login_folder")
    found = condition(profile)
    if found.state != "ok":
        raise NotHere(profile.folder, found.state)
    if not is_home(profile.folder):
        raise NotHere(profile.folder, "not_a_home")
    if not found.writable:
        raise NotHere(profile.folder, "not_writable")


@contextmanager
def only_one(profile: Profile, folder: Path) -> Iterator[None]:
    """One run for each profile, among all processes that use the data folder `folder`. Raises NotHere."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    name = hashlib.sha256(os.fsencode(os.path.realpath(profile.folder))).hexdigest()[:32]
    flags = os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC
    handle = os.open(folder / f"{name}.clearing", flags, 0o600)
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise NotHere(profile.folder, "under_way") from None
        yield
    finally:
        os.close(handle)
