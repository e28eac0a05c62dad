"""Writes made-up conversations into a state.db, in the order in which they happened."""

import json
import random
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from hermesweb.demo.families import JOB
from hermesweb.demo.prompts import system_prompt
from hermesweb.demo.remembered import Note
from hermesweb.demo.schema import create_tables, known_tokenizers
from hermesweb.demo.talk import Message, Talk

DAY: Final = 86_400.0
LOCAL: Final = ("sample-small", "ollama", "http://127.0.0.1:11434/v1")
CLOUD: Final = ("sample-large", "cloud.example", "https://api.cloud.example/v1")
_CHARACTERS_PER_TOKEN: Final = 4


@dataclass(frozen=True)
class Told:
    """A session that was written. Times are UTC epoch seconds."""

    talk: Talk
    id: str
    started_at: float
    ended_at: float
    prompt: str
    model: tuple[str, str, str]


@dataclass
class StateWriter:
    """One new state.db. `now`: UTC epoch seconds. `notes`: what the prompts of the sessions hold."""

    connection: sqlite3.Connection
    now: float
    random: random.Random
    notes: Sequence[Note]
    told: dict[str, Told] = field(default_factory=dict)

    def tell(self, talk: Talk) -> None:
        """Write a session with its messages; one of its parents comes first."""
        started = self.now - talk.days_ago * DAY
        model = LOCAL if self.random.random() < 0.6 or talk.source == "cron" else CLOUD
        notes = () if talk.source in ("cron", "subagent") else self.notes
        prompt = system_prompt(notes, talk.days_ago, started, model[:2])
        times = self._times(talk, started)
        ended = times[-1] if times else started + 40
        told = Told(talk, self._id(talk, started), started, ended, prompt, model)
        self.told[talk.key] = told
        with self.connection:
            self._insert("sessions", self._session(told))
            for message, time in zip(talk.messages, times, strict=True):
                self._insert("messages", _row(told.id, message, time))
            self._insert_usage(told)

    def forget(self, key: str) -> None:
        """Remove a session the way Hermes does: its rows go, what else knows of it stays."""
        identity = self.told[key].id
        with self.connection:
            self.connection.execute("DELETE FROM messages WHERE session_id = ?", (identity,))
            self.connection.execute("DELETE FROM session_model_usage WHERE session_id = ?", (identity,))
            self.connection.execute("DELETE FROM sessions WHERE id = ?", (identity,))

    def add(self, table: str, **values: object) -> None:
        """Write one more row of a table beside the sessions."""
        with self.connection:
            self._insert(table, values)

    def _id(self, talk: Talk, started: float) -> str:
        stamp = datetime.fromtimestamp(started, UTC).strftime("%Y%m%d_%H%M%S")
        if talk.source == "cron":
            return f"cron_{JOB}_{stamp}"
        digits = 8 if talk.source == "telegram" else 6
        return f"{stamp}_{self.random.getrandbits(4 * digits):0{digits}x}"

    def _times(self, talk: Talk, started: float) -> list[float]:
        longest = (
            90.0 if talk.ended or talk.days_ago > 1 else 20.0
        )  # an open chat must not reach into the future
        times, time = [], started
        for _ in talk.messages:
            time += self.random.uniform(3, longest)
            times.append(round(time, 3))
        return times

    def _session(self, told: Told) -> dict[str, object]:
        talk, parent = told.talk, self.told.get(told.talk.parent or "")
        live = [message for message in talk.messages if message.columns.get("active", 1)]
        about: dict[str, object] = {"max_iterations": 90, "reasoning_config": None, "max_tokens": None}
        if talk.mark and parent:
            about[talk.mark] = parent.id
        name, provider, address = told.model
        return {
            "id": told.id,
            "source": talk.source,
            "model": name,
            "model_config": json.dumps(about),
            "system_prompt": told.prompt,
            "parent_session_id": parent.id if parent else None,
            "started_at": told.started_at,
            "ended_at": told.ended_at if talk.ended else None,
            "end_reason": talk.ended,
            "title": talk.title,
            "message_count": len(live),
            "tool_call_count": sum("tool_calls" in message.columns for message in live),
            "billing_provider": provider,
            "billing_base_url": address,
            **_tokens(told),
            **talk.columns,
        }

    def _insert_usage(self, told: Told) -> None:
        name, provider, address = told.model
        self._insert(
            "session_model_usage",
            {
                "session_id": told.id,
                "model": name,
                "billing_provider": provider,
                "billing_base_url": address,
                **_tokens(told),
                "first_seen": told.started_at,
                "last_seen": told.ended_at,
            },
        )

    def _insert(self, table: str, values: Mapping[str, object]) -> None:
        marks = ", ".join("?" * len(values))
        statement = f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})"  # noqa: S608
        self.connection.execute(statement, tuple(values.values()))


def open_new(path: Path) -> sqlite3.Connection:
    """A new state.db in WAL mode, as Hermes makes it, with its tables. Nothing is lost if this process dies but
    the demo itself, so nothing waits for the disk."""
    path.touch(mode=0o644, exist_ok=False)
    path.chmod(0o644)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous=OFF")
    connection.execute("PRAGMA journal_mode=WAL")
    # What Hermes deletes stays in the file where SQLite was built without it: the usual case.
    connection.execute("PRAGMA secure_delete=OFF")
    with connection:
        create_tables(connection, known_tokenizers())
    return connection


def copy_to(connection: sqlite3.Connection, path: Path) -> None:
    """The whole database as it is now in a second file, as Hermes does before an update."""
    with closing(sqlite3.connect(path)) as copy:
        connection.backup(copy)
    path.chmod(0o644)


def in_order(talks: Iterable[Talk]) -> list[Talk]:
    """The oldest first."""
    return sorted(talks, key=lambda talk: -talk.days_ago)


def _row(session: str, message: Message, time: float) -> dict[str, object]:
    return {
        "session_id": session,
        "role": message.role,
        "content": message.content,
        "timestamp": time,
        **message.columns,
    }


def _tokens(told: Told) -> dict[str, int]:
    answers = [message for message in told.talk.messages if message.role == "assistant"]
    read = len(told.prompt) + sum(len(message.content or "") for message in told.talk.messages)
    return {
        "api_call_count": len(answers),
        "input_tokens": len(answers) * read // _CHARACTERS_PER_TOKEN,
        "output_tokens": sum(len(message.content or "") for message in answers) // _CHARACTERS_PER_TOKEN,
    }
