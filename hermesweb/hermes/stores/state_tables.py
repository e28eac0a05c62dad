"""state.db: its files, what lies beside it, and its tables (hermes_state.py)."""

from hermesweb.hermes.stores.store import Clearing, How, Kind, Store
from hermesweb.hermes.stores.table import row


def _table(
    name: str,
    since: str,
    *,
    identity: str = "",
    clearing: Clearing = "default",
    how: How = "sql",
    survives: str = "",
    hazards: str = "",
    kind: Kind = "conversations",
) -> Store:
    return row(
        identity or f"state-{name.replace('_', '-')}", "", kind, clearing, how, since, survives=survives,
        hazards=hazards, check="none" if clearing == "keep" else "sql_and_bytes", table=name,
    )  # fmt: skip


STORES = (
    row(
        "state-db", "state.db", "conversations", "default", "database_delete", "0.13.0", survives="reset",
        hazards="never_unlink kept_open rewritten index_keeps_words together", check="sql_and_bytes",
    ),
    row(
        "state-locks", "state.db.*.lock state.db.repair-attempts.json", "logs_and_caches", "keep", "keep",
        "0.22", hazards="breaks_locking", check="none",
    ),
    row(
        # pre-update-emergency, and what people put aside under such a name: somebody may want to go back to it
        "state-backups", "state.db.bak* state.db.*.bak*", "snapshots_and_backups", "backups", "delete", "later",
        survives="reset delete", hazards="whole_copies", check="sql_and_bytes",
    ),
    row(
        "state-siblings",
        # malformed-backup, retired-wal, backup-staging, and whatever comes
        "state.db.* state.db.*/", "conversation_copies", "default", "delete", "", survives="reset delete",
        hazards="whole_copies", check="sql_and_bytes",
    ),
    row(
        "pending-messages", "pending_messages/", "conversation_copies", "default", "delete", "later",
        survives="delete", hazards="comes_back",
    ),
    _table("sessions", "", survives="reset", hazards="rewritten"),
    _table("messages", "0.13.0", survives="reset", hazards="rewritten"),
    _table("messages_fts_content", "0.13.0", survives="reset"),
    _table("messages_fts_trigram_content", "0.13.0", survives="reset"),
    _table("messages_fts_data", "0.13.0", survives="reset delete", hazards="index_keeps_words"),
    _table("messages_fts_trigram_data", "0.13.0", survives="reset delete", hazards="index_keeps_words"),
    _table("messages_fts_cjk", "later", survives="reset delete", hazards="index_keeps_words"),
    _table("session_model_usage", "0.19.0", hazards="remote_copies_stay"),
    _table("async_delegations", "0.17.0", survives="delete"),
    _table("delivery_obligations", "0.19.0", survives="delete"),
    _table("state_meta", "0.13.0", identity="goals", survives="delete"),
    _table("gateway_routing", "0.18.2", survives="delete", hazards="together", kind="contacts"),
    _table("telegram_dm_topic_mode", "", survives="delete", kind="contacts"),
    _table("telegram_dm_topic_bindings", "", survives="delete", kind="contacts"),
    _table("system_prompts", "0.22", survives="reset"),
    _table("conversation_generations", "0.22", survives="delete", kind="contacts"),
    _table("compression_locks", "0.17.0"),
    _table("schema_version", "0.13.0", clearing="keep", how="keep"),
    _table("sqlite_sequence", "0.13.0", clearing="keep", how="keep"),
    _table("gateway_heartbeats", "0.22", clearing="live", how="keep"),
    _table("session_turn_leases", "0.22", clearing="live", how="keep"),
    _table("gateway_hygiene_state", "0.22", clearing="live", how="keep"),
)  # fmt: skip
