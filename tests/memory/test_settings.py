"""What each key of config.yaml comes to, and what changes it."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as some

from hermesweb.hermes.config import MISSING, Config
from memory.limits import RELEASES, Rules
from memory.remembering import Change, Setting, settings_of
from memory.reviewing import REVIEW, TOOLSETS, memory_tool_offered, review_enabled, review_interval
from memory.switches import write_approval
from tests.memory_builders import MemoryHome, memory_home

CASES: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "cases" / "remembering-settings.jsonl").read_text().splitlines()
]
KEYS = [
    *(
        "memory.memory_enabled",
        "memory.user_profile_enabled",
        "memory.memory_char_limit",
        "memory.user_char_limit",
    ),
    *("memory.write_approval", "memory.provider", "memory.nudge_interval", REVIEW, "skills.write_approval"),
    TOOLSETS,
]


@pytest.fixture
def home(tmp_path: Path) -> MemoryHome:
    return memory_home(tmp_path)


def setting(home: MemoryHome, key: str, rules: Rules = "0.22", **options: Any) -> Setting:
    return next(each for each in settings_of(home.read_config(), rules, **options) if each.key == key)


def shells(setting: Setting) -> dict[str, str | None]:
    return {change.kind: change.shell for change in setting.changes}


@pytest.mark.parametrize("rules", RELEASES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_every_value_as_measured(home: MemoryHome, case: dict[str, Any], rules: Rules) -> None:
    config = home.config(case["config"])
    measured = case[rules]
    if "memory_enabled" not in case["config"]:  # without a store 0.22 offers no tool either
        assert memory_tool_offered(config, rules) == measured["tool"]
    assert review_enabled(config, rules) == measured["review"]
    assert [write_approval(config, "memory"), write_approval(config, "skills")] == measured["approval"]
    if measured["loads"]:
        assert review_interval(config) == measured["interval"]
    elif case["name"].startswith("nudge"):
        assert review_interval(config) is None


@pytest.mark.parametrize("rules", RELEASES)
def test_without_a_file_everything_is_default(home: MemoryHome, rules: Rules) -> None:
    settings = settings_of(home.read_config(), rules)
    assert [each.key for each in settings] == KEYS
    assert all(each.is_default and each.certain and each.written is MISSING for each in settings)
    assert all(each.because is None for each in settings)
    assert [each.meaning for each in settings] == [
        *("on", "on", "default", "default", "saved_at_once", "built_in", "every_so_many_turns"),
        *("not_in_this_release" if rules == "0.19" else "on", "saved_at_once", "on"),
    ]
    assert [each.effective for each in settings] == [
        *(True, True, 2200, 1375, False, "", 10),
        *(None if rules == "0.19" else True, False, True),
    ]


def test_the_commands(home: MemoryHome) -> None:
    found = {each.key.split(".")[1]: shells(each) for each in settings_of(home.read_config(), "0.22")[:7]}
    assert found == {
        "memory_enabled": {"turn_off": "hermes config set memory.memory_enabled false"},
        "user_profile_enabled": {"turn_off": "hermes config set memory.user_profile_enabled false"},
        "memory_char_limit": {"to_number": "hermes config set memory.memory_char_limit NUMBER"},
        "user_char_limit": {"to_number": "hermes config set memory.user_char_limit NUMBER"},
        "write_approval": {"turn_on": "hermes config set memory.write_approval true"},
        "provider": {"choose": "hermes memory setup"},
        "nudge_interval": {
            "to_number": "hermes config set memory.nudge_interval NUMBER",
            "turn_off": "hermes config set memory.nudge_interval 0",
        },
    }


def test_commands_of_a_named_profile(home: MemoryHome) -> None:
    changes = setting(home, "memory.memory_enabled", profile="office").changes
    assert changes == (
        Change(
            "turn_off",
            ("hermes", "-p", "office", "config", "set", "memory.memory_enabled", "false"),
            "memory:\n  memory_enabled: false",
        ),
    )


def test_a_limit_as_text(home: MemoryHome) -> None:
    home.config("memory: {memory_char_limit: '3200'}")
    limit = setting(home, "memory.memory_char_limit")
    assert (limit.written, limit.effective, limit.meaning) == ("3200", None, "nothing_loads")
    assert (limit.is_default, limit.because) == (False, "memory.memory_char_limit")
    assert shells(limit)["to_default"] == "hermes config set memory.memory_char_limit 2200"
    user = setting(home, "memory.user_char_limit")
    assert (user.meaning, user.because) == ("nothing_loads", "memory.memory_char_limit")
    assert setting(home, "memory.memory_enabled").because == "memory.memory_char_limit"


def test_a_bad_limit_of_an_empty_store(home: MemoryHome) -> None:
    home.config("memory: {user_char_limit: many}")
    only_memory = setting(home, "memory.memory_char_limit", "0.19", holding=frozenset({"memory"}))
    assert (only_memory.meaning, only_memory.because) == ("default", None)


def test_a_store_that_is_switched_off(home: MemoryHome) -> None:
    home.config("memory: {memory_enabled: false}")
    assert shells(setting(home, "memory.memory_enabled")) == {
        "turn_on": "hermes config set memory.memory_enabled true"
    }
    assert setting(home, "memory.memory_char_limit").because == "memory.memory_enabled"


def test_an_external_provider(home: MemoryHome) -> None:
    home.config("memory: {provider: honcho}")
    found = setting(home, "memory.provider")
    assert (found.effective, found.meaning, found.is_default) == ("honcho", "provider", False)
    assert shells(found)["turn_off"] == "hermes config set memory.provider ''"


@pytest.mark.parametrize(
    ("config", "because"),
    [
        ("auxiliary: {background_review: {enabled: false}}", REVIEW),
        ("agent: {disabled_toolsets: [memory]}", TOOLSETS),
        ("memory: {memory_enabled: false, user_profile_enabled: false}", "memory.memory_enabled"),
        ("memory: {memory_char_limit: x}", "memory.memory_char_limit"),
        ("memory: {memory_enabled: false}", None),
    ],
)
def test_what_keeps_the_review_away(home: MemoryHome, config: str, because: str | None) -> None:
    home.config(config)
    assert setting(home, "memory.nudge_interval").because == because


@pytest.mark.parametrize("value", ["0", "-3", "'0'", "false"])
def test_no_review(home: MemoryHome, value: str) -> None:
    home.config(f"memory: {{nudge_interval: {value}}}")
    found = setting(home, "memory.nudge_interval")
    assert (found.meaning, found.because) == ("never", None)
    assert shells(found)["to_default"] == "hermes config set memory.nudge_interval 10"


def test_an_interval_that_stops_the_load(home: MemoryHome) -> None:
    home.config("memory: {nudge_interval: null}")
    found = setting(home, "memory.nudge_interval")
    assert (found.written, found.effective, found.meaning) == (None, None, "nothing_loads")


def test_the_toolset_in_both_releases(home: MemoryHome) -> None:
    home.config("agent: {disabled_toolsets: [file]}")
    old, new = setting(home, TOOLSETS, "0.19"), setting(home, TOOLSETS)
    (change,) = old.changes
    assert (change.kind, change.command) == ("turn_off", None), "0.19 stores a text there and ignores it"
    assert yaml.safe_load(change.lines) == {"agent": {"disabled_toolsets": ["file", "memory"]}}
    assert shells(new) == {"turn_off": """hermes config set agent.disabled_toolsets '["file", "memory"]'"""}


def test_the_toolset_switched_on_again(home: MemoryHome) -> None:
    home.config("agent: {disabled_toolsets: [memory]}")
    for rules in RELEASES:
        found = setting(home, TOOLSETS, rules)
        assert (found.meaning, found.is_default) == ("off", False)
        assert shells(found) == {"turn_on": "hermes config unset agent.disabled_toolsets"}


@pytest.mark.parametrize(("value", "old", "new"), [("memory", "on", "off"), ("5", "stops_hermes", "on")])
def test_odd_toolsets(home: MemoryHome, value: str, old: str, new: str) -> None:
    home.config(f"agent: {{disabled_toolsets: {value}}}")
    assert [setting(home, TOOLSETS, rules).meaning for rules in RELEASES] == [old, new]
    (change,) = setting(home, TOOLSETS, "0.19").changes
    disabled = yaml.safe_load(change.lines)["agent"]["disabled_toolsets"]
    assert disabled == (["memory"] if old == "on" else [])


def test_a_broken_file_is_not_certain(home: MemoryHome) -> None:
    home.config("a: [")
    assert not any(each.certain for each in settings_of(home.read_config(), "0.22"))
    assert all(each.certain for each in settings_of(home.read_config(), "0.19"))


def test_a_name_that_needs_quotes(home: MemoryHome) -> None:
    home.config("agent: {disabled_toolsets: [\"it's; rm -rf\", '$HOME']}")
    (change,) = setting(home, TOOLSETS).changes
    assert change.shell is not None
    assert shlex.split(change.shell) == list(change.command or ())
    assert yaml.safe_load(change.lines)["agent"]["disabled_toolsets"] == ["it's; rm -rf", "$HOME", "memory"]


_values = some.recursive(
    some.none() | some.booleans() | some.integers() | some.floats() | some.text(max_size=10) | some.dates(),
    lambda inner: some.lists(inner, max_size=3) | some.dictionaries(some.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)


@given(some.sampled_from(KEYS), _values, some.sampled_from(RELEASES))
def test_any_value_is_shown(key: str, value: object, rules: Rules) -> None:
    written: object = value
    for part in reversed(key.split(".")):
        written = {part: written}
    assert isinstance(written, dict)
    for each in settings_of(Config(written), rules):
        assert each.meaning
        assert all(change.lines for change in each.changes)
