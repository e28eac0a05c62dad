"""An export beside the one of the real Hermes, and read back by it."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from sessions.database import read_state
from sessions.export_jsonl import OWN_KEY, export_jsonl
from sessions.export_pages import Options
from tests.home_builders import BuiltHome

pytestmark = pytest.mark.interop

AS_HERMES = Options(undone=False, compacted=False, masked=False)

_IMPORT = """
import json, sys
from pathlib import Path
from hermes_state import SessionDB
db = SessionDB(Path(sys.argv[1]))
lines = [json.loads(line) for line in sys.stdin.read().split("\\n") if line]
result = db.import_sessions(lines)
back = {line["id"]: db.export_session(line["id"]) for line in lines}
print(json.dumps([result, back]))
"""


def hermes(home: Path, machine: Path, *arguments: str, **how: Any) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "HOME": str(machine), "HERMES_HOME": str(home)}
    return subprocess.run(
        [sys.executable, *arguments], env=environment, capture_output=True, text=True, check=True, **how
    )


def ours(folder: Path, sessions: list[str]) -> str:
    return b"".join(export_jsonl(partial(read_state, folder), sessions, AS_HERMES)).decode()


@pytest.mark.parametrize("profile", ["default", "office"])
def test_key_by_key(home_019: BuiltHome, profile: str, tmp_path: Path) -> None:
    folder = home_019.profile(profile)
    sessions = read_state(folder, lambda db: [key for (key,) in db.rows("SELECT id FROM sessions")])
    mine = [json.loads(line) for line in ours(folder, sessions).split("\n") if line]
    done = hermes(folder, tmp_path, "-m", "hermes_cli.main", "sessions", "export", "-")
    theirs = {line["id"]: line for line in map(json.loads, done.stdout.split("\n")[:-1])}
    assert len(mine) == len(theirs) > 0
    for line in mine:
        expected = theirs[line["id"]]
        expected.pop("last_active", None)  # of the list it was taken from; not there with --session-id
        line.pop(OWN_KEY)
        assert list(line) == list(expected)
        assert line == expected


def test_hermes_takes_it_back(make_home: Callable[..., BuiltHome], tmp_path: Path) -> None:
    home = make_home("--no-oracle")
    names = (
        "plain",
        "unicode",
        "multimodal",
        "xss",
        "lineage_1",
        "lineage_2",
        "lineage_3",
        "delegate_child",
        "odd_id",
    )
    text = ours(home.root, [home.facts()["sessions"][name] for name in names])
    fresh = tmp_path / "fresh"
    fresh.mkdir()
    done = hermes(fresh, tmp_path, "-c", _IMPORT, str(fresh / "state.db"), input=text)
    result, back = json.loads(done.stdout)
    assert (result["ok"], result["imported"], result["errors"]) == (True, len(names), [])
    for line in filter(None, text.split("\n")):
        sent = json.loads(line)
        got = back[sent["id"]]
        assert [(each["role"], each["content"]) for each in got["messages"]] == [
            (each["role"], each["content"]) for each in sent["messages"]
        ]
        assert [each["tool_calls"] for each in got["messages"]] == [
            each["tool_calls"] for each in sent["messages"]
        ]
        assert (got["title"], got["system_prompt"]) == (sent["title"], sent["system_prompt"])
