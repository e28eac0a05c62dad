"""Every answer of the real memory tool of Hermes 0.19 is understood."""

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sessions.memory_operations import answer_of, operations_of

ORACLE = Path(__file__).parents[1] / "memory_calls_oracle.py"


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    folder = tmp_path_factory.mktemp("hermes")
    environ = {"PATH": os.environ["PATH"], "HOME": str(folder), "HERMES_HOME": str(folder / "home")}
    command = [sys.executable, "-I", str(ORACLE), str(folder / "answers.json")]
    done = subprocess.run(command, cwd=folder, env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "answers.json").read_text())


@pytest.mark.interop
def test_every_kind_of_answer(answers: dict[str, list[Any]]) -> None:
    found = {label: answer_of(answer).outcome for label, (_, answer, _) in answers.items()}
    assert found == {label: label.split()[0] for label in answers}
    assert min(Counter(found.values()).values()) > 0


@pytest.mark.interop
def test_what_came_to_be(answers: dict[str, list[Any]]) -> None:
    """The entries that an accepted call is said to have made are in the file afterwards, others are not."""
    for label, (arguments, raw, entries) in answers.items():
        answer = answer_of(raw)
        made = [operation.after for operation in operations_of(arguments, answer) if operation.after]
        if answer.outcome in ("saved", "no_change"):
            assert set(made) <= set(entries), label
        elif answer.outcome != "guarded":
            assert not set(made) & set(entries), label


@pytest.mark.interop
def test_a_waiting_write_names_its_record(answers: dict[str, list[Any]]) -> None:
    pending = answer_of(answers["waiting add"][1]).pending_id
    assert pending is not None
    assert len(pending) == 8
