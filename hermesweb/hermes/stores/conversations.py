"""Copies and traces of conversations outside state.db (cli.py, gateway/, tui_gateway/, agent/)."""

from typing import Final

from hermesweb.hermes.stores.table import row

_COPIES: Final = "conversation_copies"
_LOGS: Final = "logs_and_caches"

STORES = (
    row(
        "session-json", "sessions/session_{session}.json", _COPIES, "default", "delete", "0.13.0",
        survives="reset delete", hazards="rewritten",
    ),
    row(
        "request-dump", "sessions/request_dump_{session}_*.json", _COPIES, "default", "delete", "0.13.0",
        survives="reset delete",
    ),
    row("saved-conversations", "sessions/saved/", _COPIES, "yours", "ask", "", survives="reset delete"),
    row(
        "session-exports", "session-exports/", _COPIES, "yours", "ask", "0.18.2", survives="delete",
        hazards="elsewhere_too",
    ),
    row(
        "sessions-index", "sessions/sessions.json sessions/.sessions_*", _COPIES, "contacts", "delete", "",
        survives="delete", hazards="comes_back together",
    ),
    row("session-jsonl", "sessions/{session}.jsonl sessions/{session}.json", _COPIES, "default", "delete",
        "0.13.0", survives="delete"),
    row(
        "prompt-history", ".hermes_history", _COPIES, "default", "truncate_or_delete", "0.13.0",
        survives="reset delete", hazards="kept_open",
    ),
    row(
        "paste-upload-list", "pastes/pending.json pastes/pending.json.*", _COPIES, "default", "ask", "",
        survives="delete",
        hazards="upload_list remote_copies_stay",
    ),
    row("pastes", "pastes/", _COPIES, "default", "delete", "", survives="delete"),
    row("clipboard-images", "images/", _COPIES, "default", "delete", "", survives="delete"),
    row("interrupt-log", "interrupt_debug.log", _LOGS, "default", "delete", "0.13.0", survives="delete"),
    row(
        "agent-log", "logs/agent.log logs/agent.log.*", _LOGS, "default", "truncate_or_delete", "",
        survives="reset delete", hazards="kept_open",
    ),
    row(
        "gateway-log", "logs/gateway.log logs/gateway.log.* logs/gateway.error.log* logs/gateway-stdio.log*",
        _LOGS, "default", "truncate_or_delete", "", survives="delete", hazards="kept_open",
    ),
    row(
        "subagent-timeout", "logs/subagent-timeout-*.log", _LOGS, "default", "delete", "",
        survives="delete",
    ),
    # Whatever lies in logs/ is a log: the names differ between releases. The last one, after curator/.
    row("other-logs", "logs/", _LOGS, "default", "truncate_or_delete", "", hazards="kept_open"),
    row(
        "delegation-live", "cache/delegation/live/ delegation_cache/live/", _COPIES, "default", "delete",
        "0.19.0", survives="delete",
    ),
    row(
        "delegation-spill", "cache/delegation/ delegation_cache/", _COPIES, "default", "delete", "0.18.2",
        survives="delete",
    ),
    row("spawn-trees", "spawn-trees/", _COPIES, "default", "delete", "", survives="delete"),
    row(
        "moa-traces", "moa-traces/", _COPIES, "default", "delete", "0.18.2", survives="reset delete",
        hazards="elsewhere_too",
    ),
    row(
        "hook-outputs", "hook_outputs/", _COPIES, "default", "delete", "0.18.2", survives="delete",
        hazards="elsewhere_too",
    ),
    row("web-cache", "cache/web/ web_cache/", _LOGS, "default", "delete", "0.18.2", survives="delete"),
    row(
        "processes", "processes.json", _COPIES, "default", "delete", "", survives="delete",
        stop_first=True, hazards="rewritten",
    ),
    row(
        "verification", "verification_evidence.db", _COPIES, "default", "database_delete", "0.18.2",
        survives="delete", stop_first=True, hazards="never_unlink", check="sql_and_bytes",
    ),
    row(
        "response-store", "response_store.db", _COPIES, "default", "database_delete", "0.13.0",
        survives="reset delete", stop_first=True, hazards="never_unlink", check="sql_and_bytes",
    ),
    row(
        "trajectories",
        "<work>/trajectory_samples.jsonl <work>/failed_trajectories.jsonl <work>/sample_*.json", _COPIES,
        "out_of_reach", "report", "", survives="reset delete", hazards="no_fixed_place",
        where="outside",
    ),
    row(
        "checkpoints", "checkpoints/", "snapshots_and_backups", "default", "delete", "0.13.0",
        survives="delete", hazards="packed", check="git",
    ),
    row("disk-cleanup", "disk-cleanup/", _LOGS, "default", "delete", ""),
    row(
        "achievements", "plugins/hermes-achievements/*.json", _LOGS, "default", "delete", "",
        survives="delete",
    ),
    row("terminal-sessions", "terminal-sessions/", _LOGS, "default", "delete", "later"),
    row(
        "nemo-relay", "", _COPIES, "out_of_reach", "report", "0.19.0", survives="reset delete",
        hazards="no_fixed_place", where="outside", check="none",
    ),
)  # fmt: skip
