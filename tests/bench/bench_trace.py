"""Looking for a phrase in a home of 2.2 GB, beside grep. Run: python tests/bench/bench_trace.py

Prints seconds, their ratio to `grep -c -i -F` given every spelling that can be listed, and the most memory that
the process needed. Ends with 1 when a target is missed.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from hermesweb.hermes.scan.needles import needles_of  # noqa: E402
from tests.bench.bench_sessions import HOME, build  # noqa: E402

PHRASES = ("velgeguvo53", "wobblefrost", "josé garcía lópez")
RATIO = 3.0
MEMORY = 64 << 10  # kilobytes, as the system counts
MEASURE = """
import resource, subprocess, sys
command = [sys.executable, "-m", "hermesweb.hermes.scan.bytes_process"]
child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
child.stdin.write(sys.stdin.buffer.read() + b"\\n")
child.stdin.flush()
ended = [line for line in child.stdout][-1]
child.wait()
assert b'"end"' in ended, ended
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def main() -> int:
    build()
    missed = False
    for phrase in PHRASES:
        plain = min(grep(phrase) for _ in range(2))
        ours, memory = min(bytes_half(phrase) for _ in range(2))
        good = ours <= RATIO * plain and memory <= MEMORY
        missed = missed or not good
        print(
            f"{phrase:22} grep {plain:6.2f} s  bytes {ours:6.2f} s  x {ours / plain:4.2f}  {memory >> 10} MB"
            f"{'' if good else '  MISSED'}",
            flush=True,
        )
    return 1 if missed else 0


def grep(phrase: str) -> float:
    files = [path for path in HOME.rglob("*") if path.is_file() and not path.is_symlink()]
    with tempfile.NamedTemporaryFile() as spellings:
        spellings.write(b"\n".join(needles_of(phrase).variants) + b"\n")
        spellings.flush()
        began = time.perf_counter()
        subprocess.run(
            ["grep", "-c", "-i", "-F", "-f", spellings.name, "--", *map(str, files)],
            capture_output=True,  # into /dev/null it would stop at the first
            check=False,
        )
        return time.perf_counter() - began


def bytes_half(phrase: str) -> tuple[float, int]:
    asked = json.dumps({"folders": [{"path": str(HOME)}], "phrases": [phrase]})
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", MEASURE],
        input=asked,
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
        env=os.environ,
    )
    return time.perf_counter() - began, int(done.stdout)


if __name__ == "__main__":
    sys.exit(main())
