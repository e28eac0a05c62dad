"""state.db files of older and stranger schemas, and processes that hold one open."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

_SESSIONS = {
    "0.13": (
        "id TEXT PRIMARY KEY, source TEXT NOT NULL, user_id TEXT, model TEXT, model_config TEXT,"
        " system_prompt TEXT, parent_session_id TEXT, started_at REAL NOT NULL, ended_at REAL,"
        " end_reason TEXT, message_count INTEGER, tool_call_count INTEGER, billing_provider TEXT,"
        " billing_base_url TEXT, title TEXT, api_call_count INTEGER, handoff_state TEXT"
    ),
    "0.15": "",
    "0.17": "cwd TEXT, rewind_count INTEGER, archived INTEGER NOT NULL DEFAULT 0",
    "0.18": "session_key TEXT, chat_id TEXT, chat_type TEXT, thread_id TEXT, origin_json TEXT",
}
_MESSAGES = {
    "0.13": (
        "id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, role TEXT NOT NULL, content TEXT,"
        " tool_call_id TEXT, tool_calls TEXT, tool_name TEXT, timestamp REAL NOT NULL, token_count INTEGER,"
        " finish_reason TEXT, reasoning TEXT, reasoning_content TEXT, reasoning_details TEXT"
    ),
    "0.15": "platform_message_id TEXT, observed INTEGER DEFAULT 0",
    "0.17": "active INTEGER DEFAULT 1",
    "0.18": "compacted INTEGER NOT NULL DEFAULT 0",
}
SCHEMA_OF = {"0.13": 11, "0.15": 13, "0.17": 16, "0.18": 19}


def old_state(folder: Path, release: str = "0.18") -> Path:
    """An empty state.db with the columns that `release` had, in WAL mode as that release left it."""
    folder.mkdir(parents=True, exist_ok=True)
    with closing(connect(folder)) as connection:
        connection.execute("PRAGMA journal_mode=WAL")
        for table, steps in (("sessions", _SESSIONS), ("messages", _MESSAGES)):
            columns = ", ".join(filter(None, (text for step, text in steps.items() if step <= release)))
            connection.execute(f"CREATE TABLE {table} ({columns})")
        connection.executescript(
            "CREATE INDEX idx_sessions_parent ON sessions(parent_session_id);"
            "CREATE INDEX idx_messages_session ON messages(session_id, timestamp);"
            "CREATE TABLE state_meta(key TEXT PRIMARY KEY, value TEXT);"
            "CREATE TABLE schema_version(version INTEGER NOT NULL);"
            f"INSERT INTO schema_version VALUES({SCHEMA_OF[release]});"
        )
        if release >= "0.17":
            connection.execute("CREATE TABLE compression_locks(session_id TEXT PRIMARY KEY)")
    return folder


def connect(folder: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(folder / "state.db", isolation_level=None)
    connection.execute("PRAGMA synchronous=OFF")  # what a test makes need not outlive a power cut
    return connection


def add(folder: Path, table: str, **values: object) -> None:
    """Insert one row, whatever its values are."""
    names, marks = ", ".join(values), ", ".join("?" * len(values))
    with closing(connect(folder)) as connection:
        connection.execute(f"INSERT INTO {table} ({names}) VALUES ({marks})", tuple(values.values()))


def add_session(folder: Path, id: object, **values: object) -> None:
    add(folder, "sessions", **{"id": id, "source": "cli", "started_at": 1_700_000_000.0, **values})


def add_message(folder: Path, session: object, content: object = "hello", **values: object) -> None:
    defaults = {"session_id": session, "role": "user", "content": content, "timestamp": 1_700_000_100.0}
    add(folder, "messages", **{**defaults, **values})


_HOLDER = """
import sqlite3, sys
connection = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    connection.execute(statement).fetchall()
print("ready", flush=True)
sys.stdin.read()
"""


@contextmanager
def held_by_another(folder: Path, *statements: str) -> Iterator[None]:
    """Another process that ran `statements` on the state.db and keeps its connection while the block runs."""
    command = [sys.executable, "-c", _HOLDER, str(folder / "state.db"), *statements]
    process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    with process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"ready\n", "the other process is not ready"
        try:
            yield
        finally:
            process.kill()


def run_unprivileged(code: str, *arguments: str) -> str:
    """Run Python `code` as a user for whom file modes count (root drops to nobody); what it printed.

    The modules of this project must be imported here, since that user may not be able to read them.
    """
    before = (
        "import os, sys; from pathlib import Path; from sessions.database import read_state\n"
        "from sessions import work_copy_process; from sessions.queries import count; from sessions.errors import *\n"
        "if os.geteuid() == 0: os.setgroups([]); os.setgid(65534); os.setuid(65534)\n"
    )
    done = subprocess.run(
        [sys.executable, "-B", "-c", before + code, *arguments],
        cwd=Path(__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()
