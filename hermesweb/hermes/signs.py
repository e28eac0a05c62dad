"""A sign that Hermes runs, or that it cannot be told."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Evidence:
    """One sign, as a code and what belongs to it.

    These say "yes": "gateway_lock" "cron_lock" "board_lock" "gateway_pid" "served_by_root" "open_chat"
    "spawned" (all with `pid`); "open_database" "open_log" (`pid`, `program`); "process" (`pid`, `command`).

    These leave it open: "hidden_processes"; "process_not_readable" (`pid`); "process_home_unknown" (`pid`,
    `command`); "locks_not_shown"; "remote_file_system" (`kind`); "folder_unreadable".
    """

    code: str
    fields: Mapping[str, str | int] = field(default_factory=dict)
