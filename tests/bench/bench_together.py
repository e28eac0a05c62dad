"""Two browsers and two workers at once, as in tests/processes/test_together.py, for longer.

Run: python tests/bench/bench_together.py [seconds, 60]; with HERMESWEB_TEST_POSTGRESQL also on PostgreSQL.
Ends with 1 if anything that was accepted is lost, or an answer is none of 200, 302, 303, 409, 422.
"""

import os
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.bench import django_ready  # noqa: F401  (before the server's)
from tests.processes.together import home_for_two, new_database, work_together
from tests.web.server import Server


def run(name: str, seconds: float, database: str) -> None:
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        home = home_for_two(Path(folder))
        environ = {"HERMES_HOME": str(home), "HERMESWEB_WEB_PROCESSES": "2", "HERMESWEB_WORKERS": "2"}
        if database:
            environ["DATABASE_URL"] = stack.enter_context(new_database(database))
        server = Server(Path(folder) / "data", environ)
        stack.callback(server.end)
        browsers = work_together(server.start().ready(), home, seconds)
        for browser in browsers:
            answers = ", ".join(f"{status}: {count}" for status, count in sorted(browser.statuses.items()))
            print(
                f"{name:12} browser {browser.name}: {len(browser.added)} added, {len(browser.changed)} changes of one "
                f"entry, {len(browser.jobs)} jobs; {answers}; longest answer {browser.longest * 1000:.0f} ms"
            )


if __name__ == "__main__":
    duration = float(sys.argv[1]) if len(sys.argv) > 1 else 60
    run("SQLite", duration, "")
    if os.environ.get("HERMESWEB_TEST_POSTGRESQL"):
        run("PostgreSQL", duration, os.environ["HERMESWEB_TEST_POSTGRESQL"])
