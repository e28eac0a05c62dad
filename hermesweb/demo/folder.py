"""Puts files into the folder of a profile, with the modes that Hermes gives them whatever the umask is."""

import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

# The folders that Hermes makes for its owner alone; other ones below a profile are open to all who can pass.
_PRIVATE: Final = frozenset({".", "memories", "sessions", "logs", "skills", "cron", "cron/output"})


@dataclass(frozen=True)
class Folder:
    """The folder of a profile. `now`: UTC epoch seconds."""

    root: Path
    now: float

    def write(self, name: str, text: str, *, mode: int = 0o644, days_ago: float = 0.0) -> Path:
        """Write the file `name`, below the root, as if it had been changed that many days ago."""
        path = self.place(name)
        path.write_text(text, "utf-8", newline="")
        path.chmod(mode)
        self.date(path, days_ago)
        return path

    def write_json(self, name: str, value: object, *, mode: int = 0o644, days_ago: float = 0.0) -> Path:
        """Write `value` the way Hermes writes JSON: indented, characters as they are."""
        text = json.dumps(value, indent=2, ensure_ascii=False)
        return self.write(name, text, mode=mode, days_ago=days_ago)

    def place(self, name: str) -> Path:
        """Where the file `name` goes; the folders above it are made."""
        path = self.root / name
        above = reversed(path.relative_to(self.root).parents[:-1])
        for folder in [self.root, *(self.root / parent for parent in above)]:
            if not folder.exists():
                folder.mkdir(parents=folder == self.root)
                folder.chmod(0o700 if self._is_private(folder) else 0o755)
        return path

    def profile(self, name: str) -> "Folder":
        """The folder of a named profile of this home."""
        return Folder(self.place(f"profiles/{name}"), self.now)

    def date(self, path: Path, days_ago: float) -> None:
        """Give a file the time at which it would have been changed."""
        time = self.time(days_ago)
        os.utime(path, (time, time))

    def time(self, days_ago: float) -> float:
        """UTC epoch seconds of that many days ago."""
        return self.now - days_ago * 86_400

    def moment(self, days_ago: float) -> datetime:
        """The same as a date and time in UTC."""
        return datetime.fromtimestamp(self.time(days_ago), UTC)

    def _is_private(self, folder: Path) -> bool:
        name = folder.relative_to(self.root).as_posix()
        return name in _PRIVATE or name.startswith("cron/output/")
