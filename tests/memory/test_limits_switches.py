import pytest

from hermesweb.hermes.config import Config
from memory.limits import RELEASES, TARGETS, Rules
from memory.switches import provider, store_enabled, write_approval

# value, on in 0.19, on in 0.22: tried on both
SWITCHES: list[tuple[object, bool, bool]] = [
    (True, True, True),
    (False, False, False),
    (None, False, True),
    (1, True, True),
    (0, False, False),
    (0.0, False, False),
    ("true", True, True),
    (" TRUE ", True, True),
    ("false", True, False),
    ("no", True, False),
    ("0", True, False),
    ("maybe", True, False),
    ("", False, False),
    ([], False, False),
    (["a"], True, True),
    ({}, False, False),
]


@pytest.mark.parametrize(("value", "old", "new"), SWITCHES)
def test_a_store_is_switched(value: object, old: bool, new: bool) -> None:
    config = Config({"memory": {"memory_enabled": value, "user_profile_enabled": value}})
    for target in TARGETS:
        assert store_enabled(config, target, "0.19") is old
        assert store_enabled(config, target, "0.22") is new


def test_the_switches_are_separate() -> None:
    config = Config({"memory": {"user_profile_enabled": False}})
    assert store_enabled(config, "memory", "0.22")
    assert not store_enabled(config, "user", "0.22")


@pytest.mark.parametrize("values", [{}, {"memory": None}, {"memory": {}}])
@pytest.mark.parametrize("release", RELEASES)
def test_on_unless_said_otherwise(values: dict[object, object], release: Rules) -> None:
    assert store_enabled(Config(values), "memory", release)


@pytest.mark.parametrize("values", [{"memory": "text"}, {"memory": []}, {"agent": "text"}, {"agent": 5}])
def test_odd_sections_switch_off_in_0_19_only(values: dict[object, object]) -> None:
    assert not store_enabled(Config(values), "memory", "0.19")
    assert store_enabled(Config(values), "memory", "0.22")


@pytest.mark.parametrize("value", [True, "true", "yes", "on", "1", "approve", "enabled", "ON "])
def test_approval_is_on(value: object) -> None:
    assert write_approval(Config({"memory": {"write_approval": value}}))


@pytest.mark.parametrize("value", [False, None, 1, "false", "maybe", [], ["true"]])
def test_approval_is_off(value: object) -> None:
    assert not write_approval(Config({"memory": {"write_approval": value}}))
    assert not write_approval(Config())


def test_skills_have_their_own_approval() -> None:
    config = Config({"skills": {"write_approval": True}})
    assert write_approval(config, "skills")
    assert not write_approval(config, "memory")


@pytest.mark.parametrize(("value", "name"), [("mem0", "mem0"), (" holographic ", "holographic")])
def test_a_provider(value: object, name: str) -> None:
    assert provider(Config({"memory": {"provider": value}})) == name


@pytest.mark.parametrize("value", [None, "", " ", "builtin", "Built-In", "none", "default", 5, True, ["a"]])
def test_no_provider(value: object) -> None:
    assert provider(Config({"memory": {"provider": value}})) is None
    assert provider(Config()) is None
