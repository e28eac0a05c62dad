"""A real Hermes that adds and removes entries of MEMORY.md. Started by memory_race.race.

memory_race_writer.py NAME SECONDS LIMIT, with HERMES_HOME set. Says "ready", waits for a line, and at the end
says as JSON how often it wrote and what it left.
"""

import json
import logging
import sys
import time

KEPT = 3


def main(name, seconds, limit):
    logging.disable(logging.CRITICAL)
    from tools.memory_tool import MemoryStore

    store = MemoryStore(int(limit), int(limit))
    store.load_from_disk()
    print("ready", flush=True)
    sys.stdin.readline()
    left, writes, end = [], 0, time.monotonic() + float(seconds)
    while time.monotonic() < end:
        left.append(f"{name} number {writes}.")
        writes += done(store.add("memory", left[-1]))
        if len(left) > KEPT:
            writes += done(store.remove("memory", left.pop(0)))
    print(json.dumps({"writes": writes, "left": left}))


def done(result):
    assert result["success"], result
    return 1


if __name__ == "__main__":
    main(*sys.argv[1:])
