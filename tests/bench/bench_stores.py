"""How long the inventory of a home of 50,000 files takes, as a ratio to going through it with os.walk and lstat.

The limit for the first view is 2 s.
"""

import os
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from hermesweb.hermes.homes import find_profile, home_at
from hermesweb.hermes.inventory import take_inventory
from hermesweb.hermes.stores.catalogue import store_of

FOLDERS = ("skills/cat", "cache/images", "sessions/saved", "workspace/a", "state-snapshots/b")
FILES = 10_000  # in each


def filled(root: Path) -> list[str]:
    paths = [f"{folder}/{number % 100}/{number}" for folder in FOLDERS for number in range(FILES)]
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
    return paths


def plain(root: Path) -> None:
    for folder, _, names in os.walk(root):
        for name in names:
            os.lstat(f"{folder}/{name}")


def seconds(function: object, *arguments: object) -> float:
    began = time.perf_counter()
    function(*arguments)  # type: ignore[operator]
    return time.perf_counter() - began


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name)
        paths = filled(root)
        profile = find_profile(home_at(root), "default")
        walked = min(seconds(plain, root) for _ in range(3))
        taken = min(seconds(take_inventory, profile) for _ in range(3))
        named = seconds(lambda: [store_of(path, root=True) for path in paths])
    print(f"{len(paths):,} files: inventory {taken:.2f} s, {taken / walked:.1f} × os.walk with lstat")
    print(f"of that, finding the stores: {named:.2f} s")


if __name__ == "__main__":
    main()
