import os
from collections.abc import Mapping
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hermesweb.hermes.config import MISSING, Config, last_good_config, read_config
from tests.kernel_builders import write


def config_of(tmp_path: Path, content: str | bytes) -> Config:
    write(tmp_path, {"config.yaml": content})
    return read_config(tmp_path, root=tmp_path)


def test_it_works(tmp_path: Path) -> None:
    config = config_of(tmp_path, "memory:\n  memory_char_limit: 900\n  provider: ''\n")
    assert config.problem is None
    assert config.get("memory.memory_char_limit") == 900
    assert config.get("memory.provider") == ""
    assert config.get("memory") == {"memory_char_limit": 900, "provider": ""}


def test_missing_keys(tmp_path: Path) -> None:
    config = config_of(tmp_path, "a: {b: 1, n: null}\nl: [1]\n'a.b': 2\n")
    for key in ("x", "a.x", "a.b.c", "a.n.c", "l.0", "", ".", "a.", "a..b"):
        assert config.get(key) is MISSING, key
    assert config.get("a.n") is None
    assert config.get("a.x", 5) == 5


@pytest.mark.parametrize("content", ["", "\n", "# only a comment\n", "---\n", "null\n", "~"])
def test_empty_is_no_problem(tmp_path: Path, content: str) -> None:
    assert config_of(tmp_path, content) == Config()


def test_missing_file_is_no_problem(tmp_path: Path) -> None:
    assert read_config(tmp_path, root=tmp_path) == Config()
    assert read_config(tmp_path / "gone", root=tmp_path / "gone") == Config()


BOMB = "a0: &a0 [x,x,x,x,x,x,x,x,x]\n" + "".join(
    f"a{level}: &a{level} [{','.join([f'*a{level - 1}'] * 9)}]\n" for level in range(1, 12)
)
KEYS = ",".join(f"k{number}: 1" for number in range(3_000))
MERGE_BOMB = f"m: &m {{{KEYS}}}\nn: {{<<: [{','.join(['*m'] * 3_000)}]}}\n"


@pytest.mark.parametrize(
    ("problem", "content"),
    [
        ("not_a_mapping", "[1, 2]"),
        ("not_a_mapping", "hello"),
        ("not_a_mapping", "!!set {a, b}"),
        ("undecodable", b"memory: \xff"),
        ("undecodable", "memory: {}".encode("utf-16")),
        ("broken", b"memory: {}\n\0"),
        ("broken", "memory: {\n"),
        ("broken", "a: 1\n---\nb: 2\n"),
        ("broken", "a: !!python/object/apply:os.getcwd []"),
        ("broken", "a: !!int x"),
        ("broken", "a: !!bool x"),
        ("broken", "a: !!timestamp x"),
        ("broken", "a: 2026-99-99"),
        ("broken", "? [a]\n: b"),
        ("broken", "a: *nobody"),
        ("broken", "<<: 1"),
        ("broken", "a: " + "1:" * 400_000 + "1"),
        ("broken", "a: !!int '" + "1:" * 400_000 + "1'"),
        ("broken", "a: " + "9" * 900_000),
        ("broken", "a: 0x" + "f" * 900_000),
        ("too_deep", "[" * 900_000),
        ("too_deep", "{" * 5_000),
        ("too_deep", "- " * 400_000),
        ("too_deep", "? " * 300_000),
        ("too_deep", "a: " + "[" * 200 + "]" * 200),
        ("too_deep", "a: &a [*a]"),
        ("too_large", BOMB),
        ("too_large", MERGE_BOMB),
        ("too_large", "- a\n" * 200_000),
        ("too_large", "a: " + "b" * 1_000_001),
    ],
    ids=lambda value: None if value in ("broken", "too_deep", "too_large") else repr(value)[:24],
)
def test_refused(tmp_path: Path, problem: str, content: str | bytes) -> None:
    config = config_of(tmp_path, content)
    assert config.problem == problem
    assert config.values == {}
    assert config.get("memory.memory_char_limit", 7) == 7


def test_fifty_megabytes_are_not_read(tmp_path: Path) -> None:
    with (tmp_path / "config.yaml").open("wb") as file:
        file.truncate(50_000_000)
    config = read_config(tmp_path, root=tmp_path)
    assert config.problem == "too_large"
    assert config.unreadable
    assert config.unreadable.size == 50_000_000


def test_pipe_folder_link(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "config.yaml")
    config = read_config(tmp_path, root=tmp_path)
    assert config.problem == "unreadable"
    assert config.unreadable
    assert config.unreadable.why == "not_a_file"
    (tmp_path / "config.yaml").unlink()
    (tmp_path / "config.yaml").symlink_to("/etc/hostname")
    config = read_config(tmp_path, root=tmp_path)
    assert config.unreadable
    assert config.unreadable.why == "link"


def test_byte_order_mark(tmp_path: Path) -> None:
    assert config_of(tmp_path, "\ufeffa: 1").get("a") == 1


def test_repeated_key_is_said(tmp_path: Path) -> None:
    config = config_of(tmp_path, "memory: {a: 1}\nx: {y: 1, z: {y: 2}, y: 3}\nmemory: {a: 2}\n")
    assert config.get("memory.a") == 2
    assert config.repeated_key == "y"
    assert (
        config_of(tmp_path, "a: {b: 1}\nc: {b: 1}\nd: [b, b]\ne: b\nf: {g: b, b: g}\n").repeated_key is None
    )


def test_last_good_copy(tmp_path: Path) -> None:
    assert last_good_config(tmp_path, root=tmp_path) is None
    copies = tmp_path / "backups/config"
    write(copies, {"config.yaml.good.20261130-1": "a: 1", "config.yaml.good.20261130-2": "a: 2"})
    write(copies, {"config.yaml.corrupt.20261130-3": "a: 3"})
    found = last_good_config(tmp_path, root=tmp_path)
    assert found
    assert found.get("a") == 2
    write(copies, {"config.yaml.good.20261130-4": "a: ["})  # Hermes looks no further back either
    assert last_good_config(tmp_path, root=tmp_path) is None


def test_values_cannot_be_changed(tmp_path: Path) -> None:
    values = config_of(tmp_path, "a: 1").values
    with pytest.raises(TypeError):
        values["a"] = 2  # type: ignore[index]


PLAIN = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(st.characters(codec="utf-8")), inner, max_size=4)
    ),
    max_leaves=12,
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text(st.characters(codec="utf-8")), PLAIN, max_size=6))
def test_what_yaml_wrote_comes_back(tmp_path: Path, values: dict[str, object]) -> None:
    config = config_of(tmp_path, yaml.safe_dump(values))
    assert config.problem is None
    assert config.values == values


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=60) | st.text(alphabet="a:{}[]&*!<->?|'\"#%\n \t0123,", max_size=60))
def test_no_file_is_an_accident(tmp_path: Path, content: str | bytes) -> None:
    config = config_of(tmp_path, content)
    assert isinstance(config.values, Mapping)
    assert config.problem is None or not config.values
