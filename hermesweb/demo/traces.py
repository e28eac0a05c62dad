"""Copies and traces of conversations outside state.db, with the names and shapes that Hermes gives them."""

import json
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime

from hermesweb.demo.folder import Folder
from hermesweb.demo.state import StateWriter, Told, copy_to

_LOGGED = 80  # characters of each message that reach the log
_DAY = 86_400


def write_snapshot(folder: Folder, connection: sqlite3.Connection, days_ago: float) -> None:
    """What Hermes puts aside before an update: the database as it was, settings and jobs."""
    name = f"{folder.moment(days_ago):%Y%m%d-%H%M%S}-pre-update"
    path = folder.place(f"state-snapshots/{name}/state.db")
    copy_to(connection, path)
    config = (folder.root / "config.yaml").read_text("utf-8")
    folder.write(f"state-snapshots/{name}/config.yaml", config, days_ago=days_ago)
    files = {"state.db": path.stat().st_size, "config.yaml": len(config.encode())}
    manifest = {
        "id": name,
        "timestamp": name[:15],
        "label": "pre-update",
        "file_count": len(files),
        "total_size": sum(files.values()),
        "files": files,
    }
    folder.write_json(f"state-snapshots/{name}/manifest.json", manifest, days_ago=days_ago)
    folder.date(path, days_ago)


def write_transcript(folder: Folder, told: Told) -> None:
    """The JSON copy of a session, which Hermes never removes with it."""
    transcript = {
        "session_id": told.id,
        "model": told.model[0],
        "base_url": told.model[2],
        "platform": told.talk.source,
        "session_start": _moment(told.started_at).isoformat(),
        "last_updated": _moment(told.ended_at).isoformat(),
        "system_prompt": told.prompt,
        "tools": [],
        "message_count": len(told.talk.messages),
        "messages": _messages(told),
    }
    folder.write_json(
        f"sessions/session_{told.id}.json",
        transcript,
        mode=0o600,
        days_ago=(folder.now - told.ended_at) / _DAY,
    )


def write_request_dump(folder: Folder, told: Told) -> None:
    """The complete request of a session that a model provider refused."""
    moment = _moment(told.started_at + 2)
    messages = [{"role": "system", "content": told.prompt}, *_messages(told)[:1]]
    dump = {
        "timestamp": moment.isoformat(),
        "session_id": told.id,
        "reason": "non_retryable_client_error",
        "request": {
            "method": "POST",
            "url": f"{told.model[2]}/chat/completions",
            "headers": {"Authorization": "Bearer sample...ple1", "Content-Type": "application/json"},
            "body": {"model": told.model[0], "messages": messages},
        },
        "error": {"type": "invalid_request_error", "message": "the model is not loaded", "status_code": 400},
    }
    name = f"sessions/request_dump_{told.id}_{moment:%Y%m%d_%H%M%S}_000142.json"
    folder.write_json(name, dump, mode=0o600, days_ago=(folder.now - told.started_at) / _DAY)


def write_logs(folder: Folder, told: Sequence[Told]) -> None:
    """agent.log with the beginning of what people said, and what was typed at the prompt."""
    turns = sorted(
        (session.started_at + 1 + 60 * number, session, text)
        for session in told
        for number, text in enumerate(_said(session))
    )
    log = "".join(_log_line(*turn) for turn in turns)
    folder.write("logs/agent.log", log)
    typed = [turn for turn in turns if turn[1].talk.source == "cli"]
    folder.write(".hermes_history", "".join(_history_entry(time, text) for time, _, text in typed))
    error = f"{folder.moment(0.9):%Y-%m-%d %H:%M:%S},000 ERROR run_agent: the model is not loaded\n"
    folder.write("logs/errors.log", error, days_ago=0.9)


def write_chat_traces(folder: Folder, chat: Told) -> None:
    """What the messenger side keeps: who may write, which chat has which session, which chats there are."""
    key = str(chat.talk.columns["session_key"])
    name, number = chat.talk.columns["display_name"], chat.talk.columns["chat_id"]
    moment = _moment(chat.started_at).isoformat()
    entry: dict[str, object] = {
        "session_key": key,
        "session_id": chat.id,
        "created_at": moment,
        "updated_at": moment,
    }
    entry |= {"display_name": name, "platform": "telegram", "chat_type": "dm"}
    folder.write_json("sessions/sessions.json", {key: entry}, mode=0o600, days_ago=2)
    people = {"telegram": [{"id": number, "name": name, "type": "dm"}]}
    folder.write_json("channel_directory.json", {"updated_at": moment, "platforms": people}, days_ago=2)
    approved = {str(number): {"user_name": name, "approved_at": folder.time(160)}}
    folder.write_json("platforms/pairing/telegram-approved.json", approved, mode=0o600, days_ago=160)


def write_leftovers(state: StateWriter, chat: Told, deleted: Told, parent: Told, goal: Told) -> None:
    """Rows beside the sessions that removing a session does not remove (see `forget`)."""
    key = str(chat.talk.columns["session_key"])
    said = chat.talk.messages[-1].content
    state.add(
        "gateway_routing",
        session_key=key,
        entry_json=json.dumps({"session_id": chat.id, "display_name": chat.talk.columns["display_name"]}),
        updated_at=chat.ended_at,
    )
    state.add(
        "delivery_obligations",
        obligation_id=f"{chat.id}-1",
        session_key=key,
        platform="telegram",
        chat_id=chat.talk.columns["chat_id"],
        content=said,
        state="delivered",
        created_at=chat.ended_at,
        updated_at=chat.ended_at,
    )
    state.add(
        "async_delegations",
        delegation_id="deleg_5a3e1c09",
        origin_session=parent.id,
        parent_session_id=parent.id,
        state="completed",
        dispatched_at=parent.started_at,
        updated_at=parent.ended_at,
        completed_at=parent.ended_at,
        task_json=json.dumps({"goal": "Find a label printer for 62 mm rolls"}),
        result_json=json.dumps({"results": [{"summary": "Model A prints 62 mm and is quiet."}]}),
    )
    for session, text in (
        (goal, "Finish the letter to the landlord"),
        (deleted, "Ask the doctor about quillwort"),
    ):
        state.add("state_meta", key=f"goal:{session.id}", value=json.dumps({"goal": text, "status": "done"}))
    for done_once in ("ghost_session_prune_v1", "orphaned_compression_finalize_v1"):
        state.add("state_meta", key=done_once, value="1")


def write_report(folder: Folder, task: Told) -> None:
    """The full report of a subagent."""
    moment = _moment(task.ended_at)
    name = f"cache/delegation/subagent-summary-0-{moment:%Y%m%d_%H%M%S}_000142.txt"
    folder.write(name, f"{task.talk.messages[-1].content}\n", days_ago=(folder.now - task.ended_at) / _DAY)


def _messages(told: Told) -> list[dict[str, object]]:
    return [{"role": message.role, "content": message.content} for message in told.talk.messages]


def _said(told: Told) -> list[str]:
    return [message.content or "" for message in told.talk.messages if message.role == "user"]


def _log_line(time: float, told: Told, text: str) -> str:
    short = text if len(text) <= _LOGGED else text[:_LOGGED] + "..."
    return (
        f"{_moment(time):%Y-%m-%d %H:%M:%S},000 INFO [{told.id}] agent.turn_context: conversation turn: "
        f"session={told.id} model={told.model[0]} provider={told.model[1]} platform={told.talk.source} "
        f"history=0 msg={' '.join(short.split())!r}\n"
    )


def _history_entry(time: float, text: str) -> str:
    lines = "".join(f"+{line}\n" for line in text.splitlines())
    return f"\n# {_moment(time):%Y-%m-%d %H:%M:%S.%f}\n{lines}"


def _moment(time: float) -> datetime:
    return datetime.fromtimestamp(time, UTC)
