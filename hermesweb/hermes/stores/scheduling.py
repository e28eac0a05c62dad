"""Scheduled jobs, boards and projects (cron/, hermes_cli/kanban*.py)."""

from typing import Final

from hermesweb.hermes.stores.table import row

_COPIES: Final = "conversation_copies"

STORES = (
    row(
        "cron-jobs", "cron/jobs.json", "skills_and_settings", "yours", "lock_and_rewrite", "",
        survives="delete", hazards="restored",
    ),
    row("cron-output", "cron/output/", _COPIES, "default", "delete", "", survives="delete"),
    row(
        "cron-exec", "cron/executions.db cron/deliveries.db cron/notepad.db", _COPIES, "default",
        "database_delete", "0.19.0", stop_first=True, hazards="never_unlink", check="sql_and_bytes",
    ),
    row(
        "cron-suggestions", "cron/suggestions.json cron/.sugg_*", _COPIES, "default", "delete", "0.17.0",
        survives="reset",
    ),
    row(
        "cron-locks", "cron/.*.lock cron/.tick* cron/*.lock", "logs_and_caches", "keep", "keep", "",
        hazards="breaks_locking", check="none",
    ),
    row(
        "kanban-db",
        "kanban.db kanban/boards/*/kanban.db kanban/boards/*/board.json kanban/boards/_archived/", "work",
        "yours", "ask", "", survives="delete", stop_first=True, hazards="shared never_unlink",
        check="sql_and_bytes", where="root",
    ),
    row(
        "kanban-locks", "kanban.db.*.lock kanban/*.lock kanban/.*.lock kanban/boards/*/*.lock",
        "logs_and_caches", "keep", "keep", "", hazards="breaks_locking", check="none", where="root",
    ),
    row(
        "kanban-files", "kanban/ kanban.db.corrupt*", "work", "default", "delete", "", survives="delete",
        hazards="shared", where="root",
    ),
    row(
        "projects", "projects.db", "work", "yours", "ask", "0.18.2", hazards="never_unlink",
        check="sql_and_bytes",
    ),
)  # fmt: skip
