"""Which store a path belongs to."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermesweb.hermes.stores.catalogue import is_place, local_stores, store_of, store_of_table
from tests.home_builders import HOMES
from tests.store_paths import PROFILE, ROOT

# Where the catalogue tells apart, or knows, what the lists of the recorded homes do not.
RENAMED = {"model caches (keep)": "model-caches", "state-db (section 4)": "state-db"}
KNOWN_BETTER = {
    "config.yaml.bak.1764000000": "config-backups",  # cleared on request; config.yaml itself stays
    "cache/banner_snapshot.json": "skills-prompt-snapshot",  # names skills, so it is no cache without words
    "gateway/dead_targets.json": "dedup",  # the lists give the first of three names of a row
    "state.db.malformed-backup-20261128_030000": "state-siblings",  # cleared otherwise than state.db
}
NEW_IN_022 = {
    ".curator_backups/blobs/": "curator-blobs",
    "cache/scratch/": "scratch",
    "cache/terminal-output/": "terminal-output",
    "telemetry/": "telemetry",
}
NO_STORE = {"diary-of-another-tool.txt", "scratch.db"}


def id_of(path: str, *, root: bool = True) -> str:
    store = store_of(path, root=root)
    return store.id if store else "unknown"


def id_in_home(path: str) -> str:
    """Of a path relative to the home, in a named profile too."""
    of_profile = path.removeprefix("profiles/office/")
    return id_of(of_profile.partition("!")[0], root=of_profile == path)


def expected(path: str, listed: str) -> str:
    name = path.removeprefix("profiles/office/").partition("!")[0]
    if name in KNOWN_BETTER:
        return KNOWN_BETTER[name]
    for start, identity in NEW_IN_022.items():
        if listed == "unknown" and name.startswith(start):
            return identity
    if listed.startswith("memory-provider: "):
        return "provider-" + listed.removeprefix("memory-provider: ").partition(" ")[0]
    return RENAMED.get(listed, listed)


def test_each_store_of_a_profile() -> None:
    for identity, paths in PROFILE.items():
        for path in paths.split():
            assert id_of(path) == id_of(path, root=False) == identity, path


def test_stores_of_all_profiles_lie_in_the_root_only() -> None:
    for identity, paths in ROOT.items():
        for path in paths.split():
            assert id_of(path) == identity, path
            assert id_of(path, root=False) in ("unknown", "root-locks"), path


def test_no_local_store_is_without_an_example() -> None:
    assert {store.id for store in local_stores()} == {*PROFILE, *ROOT}


@pytest.mark.parametrize("release", ["0.19", "0.22"])
def test_the_recorded_homes(release: str) -> None:
    manifest = json.loads((HOMES / f"hermes-{release}-home.json").read_text())
    places = {
        (found["path"], found["store"])
        for canary in manifest["canaries"]
        for found in canary["found_in"]
        if not found["path"].startswith("..")
    }
    assert len(places) > 150
    for path, listed in places:
        assert id_in_home(path) == expected(path, listed), path


@pytest.mark.parametrize("release", ["0.19", "0.22"])
def test_only_files_of_others_are_unknown(release: str) -> None:
    manifest = json.loads((HOMES / f"hermes-{release}-home.json").read_text())
    inside = [path for path in manifest["files"] if not path.startswith("..")]
    assert {path for path in inside if id_in_home(path) == "unknown"} == NO_STORE
    assert {path for path in manifest["unknown_files"] if expected(path, "unknown") == "unknown"} == NO_STORE


@pytest.mark.parametrize(
    "path",
    [
        "", ".", "state.dbx", "xstate.db", "statexdb", "skills", "a\nb", "memories/notes.txt", "cron/other.txt",
        "memories/sub/MEMORY.md", "profiles/x/state.db", "cache/new-thing/a", "x/state.db", "sessions/a.bin",
        "sessions/a/b.json", "new.tmp", ".new_a1b2c3d4.tmp", "~",
    ],
)  # fmt: skip
def test_unknown(path: str) -> None:
    assert id_of(path) == "unknown"


@pytest.mark.parametrize(
    ("path", "identity"),
    [
        ("auth.json.tmp", "auth"),
        (".auth.json.swp", "auth"),
        (".auth_a1b2c3d4.tmp", "auth"),
        (".processes_a_2c_d4x.tmp", "processes"),
        ("cron/jobs.json.tmp.4711", "cron-jobs"),
        ("cron/jobs.json.corrupt", "cron-jobs"),
        ("SOUL.md.orig", "soul"),
        ("active_profile.tmp", "active-profile"),
    ],
)
def test_what_a_stopped_writer_left_belongs_to_the_file(path: str, identity: str) -> None:
    assert id_of(path) == identity


@given(st.text(), st.booleans())
def test_any_path_has_an_answer(path: str, root: bool) -> None:
    store_of(path, root=root)


@pytest.mark.parametrize(
    ("table", "identity"),
    [
        ("messages", "state-messages"),
        ("messages_fts", "state-messages-fts-data"),
        ("messages_fts_content", "state-messages-fts-content"),
        ("messages_fts_docsize", "state-messages-fts-data"),
        ("messages_fts_trigram_idx", "state-messages-fts-trigram-data"),
        ("messages_fts_trigram_content", "state-messages-fts-trigram-content"),
        ("messages_fts_cjk_data", "state-messages-fts-cjk"),
        ("state_meta", "goals"),
        ("another_table", None),
    ],
)
def test_tables_of_state_db(table: str, identity: str | None) -> None:
    store = store_of_table(table)
    assert (store.id if store else None) == identity


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("state.db", True), ("memories", True), ("memories/MEMORY.md", True), ("skills", True), ("sessions", True),
        ("sessions/session_a.json", True), ("cache/web", True), ("cache", True), ("state.db.malformed-1", True),
        ("skills/linked", False), ("workspace/a/b", False), ("diary.txt", False), ("plans/a", False),
    ],
)  # fmt: skip
def test_what_hermes_looks_for_itself(path: str, place: bool) -> None:
    assert is_place(path, root=True) == place
