"""A whole run of deleting: gone everywhere in the live store by an independent look, and honest about the rest."""

import json
import os
import resource
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from sessions import space
from sessions.deletion_outcome import outcome_of
from sessions.deletion_run import AGAIN, STEPS, HermesRuns, Order, Record, TooLittleSpace, run
from tests.deletion_builders import assert_sound
from tests.deletion_run_builders import Doomed, doomed, residue
from tests.home_builders import BuiltHome

ROOT = Path(__file__).resolve().parents[2]
SMALL = ("--no-oracle", "--sessions", "3", "--messages-per-session", "2", "--profiles", "0")
KEY = "sk-proj-" + "a1B2" * 10


@pytest.fixture
def home(make_home: Callable[..., BuiltHome]) -> BuiltHome:
    return make_home(*SMALL)


@pytest.fixture
def goes(home: BuiltHome, tmp_path: Path) -> Doomed:
    return doomed(home, tmp_path / "ours")


def execute(folder: Path, *statements: str) -> None:
    with closing(sqlite3.connect(folder / "state.db", isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)


@pytest.mark.parametrize("mode", ["WAL", "DELETE"])
@pytest.mark.parametrize("layout", ["native", "main"])
def test_gone_by_an_independent_look(
    make_home: Callable[..., BuiltHome], tmp_path: Path, mode: str, layout: str
) -> None:
    goes = doomed(make_home(*SMALL, "--layout", layout), tmp_path / "ours")
    execute(goes.folder, f"PRAGMA journal_mode={mode}")
    assert residue(goes.folder, goes.words, goes.rows), "there is something to be removed"
    outcome = goes.deleted()
    assert residue(goes.folder, goes.words, goes.rows) == {}
    assert_sound(goes.folder)
    # What is said to be left are copies that nobody asked to delete.
    assert set(outcome["issues"]) <= {"elsewhere", "not_checked"}, outcome
    assert outcome["proof"]["distinct"] > 0
    assert "state-snapshots" in {each["store"] for each in outcome["proof"]["elsewhere"]}
    assert not [path for path in (goes.folder / "sessions").iterdir() if path.name.startswith(goes.id)]


def test_a_key_is_found_nowhere_but_in_the_snapshot(goes: Doomed) -> None:
    with closing(sqlite3.connect(goes.folder / "state.db")) as connection, connection:
        arguments = json.dumps([{"function": {"name": "shell", "arguments": json.dumps({"cmd": KEY})}}])
        connection.execute(
            "INSERT INTO messages(session_id, role, content, tool_calls, reasoning, timestamp)"
            " VALUES(?, 'user', ?, ?, ?, 1790000000)",
            (goes.id, f"the key {KEY}", arguments, f"they gave {KEY}"),
        )
    snapshot = goes.folder / "state-snapshots" / "20260102-000000-pre-update"
    snapshot.mkdir(parents=True)
    with (
        closing(sqlite3.connect(goes.folder / "state.db")) as connection,
        closing(sqlite3.connect(snapshot / "state.db")) as copy,
    ):
        connection.backup(copy)
    order = goes.order(phrases=[KEY])
    run(order)
    proof = order.record["proof"]
    assert (proof["state"], proof["distinct"]) == ((), 1)
    assert [each["file"] for each in proof["elsewhere"]] == [
        "state-snapshots/20260102-000000-pre-update/state.db"
    ]
    assert residue(goes.folder, [KEY], []) == {}


def test_what_another_conversation_says_too_is_told_apart(goes: Doomed) -> None:
    word = "quotedeverywhereword"
    with closing(sqlite3.connect(goes.folder / "state.db")) as connection, connection:
        connection.execute("INSERT INTO sessions(id, source, started_at) VALUES('stays', 'cli', 1790000000)")
        for id in (goes.id, "stays"):
            connection.execute(
                "INSERT INTO messages(session_id, role, content, timestamp) VALUES(?, 'user', ?, 1790000000)",
                (id, f"it is {word} here"),
            )
    order = goes.order(phrases=[word])
    run(order)
    proof = order.record["proof"]
    assert (proof["said_by"], proof["state"], proof["distinct"]) == ((("stays", 1),), (), 0)


def test_a_run_goes_on_from_its_record_and_says_the_same(goes: Doomed) -> None:
    """Stopped before each step in turn, with the record through JSON as a job keeps it."""
    stops = iter(STEPS[1:])
    kept: list[str] = []
    sealed: list[list[str]] = []

    class Enough(Exception):
        pass

    plan, record = goes.plan(), Record()
    for stop in [*stops, None]:

        def tell(step: str, *_: int, stop: str | None = stop) -> None:
            if step == stop:
                raise Enough

        order = Order(
            goes.profile, plan, goes.ours, tell=tell, seal=sealed.append, most_phrases=2,
            keep=lambda record: kept.append(json.dumps(record)), record=record,
            phrases=sealed[-1] if sealed else None,
        )  # fmt: skip
        try:
            run(order)
        except Enough:
            record = json.loads(kept[-1])
    assert list(order.record) == list(STEPS)
    assert residue(goes.folder, goes.words, goes.rows) == {}
    assert len(sealed) == 1, "phrases are taken once, before anything goes"


KILLED = """
import json, os, signal, sys
from pathlib import Path
from hermesweb.hermes.homes import find_profile, home_at
from sessions.deletion_run import Order, run
from sessions.deletion_values import plan_of
asked = json.loads(sys.stdin.read())
kept = Path(asked["kept"])
def tell(step, done, total):
    if step == asked["step"]:
        print(step, flush=True)
        os.kill(os.getpid(), signal.SIGKILL)
def keep(record):
    kept.write_text(json.dumps(record))
run(Order(find_profile(home_at(Path(asked["root"])), "default"), plan_of(asked["plan"]), Path(asked["ours"]),
          tell=tell, keep=keep, most_phrases=2))
"""


@pytest.mark.parametrize("step", ["rows", "files", "merge", "vacuum", "look", "proof"])
def test_killed_in_each_step(goes: Doomed, tmp_path: Path, step: str) -> None:
    kept = tmp_path / "record.json"
    kept.write_text("{}")
    plan = goes.plan()
    asked = {
        "root": str(goes.profile.home.root), "plan": plan.record(), "ours": str(goes.ours),
        "kept": str(kept), "step": step,
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", KILLED], cwd=ROOT, input=json.dumps(asked), text=True, capture_output=True,
        check=False, env={**os.environ, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (-9, f"{step}\n"), done.stderr
    order = Order(
        goes.profile, plan, goes.ours, record=json.loads(kept.read_text()), phrases=list(goes.words[:2])
    )
    run(order)
    assert list(order.record) == list(STEPS)
    assert order.record["proof"]["state"] == ()
    assert residue(goes.folder, goes.words, goes.rows) == {}
    assert_sound(goes.folder)


def test_too_little_space_is_refused_with_numbers_before_anything(
    goes: Doomed, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(space, "SPARE", 1 << 60)
    with pytest.raises(TooLittleSpace) as refused:
        run(goes.order())
    assert refused.value.space.needed_here > refused.value.space.free_here
    assert goes.plan().counts.conversations == 1


def test_a_disk_that_fills_up_meanwhile_leaves_it_waiting_and_the_next_time_finishes(goes: Doomed) -> None:
    """There was room at the beginning; when the words are to be removed, no file can grow any more."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)

    def tell(step: str, *_: int) -> None:
        if step == "words":
            resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
        elif step == "look":
            resource.setrlimit(resource.RLIMIT_FSIZE, limits)

    order = goes.order(tell=tell)
    try:
        run(order)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert not order.record["words"]["complete"]
    assert "waiting" in outcome_of(order.plan, order.record)["issues"]
    order.tell = lambda *_: None
    order.record = {step: fact for step, fact in order.record.items() if step not in AGAIN}
    run(order)
    assert order.record["words"]["complete"]
    assert residue(goes.folder, goes.words, goes.rows) == {}
    assert_sound(goes.folder)


WRITER = """
import json, sys, time
from pathlib import Path
from hermes_state import SessionDB
db = SessionDB(db_path=Path(sys.argv[1]) / "state.db")
db.create_session("busy", source="cli")
done, failed = 0, []
print("begun", flush=True)
until = Path(sys.argv[2])
while done < 200 or not until.exists():
    try:
        db.append_message("busy", "user", f"row {done} of a chat that goes on")
        done += 1
    except Exception as error:
        failed.append(repr(error))
    time.sleep(0.01)
db.close()
print(json.dumps([done, failed]), flush=True)
"""


@pytest.mark.interop
def test_beside_a_real_hermes_that_writes_all_the_time(goes: Doomed, tmp_path: Path) -> None:
    over = tmp_path / "over"
    command = [sys.executable, "-c", WRITER, str(goes.folder), str(over)]
    environment = {**os.environ, "HERMES_HOME": str(goes.folder)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as hermes:
        assert hermes.stdout is not None
        assert hermes.stdout.readline() == "begun\n"
        outcome = goes.deleted(while_running=True)
        over.touch()
        written, failed = json.loads(hermes.stdout.readline())
    assert failed == []
    assert written >= 200
    with closing(sqlite3.connect(goes.folder / "state.db")) as connection:
        asked = "SELECT COUNT(*) FROM messages WHERE session_id = 'busy'"
        assert connection.execute(asked).fetchone() == (written,)
    assert_sound(goes.folder)
    assert outcome["running"] != "no"
    assert outcome["conversations"] == 1
    # Either all of it was possible meanwhile, or it is named what waits.
    left = residue(goes.folder, goes.words, goes.rows)
    assert not left or set(outcome["issues"]) & {"waiting", "state", "not_checked"}, left


def test_nothing_beside_a_running_hermes_unless_that_was_agreed_to(goes: Doomed) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", "import sqlite3, sys, time; c = sqlite3.connect(sys.argv[1]);"
         "c.execute('SELECT 1 FROM sessions').fetchall(); print('open', flush=True); time.sleep(60)",
         str(goes.folder / "state.db")], stdout=subprocess.PIPE
    ) as reader:  # fmt: skip
        try:
            assert reader.stdout is not None
            reader.stdout.readline()
            with pytest.raises(HermesRuns):
                run(goes.order())
        finally:
            reader.kill()
    assert goes.plan().counts.conversations == 1
