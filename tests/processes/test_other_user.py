"""Hermes and hermesweb as two users of one machine, as deploy/hermesweb.service has it.

Hermes' files are 0600, so the service has three rights of root for the homes it is shown and is nobody else.
"""

import json
import os
import re
import shutil
import stat
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.home_builders import BuiltHome
from tests.memory_write_builders import in_python
from tests.web.server import CHECKOUT, Server, Visitor

pytestmark = pytest.mark.other_user

HERMES, OURS = 64_001, 64_002
RIGHTS = "+chown,+dac_override,+fowner"
MEMORIES = "homes/hermes/default/memory/"
# As Hermes writes a memory file: a private temporary file, renamed.
AS_HERMES = """
import fcntl, os, sys, tempfile
os.setgroups([]); os.setgid(64001); os.setuid(64001); os.umask(0o022); os.chdir(sys.argv[1])
for name in ("memories", "pending", "pending/memory"):
    os.makedirs(name, mode=0o700, exist_ok=True)
with open("memories/MEMORY.md.lock", "a+") as lock:
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    old = open("memories/MEMORY.md").read() if os.path.exists("memories/MEMORY.md") else ""
    handle, path = tempfile.mkstemp(dir="memories", prefix=".mem_", suffix=".tmp")
    os.write(handle, (old + sys.argv[2]).encode()); os.close(handle)
    os.replace(path, "memories/MEMORY.md")
print(old)
"""


class ServerOfAnotherUser(Server):
    """`manage.py serve` as OURS, with these rights."""

    rights = RIGHTS

    def start(self, *options: str) -> "Server":
        switches = [f"--reuid={OURS}", f"--regid={OURS}", "--clear-groups", "--no-new-privs"]
        granted = ["--inh-caps", f"-all,{self.rights}", "--ambient-caps", f"-all,{self.rights}"]
        bounded = ["--bounding-set", f"-all,{self.rights}"]
        program = ["setpriv", *switches, *granted, *bounded, sys.executable]
        own = {"HERMESWEB_DATA": str(self.data), "HERMESWEB_PORT": str(self.port), "HOME": str(self.data)}
        with self.output.open("ab") as output:
            self.process = subprocess.Popen(
                [*program, "manage.py", "serve", *options],
                cwd=CHECKOUT, env={**os.environ, **own, **self.environ}, stdin=subprocess.DEVNULL, stdout=output,
                stderr=output,
            )  # fmt: skip
        return self


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder that every user can reach, with a home of HERMES and a data folder of OURS."""
    folder = Path(tempfile.mkdtemp(prefix="hermesweb-users-"))
    folder.chmod(0o755)
    for name, user in ((".hermes", HERMES), ("data", OURS)):
        (folder / name).mkdir(mode=0o700)
        os.chown(folder / name, user, user)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def mara(place: Path) -> Iterator[Visitor]:
    hermes_writes(place, "likes maps")
    with visitor_of(place / ".hermes", place / "data") as mara:
        yield mara


@contextmanager
def visitor_of(home: Path, data: Path, rights: str = RIGHTS) -> Iterator[Visitor]:
    environ = {"HERMES_HOME": str(home), "DJANGO_SETTINGS_MODULE": "tests.web.slow.settings"}
    server = ServerOfAnotherUser(data, environ)
    server.rights = rights
    try:
        server.start().ready()
        yield Visitor(server.port).sign_in_first(server.link())
    finally:
        server.end()


def hermes_writes(place: Path, text: str) -> str:
    """Hermes adds a text to its memory; what it read before."""
    done = subprocess.run(
        [sys.executable, "-c", AS_HERMES, str(place / ".hermes"), text], capture_output=True, text=True, check=True
    )  # fmt: skip
    return done.stdout.removesuffix("\n")


def owners(home: Path) -> dict[str, tuple[int, int, int]]:
    """User, group and mode of everything in a home."""
    found = {}
    for path in home.rglob("*"):
        status = path.lstat()
        found[path.relative_to(home).as_posix()] = status.st_uid, status.st_gid, stat.S_IMODE(status.st_mode)
    return found


def listed(*entries: tuple[int, ...]) -> bytes:
    """An access list as Linux keeps it: kind (1 owner, 2 a user, 4 group, 16 mask, 32 others), rights, user."""
    wholes = [(*entry, 0xFFFFFFFF)[:3] for entry in entries]
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in wholes)


def test_both_write_and_each_reads_the_other(place: Path, mara: Visitor) -> None:
    home = place / ".hermes"
    assert "likes maps" in mara.get(f"/{MEMORIES}").body
    before = owners(home)
    assert before["memories/MEMORY.md"] == (HERMES, HERMES, 0o600)
    assert mara.post(f"/{MEMORIES}save/", {"target": "memory", "content": "collects keys"}).status in (
        302,
        303,
    )
    assert owners(home) == before
    assert hermes_writes(place, "\n§\nsings at noon") == "likes maps\n§\ncollects keys"
    assert owners(home) == before
    page = mara.get(f"/{MEMORIES}").body
    assert "collects keys" in page
    assert "sings at noon" in page


def test_what_is_made_anew_belongs_to_hermes(place: Path, mara: Visitor) -> None:
    """A memory file and its lock that were not there, and a proposal that is settled."""
    home = place / ".hermes"
    record = {
        "id": "ab12cd34",
        "subsystem": "memory",
        "action": "add",
        "summary": "s",
        "origin": "foreground",
    }
    record |= {"created_at": 1.0, "payload": {"action": "add", "target": "user", "content": "Likes ships"}}
    proposal = home / "pending/memory/ab12cd34.json"
    proposal.write_text(json.dumps(record))
    proposal.chmod(0o600)
    os.chown(proposal, HERMES, HERMES)
    assert mara.post(f"/{MEMORIES}save/", {"target": "user", "content": "Is called Mara"}).status in (
        302,
        303,
    )
    made = owners(home)
    assert made["memories/USER.md"] == (HERMES, HERMES, 0o600)
    assert made["memories/USER.md.lock"][:2] == (HERMES, HERMES)
    assert {user for user, _, _ in made.values()} == {HERMES}


def test_conversations_are_read_and_nothing_is_left(place: Path, home_022: BuiltHome) -> None:
    """SQLite would make side files of its own beside state.db, which Hermes could not open."""
    for path in [home_022.root, *home_022.root.rglob("*")]:
        os.chown(path, HERMES, HERMES, follow_symlinks=False)
        if not path.is_symlink():
            path.chmod(0o700 if path.is_dir() else 0o600)
    before = owners(home_022.root)
    with visitor_of(home_022.root, place / "data") as mara:
        page = mara.get("/homes/hermes/default/sessions/")
        assert page.status == 200
        conversation = re.search(r'href="(/homes/hermes/default/sessions/[^/"]+/)"', page.body)
        assert conversation
        assert mara.get(conversation[1]).status == 200
        assert mara.post("/homes/hermes/default/search/", {"q": "the"}).status in (200, 302, 303)
    assert owners(home_022.root) == before


def test_an_access_list_stays(place: Path, mara: Visitor) -> None:
    """Somebody gave a third user a right of their own."""
    path = place / ".hermes/memories/MEMORY.md"
    access_list = bytes.fromhex(
        "02000000 01000600ffffffff 02000400 23fa0000 04000000ffffffff 10000400ffffffff 20000000ffffffff"
    )
    os.setxattr(path, "system.posix_acl_access", access_list)
    assert mara.post(f"/{MEMORIES}save/", {"target": "memory", "content": "collects keys"}).status in (
        302,
        303,
    )
    assert b"collects keys" in path.read_bytes()
    assert os.getxattr(path, "system.posix_acl_access") == access_list


def test_a_server_without_that_right_reads_and_says_so(place: Path) -> None:
    """It may write there, but only files that Hermes could not use."""
    hermes_writes(place, "likes maps")
    before = owners(place / ".hermes")
    with visitor_of(place / ".hermes", place / "data", rights="+dac_override") as mara:
        page = mara.get(f"/{MEMORIES}")
        assert "likes maps" in page.body
        assert "open for reading only" in page.body
        assert mara.post(f"/{MEMORIES}save/", {"target": "memory", "content": "collects keys"}).status == 403
    assert "It belongs to another user" in (place / "data.output").read_text()
    assert owners(place / ".hermes") == before


def test_without_the_right_to_give_files_away_nothing_is_begun(place: Path) -> None:
    hermes_writes(place, "likes maps")
    home = place / ".hermes"
    for path in [home, *home.rglob("*")]:
        path.chmod(0o777 if path.is_dir() else 0o666)
    before = owners(home)
    done = in_python(
        "import os, sys; from pathlib import Path\n"
        "from hermesweb.hermes.locks import held\n"
        "from hermesweb.hermes.rights import can_make_for\n"
        "from hermesweb.hermes.writing import NotWritten, make_folder, replace_file\n"
        "home = Path(sys.argv[1]); memory = home / 'memories/MEMORY.md'\n"
        "os.setgroups([]); os.setgid(64002); os.setuid(64002)\n"
        "print(can_make_for(64001), can_make_for(64002))\n"
        "for work in (lambda: replace_file(memory, b'x', root=home), lambda: make_folder(home / 'n', root=home),\n"
        "             lambda: held(home / 'memories/USER.md', root=home).__enter__()):\n"
        "    try: work()\n"
        "    except NotWritten as error: print(error.why)",
        home,
    )
    assert done.stdout == "False True\n" + "foreign_owner\n" * 3, done.stderr
    assert owners(home) == before


def test_access_lists_alone_do_not_do() -> None:
    """Why the service has rights instead: a file made 0600 shuts out whom the folder's list lets in."""
    with tempfile.TemporaryDirectory() as folder:
        default = bytes.fromhex(
            "02000000 01000700ffffffff 02000700 02fa0000 04000000ffffffff 10000700ffffffff 20000000ffffffff"
        )
        os.setxattr(folder, "system.posix_acl_default", default)
        handle, path = tempfile.mkstemp(dir=folder)
        os.close(handle)
        entries = os.getxattr(path, "system.posix_acl_access")[4:]
        kinds = {entries[at]: entries[at + 2] for at in range(0, len(entries), 8)}
    assert kinds[0x02] == 7  # the user is named in the list of the file
    assert kinds[0x10] == 0  # and its mask takes every right away
