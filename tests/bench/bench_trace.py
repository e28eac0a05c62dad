"""Looking for a phrase in a home of 2.2 GB, beside grep. Run: python tests/bench/bench_trace.py

Prints seconds of a whole trace, their ratio to `grep -c -i -F` given every spelling that can be listed, and the
most memory that one of its processes needed. Ends with 1 when a target is missed.
"""

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
import resource, sys
from hermesweb.hermes.scan.asked import ScanFolder
from hermesweb.hermes.scan.events import Hit
from hermesweb.hermes.scan.scan import scan

hits = sum(isinstance(event, Hit) for event in scan((ScanFolder(sys.argv[1]),), (sys.stdin.read(),)))
used = resource.getrusage(resource.RUSAGE_CHILDREN)
print(hits, used.ru_maxrss, used.ru_utime + used.ru_stime)
"""


def main() -> int:
    build()
    missed = False
    for phrase in PHRASES:
        plain = min(grep(phrase) for _ in range(2))
        ours, memory, cpu, hits = min(whole(phrase) for _ in range(2))
        good = ours <= RATIO * plain and memory <= MEMORY
        missed = missed or not good
        print(
            f"{phrase:22} grep {plain:6.2f} s  trace {ours:6.2f} s  x {ours / plain:4.2f}  processor {cpu:6.2f} s"
            f"  {memory >> 10} MB  {hits} places{'' if good else '  MISSED'}",
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


def whole(phrase: str) -> tuple[float, int, float, int]:
    """Both halves, as a trace does it: seconds, the most kilobytes of one process, processor seconds, places."""
    began = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, str(HOME)], input=phrase, capture_output=True, text=True, check=True, cwd=ROOT
    )  # fmt: skip
    hits, memory, cpu = done.stdout.split()
    return time.perf_counter() - began, int(memory), float(cpu), int(hits)


if __name__ == "__main__":
    sys.exit(main())
