"""Backups and snapshots in the home (hermes_cli/backup.py)."""

from hermesweb.hermes.stores.table import row

STORES = (
    row(
        "state-snapshots", "state-snapshots/", "snapshots_and_backups", "backups", "delete", "",
        survives="reset delete", hazards="whole_copies holds_credentials", check="sql_and_bytes",
    ),
    row(
        "backups", "backups/", "snapshots_and_backups", "backups", "delete", "", survives="reset delete",
        hazards="last_way_back whole_copies holds_credentials packed", check="archives",
    ),
)  # fmt: skip
