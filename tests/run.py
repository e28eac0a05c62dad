"""Runs the tests with what this machine has, and names what it leaves out. CI requires everything."""

import os
import shutil
import subprocess
import sys

REQUIRE_ALL = os.environ.get("HERMESWEB_TEST_REQUIRE_ALL") == "1"
PARTS = [
    (
        "browser",
        bool(shutil.which("chromium")),
        "the browser tests: they need Chromium. On Debian: apt install chromium",
    ),
    (
        "postgresql",
        bool(os.environ.get("HERMESWEB_TEST_POSTGRESQL")),
        "the PostgreSQL tests: HERMESWEB_TEST_POSTGRESQL=postgres://user@host/database make test",
    ),
    (
        "gettext",
        bool(shutil.which("xgettext")),
        "the test that every sentence is there in German: it needs gettext. On Debian: apt install gettext",
    ),
    (
        "nginx",
        bool(shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")),
        "the tests behind a real nginx. On Debian: apt install nginx-light",
    ),
    (
        "other_user",
        os.geteuid() == 0,
        "the tests in which Hermes and hermesweb are two users of the machine: they need root",
    ),
    (
        "small_disk",
        os.geteuid() == 0 and subprocess.call(["unshare", "--mount", "true"]) == 0,
        "the tests on a disk that is full: they need root that may mount a file system",
    ),
    (
        "product",
        bool(os.environ.get("HERMESWEB_TEST_PRODUCT_PYTHON")),
        "the tests without developer packages: make a second virtual environment from requirements.txt and set "
        "HERMESWEB_TEST_PRODUCT_PYTHON to its python",
    ),
]


def main() -> int:
    missing = [(mark, how) for mark, there, how in PARTS if not there]
    if missing and REQUIRE_ALL:
        print("Missing, and required here:", *(how for _, how in missing), sep="\n  ")
        return 1
    left_out = " and ".join(f"not {mark}" for mark, _ in missing)
    options = ["-m", left_out] if left_out else []
    # Whole files, since what a file makes once takes a good part of the time. tests/conftest.py has their order.
    options += ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
    code = subprocess.call([sys.executable, "-m", "pytest", "-q", *options])
    for _, how in missing:
        print(f"Left out: {how}")
    return code


if __name__ == "__main__":
    sys.exit(main())
