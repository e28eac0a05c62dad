"""External memory providers (plugins/memory/). What lies here, and apart from it what went to their service."""

from typing import Final

from hermesweb.hermes.stores.store import Store
from hermesweb.hermes.stores.table import row

_KEYS: Final = "credentials"


def _settings(identity: str, patterns: str, since: str = "", hazards: str = "") -> Store:
    return row(
        identity, patterns, _KEYS, _KEYS, "ask", since, survives="reset delete",
        hazards=f"holds_credentials logs_out {hazards}",
    )  # fmt: skip


def _outside(identity: str, patterns: str) -> Store:
    return row(
        identity, patterns, _KEYS, _KEYS, "ask", "", survives="reset delete",
        hazards="holds_credentials logs_out shared", where="outside",
    )  # fmt: skip


def _remote(name: str) -> Store:
    return row(
        f"provider-{name}-remote", "", "remote", "out_of_reach", "report", "", survives="reset delete",
        hazards="provider_not_told", check="none", where="remote",
    )  # fmt: skip


STORES = (
    row(
        "provider-holographic", "memory_store.db", "memory_copies", "default", "database_delete", "",
        survives="reset delete", stop_first=True, check="sql_and_bytes", until="0.22",
        hazards="never_unlink index_keeps_words provider_not_told elsewhere_too",
    ),
    row(
        "provider-byterover", "byterover/", "memory_copies", "default", "delete", "",
        survives="reset delete", stop_first=True, hazards="provider_not_told",
    ),
    row(
        "provider-retaindb", "retaindb_queue.db", "memory_copies", "default", "database_delete", "",
        survives="reset delete", stop_first=True, hazards="never_unlink replayed", check="sql_and_bytes",
    ),
    _settings("provider-honcho", "honcho.json", hazards="shared"),
    _outside("provider-honcho-outside", "~/.honcho/config.json"),
    _settings("provider-hindsight", "hindsight/"),
    _outside("provider-hindsight-outside", "~/.hindsight/config.json ~/.hindsight/profiles/"),
    _settings("provider-mem0", "mem0.json"),
    row(
        "provider-mem0-data", "mem0_qdrant/", "memory_copies", "default", "delete", "", where="root",
        survives="reset delete", stop_first=True, hazards="shared provider_not_told",
    ),
    row(
        "provider-mem0-outside", "~/.hermes/mem0_qdrant/", "memory_copies", "default", "delete", "",
        where="outside", survives="reset delete", stop_first=True, hazards="shared provider_not_told",
    ),
    _outside("provider-openviking", "~/.openviking/ <tmp>/openviking_upload_*.zip"),
    _settings("provider-supermemory", "supermemory.json"),
    *map(_remote, ("byterover", "honcho", "hindsight", "mem0", "openviking", "retaindb", "supermemory")),
)  # fmt: skip
