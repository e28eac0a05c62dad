"""Every odd setting, against what both releases did with it when an agent started.

tests/cases/memory-settings.jsonl: config.yaml and both memory files, the usage figures in the prompts of
0.19 and 0.22 (null: no such block), and the limits of the approval path.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from memory.limits import RELEASES, TARGETS, Rules, approval_limit, usage_text
from tests.memory_builders import MemoryHome, ask_hermes, memory_home

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "memory-settings.jsonl").read_text().splitlines()
]
# 0.22 reads YAML with another library: 1e3 is a number for it, and a key given twice an error.
OTHER_YAML = {"mem=1e3", "config 'memory:\\n  memory_char_limit: 5\\nmemory:\\n  user_char_limit: 6\\n'"}


BOTH = [
    pytest.param(case, release, id=f"{release} {case['name']}")
    for case in CASES
    for release in RELEASES
    if release == "0.19" or case["name"] not in OTHER_YAML
]


@pytest.mark.parametrize(("case", "release"), BOTH)
def test_the_prompt_of_a_session(tmp_path: Path, case: dict[str, Any], release: Rules) -> None:
    assert _usage(_build(tmp_path, case), release) == case["usage"][release]


@pytest.mark.parametrize(("case", "release"), BOTH)
def test_the_limits_of_an_approval(tmp_path: Path, case: dict[str, Any], release: Rules) -> None:
    config = _build(tmp_path, case).read_config()
    limits = [approval_limit(config, target, release) for target in TARGETS]
    # null: a memory file that is not UTF-8 ended the approval in 0.19 before anything was said.
    assert case["approval"][release] in (limits, None)


@pytest.mark.interop
def test_hermes_still_does_what_was_measured(tmp_path: Path) -> None:
    names = {"config": "config.yaml", "memory": "memories/MEMORY.md", "user": "memories/USER.md"}
    asked = [
        {"files": {name: case[key] for key, name in names.items() if case[key] is not None}} for case in CASES
    ]
    answers = ask_hermes("start", asked, tmp_path)
    measured = [{"usage": case["usage"]["0.19"], "approval": case["approval"]["0.19"]} for case in CASES]
    assert list(zip(CASES, answers, strict=True)) == list(zip(CASES, measured, strict=True))


def _build(root: Path, case: dict[str, Any]) -> MemoryHome:
    home = memory_home(root)
    if case["config"] is not None:
        home.config(case["config"])
    for name, key in (("MEMORY.md", "memory"), ("USER.md", "user")):
        if case[key] is not None:
            home.memory(case[key], name)
    return home


def _usage(home: MemoryHome, release: Rules) -> list[str | None]:
    figures: list[str | None] = []
    for target in TARGETS:
        store = home.store(target, release)
        in_prompt = store.enabled and store.not_loaded_because is None and store.kept
        value = store.limit.value
        figures.append(usage_text(store.used, value) if in_prompt and value is not None else None)
    return figures
