"""Small homes and a make-believe /proc for the tests of hermesweb/hermes."""

import os
import subprocess
import sys
import textwrap
from collections.abc import Mapping, Sequence
from pathlib import Path

from hermesweb.hermes.homes import Home, Profile

NOBODY = 65_534


def write(folder: Path, files: Mapping[str, str | bytes]) -> Path:
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    return folder


def profile_in(root: Path, name: str = "default") -> Profile:
    """The profile `name` of the home at `root`; its folder is made if need be."""
    folder = root if name == "default" else root / "profiles" / name
    folder.mkdir(parents=True, exist_ok=True)
    return Profile(Home("home", "home", root), name, folder)


def as_nobody(code: str, *arguments: object, user: int = NOBODY) -> str:
    """What `code` prints when it runs without any rights of root. Everything it needs is imported before."""
    program = f"""
import os, sys
from pathlib import Path
from hermesweb.hermes import config, errors, files, homes, measure, processes, running
os.setgroups([]); os.setgid({user}); os.setuid({user})
{textwrap.dedent(code)}
"""
    command = [sys.executable, "-c", program, *map(str, arguments)]
    checkout = Path(__file__).parents[1]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=checkout)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


class FakeProc:
    """A folder that looks like /proc, so that a test says itself which processes there are."""

    def __init__(self, folder: Path, *, namespace: str = "pid:[4026531836]") -> None:
        self.folder = folder
        write(folder, {"stat": "cpu 0 0\nbtime 1700000000\n", "locks": ""})
        (folder / "self/ns").mkdir(parents=True)
        (folder / "self/ns/pid").symlink_to(namespace)
        self.process(1, ["/sbin/init"])

    def process(
        self,
        pid: int,
        argv: Sequence[str],
        *,
        environ: Mapping[str, str] | None = None,
        open_files: Sequence[Path] = (),
        ticks: int = 1_000,
        cwd: Path = Path("/"),
    ) -> None:
        own = self.folder / str(pid)
        fields = " ".join(["S", "1", *("0" for _ in range(17)), str(ticks), "0"])
        variables = [f"{name}={value}" for name, value in (environ or {}).items()]
        write(
            own,
            {
                "cmdline": "".join(f"{part}\0" for part in argv),
                "environ": "".join(f"{variable}\0" for variable in variables),
                "stat": f"{pid} (a) name (with brackets) {fields}\n",
            },
        )
        (own / "cwd").symlink_to(cwd)
        (own / "root").symlink_to("/")
        (own / "fd").mkdir()
        for number, path in enumerate(open_files):
            (own / "fd" / str(number)).symlink_to(path)

    def lock(self, path: Path, pid: int) -> None:
        status = path.stat()
        device = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
        with (self.folder / "locks").open("a") as locks:
            locks.write(f"1: POSIX  ADVISORY  WRITE 77 {device} 0 EOF\n")
            locks.write(f"2: FLOCK  ADVISORY  WRITE {pid} {device} 0 EOF\n")
