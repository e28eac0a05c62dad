"""What hermesweb itself keeps, in its own data folder, and says with the rest."""

from hermesweb.hermes.stores.table import row

STORES = (
    row(
        "hermesweb-database", "<data>/hermesweb.sqlite3", "logs_and_caches", "keep", "report", "",
        check="sql_and_bytes", where="ours",
    ),
    row("hermesweb-logs", "", "logs_and_caches", "keep", "report", "", check="none", where="ours"),
    row(
        "hermesweb-turns", "<data>/turns/", "logs_and_caches", "keep", "report", "", check="none", where="ours",
    ),
    row(
        "hermesweb-temporary", "<data>/scratch/temporary/ <data>/scratch/unfinished/", "conversation_copies",
        "keep", "report", "", survives="reset delete", check="none", where="ours",
    ),
    row(
        "hermesweb-work-copies", "<data>/scratch/*/*/state-copy-*/", "conversation_copies", "default", "delete", "",
        survives="reset delete", hazards="whole_copies", check="sql_and_bytes", where="ours",
    ),
)  # fmt: skip
