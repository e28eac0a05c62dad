"""The real Hermes 0.19: what it makes of each value, and whether the commands do what they are said to do."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from memory.remembering import NUMBER, Setting, settings_of
from tests.memory_builders import MemoryHome, memory_home

ORACLE = Path(__file__).parents[1] / "memory_settings_oracle.py"
CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "remembering-settings.jsonl").read_text().splitlines()
]
HERMES = shutil.which("hermes", path=str(Path(sys.executable).parent))


@pytest.mark.interop
def test_hermes_still_does_what_was_measured(tmp_path: Path) -> None:
    (tmp_path / "configs.json").write_text(json.dumps([case["config"] for case in CASES]))
    command = [
        sys.executable,
        "-I",
        str(ORACLE),
        str(tmp_path / "configs.json"),
        str(tmp_path / "answers.json"),
    ]
    done = subprocess.run(command, env=_environ(tmp_path), capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    answers = json.loads((tmp_path / "answers.json").read_text())
    measured = {case["name"]: case["0.19"] for case in CASES}
    assert dict(zip(measured, answers, strict=True)) == measured


START = "memory: {write_approval: true, provider: honcho, nudge_interval: 5, memory_char_limit: 99}\n"
STARTS = ["", START, "agent: {disabled_toolsets: [memory]}\n"]


@pytest.mark.interop
@pytest.mark.parametrize("start", STARTS, ids=["nothing", "all", "toolset"])
def test_every_command_does_what_it_says(tmp_path: Path, start: str) -> None:
    """Each change is made in a home of its own, by the real command line and by the lines."""
    tried = 0
    for setting in settings_of(memory_home(tmp_path / "start").config(start), "0.19"):
        for change in setting.changes:
            if change.kind == "choose":
                continue
            by_lines = memory_home(tmp_path / f"lines-{setting.key}-{change.kind}")
            written = _merged(yaml.safe_load(start) or {}, yaml.safe_load(change.lines.replace(NUMBER, "7")))
            by_lines.config(yaml.safe_dump(written))
            expected = _named(by_lines, setting.key)
            assert _is_as_said(expected, change.kind), change
            if change.command:
                by_command = memory_home(tmp_path / f"command-{setting.key}-{change.kind}")
                by_command.config(start)
                _run(by_command, [NUMBER.replace(NUMBER, "7") if w == NUMBER else w for w in change.command])
                assert _named(by_command, setting.key).effective == expected.effective, change
                tried += 1
    assert tried > 4


def _is_as_said(setting: Setting, kind: str) -> bool:
    if kind == "to_default":
        return setting.is_default
    if kind == "to_number":
        return setting.effective == 7
    off = setting.meaning in ("off", "saved_at_once", "built_in", "never")
    return off == (kind == "turn_off")


def _named(home: MemoryHome, key: str) -> Setting:
    return next(each for each in settings_of(home.read_config(), "0.19") if each.key == key)


def _merged(one: dict[str, Any], two: dict[str, Any]) -> dict[str, Any]:
    both = {**one, **two}
    return {
        key: _merged(one[key], two[key]) if isinstance(one.get(key), dict) and key in two else value
        for key, value in both.items()
    }


def _run(home: MemoryHome, command: list[str]) -> None:
    assert HERMES is not None
    environ = {**_environ(home.folder.parent), "HERMES_HOME": str(home.folder)}
    done = subprocess.run(
        [HERMES, *command[1:]],
        env=environ,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def _environ(folder: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(folder), "HERMES_HOME": str(folder / "start")}
