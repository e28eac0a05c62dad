"""What holds for every test: nothing of this machine is read, and a skipped test is a failed run."""

import atexit
import os
import shutil
import tempfile
from pathlib import Path

import hypothesis
import pytest
from django.conf import settings

SCRATCH = Path(tempfile.mkdtemp(prefix="hermesweb-tests-"))
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
MACHINE = SCRATCH / "home"
MACHINE.mkdir()

# Of the machine, no home, data folder or setting reaches a test: not here and not in what a test starts.
for name in list(os.environ):
    if name.startswith(("HERMES_", "HERMESWEB_")) and not name.startswith("HERMESWEB_TEST_"):
        del os.environ[name]
os.environ.update(HOME=str(MACHINE), HERMESWEB_DATA=str(SCRATCH / "data"))
# pytest-django has read the settings before this file.
settings.DATA_FOLDER = SCRATCH / "data"
settings.WORK_FOLDER = SCRATCH / "data" / "scratch"
# A file, as in the product: threads that share a database in memory lock each other out.
if "sqlite" in settings.DATABASES["default"]["ENGINE"]:
    settings.DATABASES["default"]["TEST"]["NAME"] = str(SCRATCH / "test.sqlite3")
# The real one is slow on purpose.
settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

# How long an example takes says more about the machine than about the code; the bench measures that.
hypothesis.settings.register_profile("hermesweb", deadline=None, database=None)
hypothesis.settings.load_profile("hermesweb")

pytest_plugins = ["tests.fixtures_homes", "tests.web.people", "tests.web.pages", "tests.web.servers"]

# Files that take long come first, so that in the end no process works alone.
LONGEST = [
    "browser/test_screens.py", "processes/test_together.py", "browser/test_memory_editing.py", "web/test_access.py",
    "processes/test_nginx.py", "browser/test_clearing.py", "browser/test_sessions_search.py",
    "privacy/test_wiping_report.py", "privacy/test_trace_homes.py", "web/test_reading_homes.py",
    "browser/test_people.py", "browser/test_first_steps.py", "browser/test_reading_flow.py", "browser/test_pending.py",
    "browser/test_memory_looks.py", "web/test_serve.py", "web/test_job_processes.py", "web/test_pages.py",
    "sessions/test_scrubbing_ended.py", "sessions/test_search_indexes.py", "browser/test_deletion.py",
]  # fmt: skip


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The longest files, then the others, each with all its tests together."""
    files = [Path(__file__).parent / name for name in LONGEST]
    files += dict.fromkeys(item.path for item in items)
    rank: dict[Path, int] = {}
    for path in files:
        rank.setdefault(path, len(rank))
    items.sort(key=lambda item: rank[item.path])


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A test that was skipped did not say that its contract holds."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    skipped = reporter.stats.get("skipped", []) if reporter else []
    if skipped:
        reporter.write_line(f"{len(skipped)} skipped: that counts as failed.", red=True)
        session.exitstatus = session.exitstatus or pytest.ExitCode.TESTS_FAILED
