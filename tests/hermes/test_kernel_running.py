"""Is Hermes running? Most tests make up a /proc; the last ones start real processes."""

import fcntl
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pytest

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.mounts import Mount
from hermesweb.hermes.processes import ProcessTable
from hermesweb.hermes.running import Running, is_running
from tests.kernel_builders import NOBODY, FakeProc, as_nobody, profile_in, write

HERMES = ["/opt/venv/bin/python3", "/opt/venv/bin/hermes"]


@pytest.fixture
def proc(tmp_path: Path) -> FakeProc:
    return FakeProc(tmp_path / "proc")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = write(
        tmp_path / "home", {"state.db": "", "state.db-wal": "", "logs/agent.log": "", "gateway.lock": ""}
    )
    return write(root, {"profiles/office/state.db": "", "profiles/office/logs/agent.log": ""})


@pytest.fixture
def ask(proc: FakeProc) -> Callable[..., Running]:
    def ask(profile: Profile, *ours: int) -> Running:
        return is_running(profile, ours=frozenset(ours), table=ProcessTable(proc.folder))

    return ask


def codes(running: Running) -> list[str]:
    return [sign.code for sign in running.evidence]


def test_nobody_there(root: Path, ask: Callable[..., Running]) -> None:
    assert ask(profile_in(root)) == Running("no", ())
    assert ask(profile_in(root, "office")) == Running("no", ())


# Open files


@pytest.mark.parametrize("name", ["state.db", "state.db-wal"])
def test_open_database(root: Path, proc: FakeProc, ask: Callable[..., Running], name: str) -> None:
    proc.process(
        50, ["/usr/bin/sqlite3", "-cmd", "private words"], open_files=[Path("/dev/null"), root / name]
    )
    found = ask(profile_in(root))
    assert (found.answer, codes(found)) == ("yes", ["open_database"])
    assert found.evidence[0].fields == {"pid": 50, "program": "sqlite3"}
    assert ask(profile_in(root, "office")).answer == "no"


def test_database_seen_through_another_path(
    root: Path, proc: FakeProc, ask: Callable[..., Running], tmp_path: Path
) -> None:
    (tmp_path / "container").mkdir()
    (tmp_path / "container/state.db").hardlink_to(root / "state.db")
    proc.process(50, HERMES, open_files=[tmp_path / "container/state.db"])
    assert codes(ask(profile_in(root))) == ["open_database"]


def test_deleted_database(root: Path, proc: FakeProc, ask: Callable[..., Running]) -> None:
    proc.process(50, [*HERMES, "chat"], open_files=[])
    gone = proc.folder / "50/fd/7"
    write(root, {"state.db (deleted)": ""})  # so that the link leads somewhere, as in a real /proc
    gone.symlink_to(root / "state.db (deleted)")
    assert codes(ask(profile_in(root))) == ["open_database"]


def test_log_open_in_hermes_or_in_something_that_shows_it(
    root: Path, proc: FakeProc, ask: Callable[..., Running]
) -> None:
    proc.process(50, ["tail", "-f", "agent.log"], open_files=[root / "logs/agent.log"])
    assert ask(profile_in(root)).answer == "no"
    proc.process(51, [*HERMES, "chat"], open_files=[root / "logs/agent.log"])
    assert codes(ask(profile_in(root))) == ["open_log"]


def test_our_own_processes_do_not_count(root: Path, proc: FakeProc, ask: Callable[..., Running]) -> None:
    checkout = Path(__file__).parents[2]
    held = [root / "state.db"]
    proc.process(os.getpid(), ["python"], open_files=held)
    proc.process(
        60, ["/venv/bin/python", "/venv/bin/gunicorn", "hermesweb.wsgi:application"], open_files=held
    )
    proc.process(61, ["python", "manage.py", "db_worker"], open_files=held, cwd=checkout)
    proc.process(62, ["python", str(checkout / "manage.py"), "db_worker"], open_files=held)
    proc.process(66, ["python", "-m", "hermesweb.hermes.scan.sql_process"], open_files=held)
    proc.process(63, ["python", "-c", "from multiprocessing.spawn import spawn_main"], open_files=held)
    assert codes(ask(profile_in(root))) == ["open_database"]
    assert ask(profile_in(root), 63).answer == "no"
    proc.process(65, [*HERMES, "chat"], open_files=held)  # started from the terminal that started us
    assert codes(ask(profile_in(root), 63, 65)) == ["open_database"]
    assert ask(profile_in(root), 63, 65).evidence[0].fields["pid"] == 65


def test_the_manage_script_of_another_project(
    root: Path, proc: FakeProc, ask: Callable[..., Running]
) -> None:
    held = [root / "state.db"]
    proc.process(64, ["python", "manage.py", "runserver"], open_files=held, cwd=root)
    assert codes(ask(profile_in(root))) == ["open_database"]


# Command lines


@pytest.mark.parametrize(
    ("argv", "command"),
    [
        ([*HERMES, "chat", "-q", "private words"], "python3 hermes chat"),
        ([*HERMES, "-z", "private words"], "python3 hermes"),
        (["/opt/bin/hermes", "private"], "hermes"),
        (
            ["python", "-u", "-X", "dev", "-m", "hermes_cli.main", "gateway", "run"],
            "python hermes_cli.main gateway",
        ),
        (["python3.11", "-m", "tui_gateway.entry"], "python3.11 tui_gateway.entry"),
        (["python", "/src/hermes_cli/main.py", "chat"], "python main.py chat"),
        (["python", "gateway/run.py"], "python run.py"),
        (["hermes-gateway"], "hermes-gateway"),
        (["python", "/x/hermes-acp"], "python hermes-acp"),
        (["hermes"], "hermes"),
    ],
)
def test_process(
    root: Path, proc: FakeProc, ask: Callable[..., Running], argv: list[str], command: str
) -> None:
    proc.process(50, argv, environ={"HERMES_HOME": str(root)})
    found = ask(profile_in(root))
    assert (found.answer, codes(found)) == ("yes", ["process"])
    assert found.evidence[0].fields == {"pid": 50, "command": command}


@pytest.mark.parametrize(
    "argv",
    [
        ["vim", "hermes"],
        ["grep", "-r", "hermes", "."],
        ["python", "-m", "hermes_client"],
        ["python", "x.py", "/opt/bin/hermes"],
        ["python", "-c", "print('hermes')"],
        ["python"],
        ["python", "-m"],
        ["python", "-W"],
        ["/opt/hermesweb/run"],
        [],
    ],
)
def test_other_programs(root: Path, proc: FakeProc, ask: Callable[..., Running], argv: list[str]) -> None:
    proc.process(50, argv, environ={"HERMES_HOME": str(root)})
    assert ask(profile_in(root)).answer == "no"


@pytest.mark.parametrize(
    ("arguments", "home", "default", "office"),
    [
        (["-p", "office", "chat"], "", "no", "yes"),
        (["--profile=office", "chat"], "", "no", "yes"),
        (["gateway", "run", "--profile", "office"], "", "no", "yes"),
        (["chat"], "/profiles/office", "no", "yes"),
        (["-p", "default", "chat"], "/profiles/office", "yes", "no"),
        (["dashboard"], "", "yes", "yes"),
        (["serve"], "/profiles/office", "yes", "yes"),
        (["-p", "gone", "chat"], "", "no", "no"),
    ],
)
def test_profile_of_a_process(
    root: Path,
    proc: FakeProc,
    ask: Callable[..., Running],
    arguments: list[str],
    home: str,
    default: str,
    office: str,
) -> None:
    proc.process(50, [*HERMES, *arguments], environ={"HERMES_HOME": f"{root}{home}"})
    assert (ask(profile_in(root)).answer, ask(profile_in(root, "office")).answer) == (default, office)


def test_sticky_profile(root: Path, proc: FakeProc, ask: Callable[..., Running]) -> None:
    write(root, {"active_profile": "office\n"})
    proc.process(50, [*HERMES, "chat"], environ={"HERMES_HOME": str(root)})
    assert (ask(profile_in(root)).answer, ask(profile_in(root, "office")).answer) == ("no", "yes")


def test_home_by_the_login(tmp_path: Path, proc: FakeProc, ask: Callable[..., Running]) -> None:
    profile = profile_in(tmp_path / ".hermes")
    proc.process(50, [*HERMES, "chat"], environ={"HOME": str(tmp_path)})
    assert codes(ask(profile)) == ["process"]
    proc.process(
        51, [*HERMES, "chat"], environ={"HOME": str(tmp_path), "HERMES_HOME": str(tmp_path / "other")}
    )
    assert len(ask(profile).evidence) == 1


# Locks


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("gateway.lock", "gateway_lock"),
        ("cron/.tick.lock", "cron_lock"),
        ("kanban/.dispatcher.lock", "board_lock"),
    ],
)
def test_lock(root: Path, proc: FakeProc, ask: Callable[..., Running], name: str, code: str) -> None:
    write(root, {name: ""})
    assert ask(profile_in(root)).answer == "no"
    proc.lock(root / name, 812)
    found = ask(profile_in(root))
    assert (codes(found), found.evidence[0].fields) == ([code], {"pid": 812})
    assert ask(profile_in(root, "office")).answer == ("yes" if code == "board_lock" else "no")
    proc.process(812, ["/venv/bin/gunicorn", "hermesweb.wsgi:application"])  # which clears a profile
    assert ask(profile_in(root)).answer == "no"


@pytest.mark.parametrize(
    "line",
    ["1: FLOCK", "1: FLOCK ADVISORY WRITE x y z", "1: -> FLOCK ADVISORY WRITE 1 00:01:2 0 EOF", "\xff"],
)
def test_strange_lists_of_locks(root: Path, proc: FakeProc, ask: Callable[..., Running], line: str) -> None:
    write(proc.folder, {"locks": line.encode("latin1")})
    assert ask(profile_in(root)).answer == "no"


# What Hermes wrote down


def test_gateway_record(root: Path, proc: FakeProc, ask: Callable[..., Running]) -> None:
    proc.process(70, [*HERMES, "gateway", "run"], ticks=5_000)
    for name in ("gateway.pid", "gateway_state.json"):
        write(root, {name: json.dumps({"pid": 70, "start_time": 5_100, "kind": "hermes-gateway"})})
        assert "gateway_pid" in codes(ask(profile_in(root))), name
        (root / name).unlink()


@pytest.mark.parametrize(
    "record",
    [
        {"pid": 99, "start_time": 5_000},  # ended
        {"pid": 70, "start_time": 9_000},  # the number was given to another process
        {"pid": 71, "start_time": 5_000},  # after a restart of the machine: the same number and time
        {"pid": -1},
        {"pid": "70"},
        {"pid": 10**30},
        {"pid": True},
        {"start_time": None},
        [],
        "x",
        None,
    ],
)
def test_record_of_what_has_ended(
    root: Path, proc: FakeProc, ask: Callable[..., Running], record: object
) -> None:
    proc.process(70, [*HERMES, "gateway", "run"], environ={"HERMES_HOME": "/elsewhere"}, ticks=5_000)
    proc.process(71, ["/usr/sbin/sshd"], ticks=5_000)
    write(root, {"gateway.pid": json.dumps(record), "gateway_state.json": json.dumps(record)})
    assert ask(profile_in(root)).answer == "no"


@pytest.mark.parametrize("content", ["", "{", "[" * 100_000, "\xff", "1e999", '{"pid": 1e999}'])
def test_broken_records(root: Path, ask: Callable[..., Running], content: str) -> None:
    names = ("gateway.pid", "gateway_state.json", "runtime/active_sessions.json", "spawn-ledger.json")
    write(root, dict.fromkeys(names, content.encode("latin1")))
    assert ask(profile_in(root, "office")).answer == "no"
    assert ask(profile_in(root)).answer == "no"


def test_record_that_is_a_pipe_or_a_link(root: Path, ask: Callable[..., Running]) -> None:
    os.mkfifo(root / "gateway.pid")
    (root / "gateway_state.json").symlink_to("/dev/zero")
    assert ask(profile_in(root)).answer == "no"


def test_served_by_the_gateway_of_the_root(root: Path, proc: FakeProc, ask: Callable[..., Running]) -> None:
    proc.process(70, [*HERMES, "gateway", "run"], environ={"HERMES_HOME": str(root)}, ticks=5_000)
    record = {"pid": 70, "start_time": 5_000, "served_profiles": ["default", "office"]}
    write(root, {"gateway_state.json": json.dumps(record)})
    assert codes(ask(profile_in(root, "office"))) == ["served_by_root"]
    assert ask(profile_in(root, "lab")).answer == "no"


def test_open_chats_and_ledger(root: Path, proc: FakeProc, ask: Callable[..., Running]) -> None:
    proc.process(80, ["python"], ticks=1_000)
    started = ProcessTable(proc.folder).started(80)
    assert started
    entries = [{"pid": 80, "process_start_time": started[1]}, {"pid": 99, "process_start_time": 1.0}, 7]
    write(root, {"runtime/active_sessions.json": json.dumps({"entries": entries})})
    assert codes(ask(profile_in(root))) == ["open_chat"]
    ledger = [{"pid": 80, "create_time": started[1], "hermes_home": f"{root}/profiles/office"}]
    write(root, {"spawn-ledger.json": json.dumps(ledger)})
    assert codes(ask(profile_in(root, "office"))) == ["spawned"]
    ledger[0]["create_time"] = started[1] - 3_600
    write(root, {"spawn-ledger.json": json.dumps(ledger)})
    assert ask(profile_in(root, "office")).answer == "no"


# What cannot be seen


def mounted(monkeypatch: pytest.MonkeyPatch, mount: Mount | None) -> None:
    monkeypatch.setattr("hermesweb.hermes.running.mount_of", lambda folder: mount)


def test_in_a_container(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    proc = FakeProc(tmp_path / "inner", namespace="pid:[4026532201]")
    for mount in (Mount(root, "ext4"), None):
        mounted(monkeypatch, mount)
        found = is_running(profile_in(root), table=ProcessTable(proc.folder))
        assert (found.answer, codes(found)) == ("unknown", ["hidden_processes"])
    mounted(monkeypatch, Mount(Path("/"), "overlay"))  # nobody outside works on what only the container has
    assert is_running(profile_in(root), table=ProcessTable(proc.folder)).answer == "no"
    proc.process(50, HERMES, open_files=[root / "state.db"])
    assert is_running(profile_in(root), table=ProcessTable(proc.folder)).answer == "yes"


def test_hidden_processes_of_others(root: Path, proc: FakeProc, ask: Callable[..., Running]) -> None:
    (proc.folder / "1").rename(proc.folder / "hidden")
    assert codes(ask(profile_in(root))) == ["hidden_processes"]


def test_on_a_file_system_that_others_use(
    root: Path, ask: Callable[..., Running], monkeypatch: pytest.MonkeyPatch
) -> None:
    mounted(monkeypatch, Mount(Path("/mnt/laptop"), "fuse.sshfs"))
    found = ask(profile_in(root))
    assert (found.answer, codes(found)) == ("unknown", ["remote_file_system"])
    assert found.evidence[0].fields == {"kind": "fuse.sshfs"}


def test_without_a_list_of_locks(root: Path, proc: FakeProc, ask: Callable[..., Running]) -> None:
    (proc.folder / "locks").unlink()
    assert codes(ask(profile_in(root))) == ["locks_not_shown"]
    assert ask(profile_in(root, "office")).answer == "no"  # there is no gateway.lock to ask about


def test_hermes_for_an_unknown_home(root: Path, proc: FakeProc, ask: Callable[..., Running]) -> None:
    proc.process(50, ["hermes"])  # a process that names itself overwrites its environment
    found = ask(profile_in(root))
    assert (found.answer, codes(found)) == ("unknown", ["process_home_unknown"])
    assert found.evidence[0].fields == {"pid": 50, "command": "hermes"}


def test_missing_folder(root: Path, ask: Callable[..., Running]) -> None:
    profile = profile_in(root, "lab")
    profile.folder.rmdir()
    assert ask(profile) == Running("unknown", ask(profile).evidence)
    assert codes(ask(profile)) == ["folder_unreadable"]


IS_RUNNING = """
    home = homes.home_at(Path(sys.argv[1]))
    found = running.is_running(homes.list_profiles(home)[0])
    print(found.answer, *sorted({sign.code for sign in found.evidence} - {"hidden_processes"}))
"""


def open_the_way(path: Path) -> None:
    for folder in path.parents:
        if str(folder).startswith("/tmp/"):
            folder.chmod(0o755)


def test_home_of_a_user_whose_processes_are_closed_to_us(root: Path) -> None:
    open_the_way(root / "x")
    root.chmod(0o755)
    assert as_nobody(IS_RUNNING, root) == "unknown process_not_readable"  # ours, that of the test, is one


def test_own_home_of_a_user_without_processes(root: Path) -> None:
    open_the_way(root / "x")
    for path in (root, *root.rglob("*")):
        os.chown(path, NOBODY - 7, NOBODY - 7)
    assert as_nobody(IS_RUNNING, root, user=NOBODY - 7).removeprefix("unknown") in ("no", "")


# Real processes


HOLD = """
import fcntl, sys, time
files = [open(name, "a") for name in sys.argv[2:]]
if sys.argv[1] == "lock":
    fcntl.flock(files[0], fcntl.LOCK_EX)
print("ready", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def hold() -> Iterator[Callable[..., int]]:
    started: list[subprocess.Popen[str]] = []

    def hold(how: str, *paths: Path) -> int:
        command = [sys.executable, "-c", HOLD, how, *map(str, paths)]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        started.append(process)
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        return process.pid

    yield hold
    for process in started:
        process.communicate("")


def signs(profile: Profile, *ours: int) -> list[str]:
    found = is_running(profile, ours=frozenset(ours))
    return [sign.code for sign in found.evidence if found.answer == "yes"]


def test_real_lock(root: Path, hold: Callable[..., int]) -> None:
    assert signs(profile_in(root)) == []
    pid = hold("lock", root / "gateway.lock")
    found = is_running(profile_in(root))
    assert [(sign.code, sign.fields["pid"]) for sign in found.evidence] == [("gateway_lock", pid)]


def test_looking_takes_no_lock(root: Path) -> None:
    before = (root / "gateway.lock").stat().st_mtime_ns
    table = ProcessTable()
    seen: list[bool] = []

    class Watching(ProcessTable):
        def pids(self) -> list[int]:
            with (root / "gateway.lock").open("a") as gateway:
                fcntl.flock(gateway, fcntl.LOCK_EX | fcntl.LOCK_NB)
            seen.append(True)
            return table.pids()

    is_running(profile_in(root), table=Watching())
    assert seen
    assert (root / "gateway.lock").stat().st_mtime_ns == before


def test_real_open_database(root: Path, hold: Callable[..., int]) -> None:
    pid = hold("open", root / "state.db")
    assert signs(profile_in(root)) == ["open_database"]
    assert signs(profile_in(root), pid) == []
    assert signs(profile_in(root, "office")) == []


def test_real_table_agrees_with_psutil() -> None:
    table, process = ProcessTable(), psutil.Process()
    started = table.started(os.getpid())
    assert started
    assert abs(started[1] - process.create_time()) < 2
    assert table.arguments(os.getpid()) == tuple(process.cmdline())
    assert table.owner(os.getpid()) == process.uids().effective
    assert table.current_folder(os.getpid()) == process.cwd()
    environment = table.environment(os.getpid())
    assert environment is not None
    assert environment.items() >= {"PATH": process.environ()["PATH"]}.items()
    assert os.getpid() in table.pids()


def test_where_there_is_no_proc(root: Path, tmp_path: Path, hold: Callable[..., int]) -> None:
    """As on a Mac: psutil is asked, and says the same."""
    elsewhere = ProcessTable(tmp_path / "no-proc")
    pid = hold("open", root / "state.db")
    found = is_running(profile_in(root), table=elsewhere)
    assert [(sign.code, sign.fields["pid"]) for sign in found.evidence] == [("open_database", pid)]
    assert is_running(profile_in(root, "office"), table=elsewhere).answer in ("no", "unknown")


@pytest.mark.interop
def test_real_hermes(root: Path, tmp_path: Path) -> None:
    (root / "state.db").unlink()
    (root / "state.db-wal").unlink()
    environ = {"HERMES_HOME": str(root), "HOME": str(tmp_path), "PATH": os.environ["PATH"]}
    command = [sys.executable, "-m", "hermes_cli.main", "dashboard", "--no-open", "--port", "0"]
    process = subprocess.Popen(
        command, env=environ, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + 60
        while "process" not in signs(profile_in(root, "office")) and time.monotonic() < deadline:
            time.sleep(0.05)
        found = is_running(profile_in(root, "office"))
        assert found.evidence[0].fields["pid"] == process.pid
    finally:
        process.kill()
        process.wait()
    assert signs(profile_in(root, "office")) == []
