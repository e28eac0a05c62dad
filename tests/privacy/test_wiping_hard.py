"""What goes wrong while a profile is cleared: the report is right each time, and a run that was ended goes on."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hermesweb.hermes.homes import Profile, find_profile, home_at
from hermesweb.privacy.wiping.choice import choose
from hermesweb.privacy.wiping.perform import Order, perform, temporary_folder
from hermesweb.privacy.wiping.place import NotHere, only_one
from hermesweb.privacy.wiping.report import came_back, exit_code, left_to_do
from hermesweb.privacy.wiping.run import Record
from hermesweb.privacy.wiping.survey import Outside, survey
from tests.home_builders import BuiltHome, fingerprints, recorded_home
from tests.wiping_builders import planted, undeletable, words_left

CHECKOUT = Path(__file__).parents[2]
MINE = "profiles/office/"

# Says each step and waits there for ever when it is the one to be killed at. Keeps its record as a job does.
PROGRAM = """
import json, resource, sys, time
from pathlib import Path
from hermesweb.hermes.homes import find_profile, home_at
from hermesweb.privacy.wiping.choice import choose
from hermesweb.privacy.wiping.perform import Order, perform
from hermesweb.privacy.wiping.run import Record
from hermesweb.privacy.wiping.survey import Outside
root, work, kept, mark, alive, largest = sys.argv[1:]
work, kept = Path(work), Path(kept)
if int(largest):
    resource.setrlimit(resource.RLIMIT_FSIZE, (int(largest), resource.RLIM_INFINITY))
def step(name, done, total):
    print(name, flush=True)
    if name == mark:
        time.sleep(600)
order = Order(
    find_profile(home_at(Path(root)), "office"), choose(["everything"], shared=False), alive == "1",
    ["unlikely words"], frozenset(), {}, work, Outside(work / "nobody", work / "nothing", frozenset()),
    on_step=step, on_record=lambda record: kept.write_text(json.dumps(record.plain())),
)
if kept.exists():
    order.record = Record.of(json.loads(kept.read_text()))
print("REPORT", json.dumps(perform(order)))
"""


class Office:
    """The profile "office" of the recorded home of 0.19, cleared in processes of their own or in this one."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.built: BuiltHome = recorded_home("0.19", folder / "made")
        self.profile: Profile = find_profile(home_at(self.built.root), "office")
        self.work = folder / "work"

    def command(self, mark: str, alive: bool, largest: int) -> list[str]:
        kept = self.folder / "record.json"
        paths = [str(self.built.root), str(self.work), str(kept)]
        return [sys.executable, "-c", PROGRAM, *paths, mark, str(int(alive)), str(largest)]

    def killed_at(self, mark: str, *, alive: bool) -> None:
        with subprocess.Popen(
            self.command(mark, alive, 0), cwd=CHECKOUT, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout
            while (line := process.stdout.readline().strip()) != mark:
                assert line, f"never came to {mark}"
                assert not line.startswith("REPORT"), f"never came to {mark}"
            os.kill(process.pid, signal.SIGKILL)
            assert process.wait() == -signal.SIGKILL

    def cleared(self, *, alive: bool, largest: int = 0) -> dict[str, Any]:
        done = subprocess.run(
            self.command("", alive, largest), cwd=CHECKOUT, capture_output=True, text=True, check=True
        )
        return json.loads(done.stdout.splitlines()[-1].removeprefix("REPORT"))  # type: ignore[no-any-return]

    def order(self, *names: str, alive: bool = False, **more: Any) -> Order:
        nowhere = Outside(self.work / "nobody", self.work / "nothing", frozenset())
        choice = choose(names or ["everything"], shared=False)
        return Order(self.profile, choice, alive, [], frozenset(), {}, self.work, nowhere, **more)

    def words(self) -> dict[str, list[str]]:
        return words_left(self.profile.folder, planted(self.built.manifest))


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return Office(tmp_path)


def outcome(content: dict[str, Any], name: str) -> tuple[str, str]:
    (found,) = [each for each in (*content["stores"], content["unknown"]) if each["id"] == name]
    return found["outcome"], found["why"]


def when(step: str, act: Callable[[], object]) -> Callable[[str, int, int], None]:
    """Do something once, at that step of a run."""
    left = [act]

    def on_step(name: str, done: int, total: int) -> None:
        if name == step and left:
            left.pop()()

    return on_step


@pytest.mark.parametrize("mark", ["memory-pending", "user-md", "state-db", "agent-log", "look"])
def test_killed_and_begun_again(office: Office, mark: str) -> None:
    others = {
        path: each for path, each in fingerprints(office.built.root).items() if not path.startswith(MINE[:-1])
    }
    office.killed_at(mark, alive=False)
    content = office.cleared(alive=False)
    assert (content["complete"], content["interrupted"], content["attempts"]) == (True, False, 2)
    # What went before the end is still known to have been there.
    assert outcome(content, "memory-md") == ("wiped", "")
    assert outcome(content, "state-db")[0] == "wiped"
    assert office.words() == {}
    assert not temporary_folder(office.work, office.profile).exists()
    after = {
        path: each for path, each in fingerprints(office.built.root).items() if not path.startswith(MINE[:-1])
    }
    assert after == others


@pytest.mark.parametrize("mark", ["rows", "vacuum"])
def test_killed_while_the_database_is_emptied_in_place(office: Office, mark: str) -> None:
    office.killed_at(mark, alive=True)
    content = office.cleared(alive=True)
    assert outcome(content, "state-db") == ("wiped", "in_place")
    assert office.words() == {}
    with closing(sqlite3.connect(office.profile.folder / "state.db")) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_killed_and_not_begun_again(office: Office) -> None:
    """Nobody went on: what the record says is what the disk says."""
    office.killed_at("agent-log", alive=False)
    record = Record.of(json.loads((office.folder / "record.json").read_text()))
    assert {"memory-md", "state-db"} <= set(record.done)
    assert "agent-log" not in record.done
    assert not (office.profile.folder / "memories/MEMORY.md").exists()
    assert (office.profile.folder / "logs/agent.log").stat().st_size


def test_full_disk(office: Office) -> None:
    """state.db cannot be written anew: it is not called wiped, and with room it is finished."""
    content = office.cleared(alive=True, largest=90_000)
    assert outcome(content, "state-db")[0] in ("partly", "not_wiped")
    assert outcome(content, "state-db")[1] in ("no_space", "io", "failed")
    assert exit_code(content) == 3
    assert "state-db" in left_to_do(content).stores
    (office.folder / "record.json").unlink()
    content = perform(office.order(*left_to_do(content).stores))
    assert content["complete"]
    assert office.words() == {}


def test_read_only_folder(office: Office) -> None:
    folder = office.profile.folder / "memories"
    if os.geteuid() == 0:
        subprocess.run(["chattr", "+i", str(folder)], check=True)
    else:
        folder.chmod(0o500)
    try:
        with pytest.raises(PermissionError):
            (folder / "MEMORY.md").unlink()
        content = perform(office.order())
    finally:
        if os.geteuid() == 0:
            subprocess.run(["chattr", "-i", str(folder)], check=True)
        folder.chmod(0o700)
    assert outcome(content, "memory-md")[0] == "not_wiped"
    assert outcome(content, "memory-md")[1] in ("permission", "read_only", "io")
    assert (content["complete"], content["outcome"]) == (False, "incomplete")
    assert outcome(content, "state-db")[0] == "wiped"


def test_a_file_that_appears_during_the_run(office: Office) -> None:
    memory, log = office.profile.folder / "memories/MEMORY.md", office.profile.folder / "logs/agent.log.9"

    def appear() -> None:
        memory.parent.mkdir(exist_ok=True)
        memory.write_text("written again")
        log.write_text("another")

    content = perform(office.order(on_step=when("agent-log", appear)))
    assert outcome(content, "memory-md") == ("partly", "appeared")
    assert outcome(content, "agent-log") == ("partly", "appeared")
    assert not content["complete"]


def test_an_unknown_file_stays_unless_it_is_ticked(office: Office) -> None:
    diary = office.profile.folder / "diary-of-another-tool.txt"
    diary.write_text("mine")
    content = perform(office.order("default", "backups", "soul"))
    assert diary.read_text() == "mine"
    assert content["unknown_files"] == [diary.name]
    content = perform(office.order("unknown"))
    assert (content["unknown_files"], diary.exists()) == ([], False)


def test_a_chat_that_is_opened_meanwhile(office: Office) -> None:
    """Asked again before the database goes: it is emptied where it stands, not taken away from under the chat."""
    number = (office.profile.folder / "state.db").stat().st_ino
    content = perform(office.order(is_alive=lambda: True))
    assert (office.profile.folder / "state.db").stat().st_ino == number
    assert outcome(content, "state-db") == ("wiped", "in_place")
    assert content["while_running"]


def made_anew(folder: Path, *, message: bool) -> None:
    """As a chat does that was open: its session, perhaps before any message."""
    with closing(sqlite3.connect(folder / "state.db")) as database:
        database.execute("CREATE TABLE IF NOT EXISTS sessions (id TEXT, source TEXT)")
        database.execute("CREATE TABLE IF NOT EXISTS messages (id INTEGER, session_id TEXT, content TEXT)")
        database.execute("INSERT INTO sessions (id, source) VALUES ('again', 'cli')")
        if message:
            database.execute("INSERT INTO messages (id, session_id, content) VALUES (1, 'again', 'hello')")
        database.commit()


@pytest.mark.parametrize("message", [False, True])
def test_a_database_made_anew_is_not_called_wiped(office: Office, message: bool) -> None:
    content = perform(
        office.order(on_step=when("agent-log", lambda: made_anew(office.profile.folder, message=message)))
    )
    assert outcome(content, "state-db") == ("partly", "appeared")


def test_the_second_look_tells_a_bare_session_from_messages(office: Office) -> None:
    content = perform(office.order())
    assert came_back(content, survey(office.profile), {}) == []
    made_anew(office.profile.folder, message=False)
    (back,) = came_back(content, survey(office.profile), {"sessions": 1, "messages": 0})
    assert (back["id"], back["rows"]) == ("state-db", {"sessions": 1})
    content["looks"] = [{"at": "", "came_back": [back]}]
    assert left_to_do(content).stores == {"state-db"}


def test_two_runs_at_once(office: Office) -> None:
    with only_one(office.profile, office.work), pytest.raises(NotHere) as refused:
        only_one(office.profile, office.work).__enter__()
    assert refused.value.why == "under_way"
    with only_one(find_profile(home_at(office.built.root), "default"), office.work):
        pass  # another profile is no matter


def test_what_a_killed_run_unpacked_goes_with_the_next(office: Office) -> None:
    left = temporary_folder(office.work, office.profile) / "hermesweb-scan-x"
    left.mkdir(parents=True)
    (left / "state.db").write_text("velunpacked12")
    perform(office.order("default"))
    assert not left.exists()


def test_a_file_that_cannot_be_removed_and_then_can(office: Office) -> None:
    with undeletable(office.profile.folder / "memories/USER.md"):
        content = perform(office.order())
    assert outcome(content, "user-md")[0] == "not_wiped"
    left = left_to_do(content)
    assert left.stores == {"user-md"}
    assert perform(office.order(*left.stores))["complete"]
    assert office.words() == {}
