"""Four real Hermes processes and we change one memory file for 20 seconds. Run: python tests/bench/bench_race.py

Prints what each wrote; ends with 1 when an entry is lost, doubled or there unasked, when the file was not whole
at any moment, when something is left beside it, or when a writer came to fewer than 200 writes.
"""

import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.memory_race import race

SECONDS = 20
WRITES = 200


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        outcome = race(Path(folder) / "home", SECONDS)
    for name, writes in sorted(outcome.writes.items()):
        print(f"{name:<10} {writes:6,} writes")
    print(f"{'reader':<10} {outcome.reads:6,} reads")
    print(f"torn {len(outcome.torn)}, lost {len(outcome.lost)}, doubled {len(outcome.doubled)}, ", end="")
    print(f"unasked {len(outcome.unasked)}, litter {len(outcome.litter)}")
    slow = [name for name, writes in outcome.writes.items() if writes < WRITES]
    print(f"Fewer than {WRITES} writes: {', '.join(slow)}" if slow else f"All over {WRITES} writes.")
    return 1 if outcome.faults or slow else 0


if __name__ == "__main__":
    sys.exit(main())
