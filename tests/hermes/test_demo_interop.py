"""The real Hermes 0.19 takes the demo for one of its own homes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from hermesweb.demo.home import build_home
from hermesweb.hermes.config import read_config
from hermesweb.hermes.homes import home_at, list_profiles
from memory.entries import read_store
from memory.pending import read_pending

NOW = 1_790_000_000.0

# Runs inside Hermes, with the profile's folder as its home.
_ASK = """
import json, logging, os, sys
from pathlib import Path
logging.disable(logging.CRITICAL)
home = Path(os.environ["HERMES_HOME"])
from hermes_state import SessionDB
database = SessionDB(home / "state.db")
listed = database.list_sessions_rich(limit=200)
found = {word: sorted({hit["session_id"] for hit in database.search_messages(word, limit=50)})
         for word in ("hazelnut*", "水曜日", "quillwort", "window AND shower")}
newest = listed[0]["id"]
database.append_message(newest, "user", "spoken to the demo by wobblefrost")
after = [hit["session_id"] for hit in database.search_messages("wobblefrost")]
row = database.get_session(newest)
facts = {name: [list(row) for row in database._conn.execute(query)] for name, query in (
    ("schema", "SELECT version FROM schema_version"), ("journal", "PRAGMA journal_mode"),
    ("sound", "PRAGMA integrity_check"))}
database.close()
from tools.memory_tool import load_on_disk_store
store = load_on_disk_store()
blocks = {target: store.format_for_system_prompt(target) for target in ("memory", "user")}
from tools import write_approval
pending = {kind: [record["id"] for record in write_approval.list_pending(kind)] for kind in ("memory", "skills")}
json.dump({
    "listed": [[each["id"], each["title"], each["message_count"]] for each in listed], "found": found,
    "newest": newest, "after": after, "count": row["message_count"], **facts,
    "memory": store.memory_entries, "user": store.user_entries, "blocks": blocks,
    "pending": pending,
}, sys.stdout)
"""


def ask_hermes(folder: Path, os_home: Path) -> dict[str, Any]:
    """What Hermes says about the profile in `folder`, in a process with no other home."""
    environ = {"PATH": os.environ["PATH"], "HOME": str(os_home), "HERMES_HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-I", "-c", _ASK],
        cwd=os_home,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("demo") / "home"
    build_home(folder, now=NOW)
    return folder


@pytest.fixture(scope="module")
def answers(root: Path) -> dict[str, dict[str, Any]]:
    profiles = list_profiles(home_at(root))
    return {profile.name: ask_hermes(profile.folder, root.parent) for profile in profiles}


pytestmark = pytest.mark.interop


def test_it_opens_the_state_and_leaves_its_schema(answers: dict[str, dict[str, Any]]) -> None:
    for answer in answers.values():
        assert answer["schema"] == [[22]]
        assert answer["journal"] == [["wal"]]
        assert answer["sound"] == [["ok"]]


def test_it_lists_the_sessions(answers: dict[str, dict[str, Any]]) -> None:
    titles = [title for _, title, _ in answers["default"]["listed"]]
    assert "Stars for the winter fair" in titles
    assert "Bathroom renovation #3" in titles  # the tip stands for the whole chain
    assert "Bathroom renovation" not in titles
    assert "Which heat pump #2" in titles
    assert "Between us" not in titles  # deleted
    assert "Receipts of last year" not in titles  # archived
    assert answers["workshop"]["listed"][0][1] == "Glaze of the stars"


def test_it_finds_words(answers: dict[str, dict[str, Any]]) -> None:
    found = answers["default"]["found"]
    assert len(found["hazelnut*"]) >= 4
    assert len(found["水曜日"]) == 1
    assert found["quillwort"] == []
    assert found["window AND shower"] is not None


def test_it_goes_on_with_a_conversation(answers: dict[str, dict[str, Any]]) -> None:
    for answer in answers.values():
        assert answer["after"] == [answer["newest"]]
        counts = {identity: messages for identity, _, messages in answer["listed"]}
        assert answer["count"] == counts[answer["newest"]] + 1


def test_it_loads_the_entries_that_we_read(root: Path, answers: dict[str, dict[str, Any]]) -> None:
    for profile in list_profiles(home_at(root)):
        config = read_config(profile.folder, root=root)
        for target in ("memory", "user"):
            ours = read_store(profile, target, config, "0.19")
            assert answers[profile.name][target] == [entry.text for entry in ours.kept]


def test_the_stored_prompts_hold_the_block_that_it_makes(
    root: Path, answers: dict[str, dict[str, Any]]
) -> None:
    [dump] = root.glob("sessions/request_dump_*.json")
    assert "MEMORY (your personal notes)" in dump.read_text()
    newest = answers["default"]
    prompts = subprocess.run(
        [sys.executable, "-c", _NEWEST_PROMPT, str(root / "state.db")],
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert newest["blocks"]["memory"] in prompts
    assert newest["blocks"]["user"] in prompts


_NEWEST_PROMPT = """
import sqlite3, sys
query = "SELECT system_prompt FROM sessions WHERE source = 'cli' ORDER BY started_at DESC LIMIT 1"
print(sqlite3.connect(sys.argv[1]).execute(query).fetchone()[0])
"""


def test_it_lists_the_pending_writes(root: Path, answers: dict[str, dict[str, Any]]) -> None:
    queue = read_pending(list_profiles(home_at(root))[0])
    readable = [record for record in queue.records if record.problem is None]
    for kind in ("memory", "skills"):
        ours = [record.id for record in readable if record.subsystem == kind]
        assert answers["default"]["pending"][kind] == ours
        assert ours
