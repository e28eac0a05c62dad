"""What the command line notes of a clearing while it runs, so that one that was killed can be gone on with.

A job notes the same in our database; the command works without one. Names of stores, counts and codes are in the file,
sampled phrases only encrypted. It goes with the end of the run.
"""

import hashlib
import json
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hermesweb.hermes.homes import Profile
from hermesweb.homes import place_of
from hermesweb.jobs.sealing import seal, unseal
from hermesweb.privacy.wiping.run import Record


@dataclass(frozen=True)
class Unfinished:
    """`wish`: what was asked for (Wish.plain), `asked`: as it was typed. `samples` are phrases to look for."""

    wish: dict[str, Any]
    asked: str
    record: Record
    samples: list[str]

    @property
    def total(self) -> int:
        return len(self.wish["stores"]) + int(self.wish["unknown"])

    def is_of(self, wish: dict[str, Any]) -> bool:
        """Whether the same stores are to go."""
        return (self.wish["stores"], self.wish["unknown"]) == (wish["stores"], wish["unknown"])


def read(profile: Profile, data: Path) -> Unfinished | None:
    """None where nothing is left of a run, or it was about another folder that stood here."""
    try:
        noted = json.loads(_file(profile, data).read_text(encoding="utf-8"))
        if noted["place"] != place_of(profile):
            return None
        samples = unseal(noted["sealed"]).get("samples", [])
        return Unfinished(noted["wish"], noted["asked"], Record.of(noted["record"]), samples)
    except (OSError, ValueError, KeyError, TypeError):
        return None


def keep(profile: Profile, data: Path, run: Unfinished) -> None:
    """Written as a whole or not at all. A disk that is full does not end the run: then it cannot be gone on with."""
    noted = {
        "place": place_of(profile),
        "wish": run.wish,
        "asked": run.asked,
        "record": run.record.plain(),
        "sealed": seal({"samples": run.samples}),
    }
    file = _file(profile, data)
    with suppress(OSError):
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
        with os.fdopen(os.open(new, flags, 0o600), "w", encoding="utf-8") as handle:
            json.dump(noted, handle)
        new.replace(file)


def forget(profile: Profile, data: Path) -> None:
    file = _file(profile, data)
    with suppress(OSError):
        for each in (file, *file.parent.glob(f"{file.name}.*")):
            each.unlink(missing_ok=True)


def _file(profile: Profile, data: Path) -> Path:
    name = hashlib.sha256(os.fsencode(os.path.realpath(profile.folder))).hexdigest()[:32]
    return data / "unfinished" / f"{name}.json"
