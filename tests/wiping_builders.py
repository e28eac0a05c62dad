"""Runs of clearing for tests, files that cannot be removed, and a look at what is left that shares no code."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from hermesweb.hermes.homes import Profile
from hermesweb.privacy.wiping.choice import Choice, choose
from hermesweb.privacy.wiping.config import held_settings
from hermesweb.privacy.wiping.database import DATABASE, rows_if_readable
from hermesweb.privacy.wiping.outcome import Outcome, Seen, of_unknown_files, outcomes
from hermesweb.privacy.wiping.perform import SETTINGS
from hermesweb.privacy.wiping.run import Record, Run
from hermesweb.privacy.wiping.survey import Outside

# Runs apart, for the same reason as in home_builders. Prints "word<tab>path" for each place.
_WORDS_LEFT = """
import os, sys
root, words = sys.argv[1], [word.lower().encode() for word in sys.argv[2].split()]
skip = sys.argv[3:]
for folder, names, files in os.walk(root):
    names[:] = [name for name in names if os.path.relpath(os.path.join(folder, name), root) not in skip]
    for name in files:
        path = os.path.join(folder, name)
        shown = os.path.relpath(path, root)
        content = b"" if os.path.islink(path) else open(path, "rb").read().lower()
        for word in words:
            if word in content or word in shown.lower().encode() or word.decode().encode("utf-16-le") in content:
                print(word.decode(), shown, sep="\\t")
"""


class Cleared:
    """What came of one run: outcomes by store id, and the record that a later attempt would go on from."""

    def __init__(self, record: Record, found: list[Outcome]) -> None:
        self.record = record
        self.by_id = {each.id: each for each in found}

    def outcome(self, name: str) -> tuple[str, str]:
        return self.by_id[name].outcome, self.by_id[name].why

    def not_gone(self) -> dict[str, str]:
        """Stores with something left that were to go, and why."""
        return {each.id: each.why for each in self.by_id.values() if each.outcome in ("partly", "not_wiped")}


def clear(
    profile: Profile,
    names: Sequence[str] = ("everything",),
    *,
    temporary: Path,
    alive: bool = False,
    shared: bool = False,
    record: Record | None = None,
    on_step: Callable[[str, int, int], None] = lambda *_: None,
    outside: Outside | None = None,
    mounts: tuple[str, ...] = (),
) -> Cleared:
    choice: Choice = choose(names, shared=shared)
    record = record or Record()
    record.settings = record.settings or {name: held_settings(profile, name) for name in SETTINGS}
    run = Run(profile, choice, record, alive, on_step, lambda _: None, temporary, outside)
    run.mounts = mounts
    now = run.clear()
    settings = {name: (record.settings[name], held_settings(profile, name)) for name in SETTINGS}
    rows = rows_if_readable(profile) if now.of(DATABASE) else {}
    seen = Seen(choice, record, now, shared, settings, (0, 0), frozenset(), rows)
    return Cleared(record, [*outcomes(seen), of_unknown_files(seen)])


def words_left(root: Path, words: Sequence[str], *skip: str) -> dict[str, list[str]]:
    """By path below `root`, the words whose bytes are there: in a file, or in its name."""
    done = subprocess.run(
        [sys.executable, "-c", _WORDS_LEFT, str(root), " ".join(words), *skip],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, list[str]] = {}
    for line in done.stdout.splitlines():
        word, path = line.split("\t")
        found.setdefault(path, []).append(word)
    return found


def planted(manifest: dict[str, Any]) -> list[str]:
    """Every word of a recorded home."""
    return [each["word"] for each in manifest["canaries"]]


@contextmanager
def undeletable(path: Path) -> Iterator[None]:
    """While the block runs `path` cannot be removed, which is proven first."""
    folder = path.parent
    if os.geteuid() == 0:
        subprocess.run(["chattr", "+i", str(path)], check=True)
    else:
        folder.chmod(0o500)
    try:
        with suppress(PermissionError):
            path.unlink()
            raise AssertionError(f"{path} could be removed")
        yield
    finally:
        if os.geteuid() == 0:
            subprocess.run(["chattr", "-i", str(path)], check=True)
        else:
            folder.chmod(0o700)
