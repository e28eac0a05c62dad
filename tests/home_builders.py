"""Hermes homes for tests: the two recorded ones, and generated ones with Hermes' own classes.

Building is done once per test run and copied for each test, since a test may change what it gets.
"""

import atexit
import functools
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

HOMES = Path(__file__).with_name("homes")

# Runs apart: opening state.db as a plain file would drop the locks of this process's connections.
_FINGERPRINTS = """
import hashlib, json, os, sys
found = {}
for folder, names, files in os.walk(sys.argv[1]):
    for name in sorted(names + files):
        path = os.path.join(folder, name)
        about = os.lstat(path)
        digest = hashlib.sha256(open(path, "rb").read()).hexdigest() if os.path.isfile(path) else ""
        found[os.path.relpath(path, sys.argv[1])] = [about.st_mode, about.st_uid, about.st_mtime_ns, digest]
json.dump(found, sys.stdout)
"""


@dataclass(frozen=True)
class BuiltHome:
    """A home of one test: `root` is its HERMES_HOME, `outer` the folder around, `manifest` its contents."""

    root: Path
    outer: Path
    manifest: dict[str, Any]

    def profile(self, name: str) -> Path:
        return self.root if name == "default" else self.root / "profiles" / name

    def facts(self, name: str = "default") -> dict[str, Any]:
        """The manifest's part about one profile, for both kinds of homes."""
        if "profiles" in self.manifest:
            return next(each for each in self.manifest["profiles"] if each["profile"] == name)
        return self.manifest["facts"]["profiles"][name]


def recorded_home(release: str, into: Path) -> BuiltHome:
    """The home that a real Hermes of `release` ("0.19" or "0.22") wrote, below `into`."""
    original, manifest = _unpacked(release)
    into.mkdir(parents=True, exist_ok=True)
    subprocess.run(["cp", "-a", str(original / "sam"), str(into)], check=True)  # with owners and times
    return BuiltHome(into / "sam" / ".hermes", into / "sam", json.loads(manifest))


@functools.cache
def _unpacked(release: str) -> tuple[Path, str]:
    """Once per process: a copy of what is unpacked takes a tenth of the time."""
    folder = Path(tempfile.mkdtemp(prefix="hermesweb-recorded-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    name = f"hermes-{release}-home"
    with tarfile.open(HOMES / f"{name}.tar.gz") as archive:
        archive.extractall(folder, filter="tar")  # "data" would change the modes
    return folder, (HOMES / f"{name}.json").read_text()


@dataclass
class HomeFactory:
    """Builds homes with tests/homes/make_home.py below `workshop`, each kind once."""

    workshop: Path
    _built: dict[tuple[str, ...], tuple[Path, str]] = field(default_factory=dict)

    def make(self, into: Path, *options: str) -> BuiltHome:
        """A copy in `into` of the home that `options` describe (see make_home.py --help)."""
        if options not in self._built:
            self._built[options] = self._build(options)
        original, manifest = self._built[options]
        shutil.copytree(original, into, symlinks=True)
        return BuiltHome(into, into.parent, json.loads(manifest))

    def _build(self, options: tuple[str, ...]) -> tuple[Path, str]:
        name = hashlib.sha256("\0".join(options).encode()).hexdigest()[:12]
        home = self.workshop / name
        command = [sys.executable, str(HOMES / "make_home.py"), str(home), *options]
        environment = {**os.environ, "HOME": str(self.workshop), "HERMES_HOME": str(home)}
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return home, done.stdout


def fingerprints(folder: Path) -> dict[str, Any]:
    """Mode, owner, time and hash of everything below `folder`: the same again means nothing changed."""
    done = subprocess.run([sys.executable, "-c", _FINGERPRINTS, str(folder)], capture_output=True, check=True)
    return json.loads(done.stdout)


def side_files(folder: Path) -> set[str]:
    """Names of state.db and what lies directly beside it."""
    return {path.name for path in folder.glob("state.db*") if "malformed" not in path.name}
