"""Every store of the catalogue that has a place: made with a word in it, and found as what it is."""

import io
import sqlite3
import tarfile
import zipfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hermesweb.hermes.homes import home_at, list_profiles
from hermesweb.hermes.stores.catalogue import local_stores, store_of_table, stores
from hermesweb.privacy.trace import Trace, trace
from hermesweb.privacy.trace_places import Reach
from tests.store_paths import OUTSIDE, PROFILE, ROOT

WORD = "velquincunx"
WORK = {"context-files", "trajectories", "worktrees"}  # in folders that Hermes worked in, which nobody knows
NO_FILE = {"hermesweb-logs", "nemo-relay", "containers", "remote-sandboxes", "os-level"}


def write(file: Path) -> None:
    """A file with the word in it, packed as its name says."""
    file.parent.mkdir(parents=True, exist_ok=True)
    if is_database(file):
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("CREATE TABLE notes(note TEXT)")
            connection.execute("INSERT INTO notes VALUES(?)", (f"about {WORD}",))
    elif file.suffix == ".zip":
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
            packed.writestr("memories/USER.md", f"about {WORD}")
    elif file.name.endswith(".tar.gz"):
        content = f"about {WORD}".encode()
        with tarfile.open(file, "w:gz") as packed_folder:
            member = tarfile.TarInfo("skills/a/SKILL.md")
            member.size = len(content)
            packed_folder.addfile(member, io.BytesIO(content))
    else:
        file.write_text(
            f'{{"note": "about v\\u0065{WORD[2:]}"}}' if file.suffix == ".json" else f"about {WORD}"
        )


def is_database(file: Path) -> bool:
    """Or a copy of one that Hermes put aside."""
    return file.suffix in (".db", ".sqlite3") or (
        ".db." in file.name and file.suffix not in (".lock", ".json")
    )


def side_file(path: str) -> bool:
    """Beside a database these would not be read as what they are."""
    return path.endswith(("-wal", "-shm", "-journal"))


def paths(of: dict[str, str]) -> Iterator[tuple[str, str]]:
    for name, several in of.items():
        for path in several.split():
            if not side_file(path):
                yield path, name


def places(found: Trace) -> dict[str, str]:
    """Store by file; what is in an archive as the archive."""
    return {each.file.partition("!")[0]: each.store for each in found.found}


def test_every_store_of_a_home_in_one_look(tmp_path: Path) -> None:
    root = tmp_path / "home"
    expected = dict(paths(PROFILE)) | dict(paths(ROOT))
    for path in expected:
        write(root / path)
    for path, _ in paths(PROFILE):
        write(root / "profiles/office" / path)
    found = trace(list_profiles(home_at(root)), WORD)
    named = {f"profiles/office/{path}": name for path, name in paths(PROFILE)}
    assert places(found) == expected | named
    assert set(expected.values()) == {each.id for each in local_stores()}
    assert {each.profile for each in found.found if each.file in named} == {"office"}
    assert (found.not_checked, found.exit_code) == ((), 0)


def test_every_fixed_place_outside_of_it(tmp_path: Path) -> None:
    root, login, temporary, data = (tmp_path / name for name in ("home", "login", "tmp", "data"))
    (root / "profiles/office/memories").mkdir(parents=True)
    reach = Reach(login, temporary, data)
    bases = {"~": login, "<tmp>": temporary, "<data>": data}
    expected = {path: name for path, name in paths(OUTSIDE) if not path.startswith("<work>")}
    for path in expected:
        label, _, below = path.partition("/")
        write(bases[label] / below)
    found = trace(list_profiles(home_at(root)), WORD, reach=reach)
    assert places(found) == expected
    assert found.not_checked == ()
    with_a_place = {each.id for each in stores() if each.where in ("outside", "ours")} - NO_FILE - WORK
    assert with_a_place - set(expected.values()) == set()


@pytest.mark.parametrize("name", [each.table for each in stores() if each.table and "fts" not in each.table])
def test_every_table_of_state_db(name: str, tmp_path: Path) -> None:
    """Also those that hold no text today."""
    with closing(sqlite3.connect(tmp_path / "state.db")) as connection, connection:
        if name == "sqlite_sequence":
            connection.execute(f"CREATE TABLE {WORD}(id INTEGER PRIMARY KEY AUTOINCREMENT)")
            connection.execute(f"INSERT INTO {WORD} VALUES(1)")
        else:
            connection.execute(f"CREATE TABLE {name}(id TEXT, note TEXT)")
            connection.execute(f"INSERT INTO {name} VALUES('a', 'about {WORD}')")
    found = trace(list_profiles(home_at(tmp_path)), WORD).found
    assert {each.store for each in found} == {"state-db"}
    tables = {each.where.partition(".")[0] for each in found if each.how == "sql"}
    assert name in tables
    assert store_of_table(name) in stores()


@pytest.mark.parametrize("index", ["messages_fts", "messages_fts_trigram"])
@pytest.mark.parametrize("deleted", [False, True])
def test_both_indexes_of_state_db(index: str, deleted: bool, tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "state.db")) as connection, connection:
        tokenizer = ", tokenize='trigram'" if index.endswith("trigram") else ""
        connection.execute(f"CREATE VIRTUAL TABLE {index} USING fts5(content{tokenizer})")
        connection.execute(f"INSERT INTO {index}(rowid, content) VALUES(1, 'about {WORD}')")
        if deleted:
            connection.execute(f"DELETE FROM {index}")
    found = trace(list_profiles(home_at(tmp_path)), WORD).found
    ways = {each.how for each in found if each.where.startswith(index)}
    assert ("index_left_over" if deleted else "index_live") in ways
    assert deleted or any(each.where.startswith(f"{index}_content") for each in found if each.how == "sql")


def test_what_no_file_of_ours_shows_is_said_elsewhere() -> None:
    """Remote stores and those without a fixed place have no file to look into."""
    rest = {each.id for each in stores()} - {each.id for each in local_stores()} - set(OUTSIDE)
    without = {each.id for each in stores() if each.where == "remote" or each.table or each.inside}
    assert rest - without == NO_FILE
