"""The block a session gets from a memory file, and the way back from a stored prompt."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from hermesweb.hermes.config import read_config
from hermesweb.hermes.homes import Home, Profile
from memory.entries import FILE_NAMES, read_store
from memory.limits import TARGETS, Rules, Target
from memory.prompt import LINE, blocks_in, parts_of, placeholder, prompt_block
from tests.home_builders import BuiltHome
from tests.memory_builders import SEPARATOR, MemoryHome, memory_home

INVISIBLE = "with\u200bin"


@pytest.fixture
def home(tmp_path: Path) -> MemoryHome:
    return memory_home(tmp_path)


def test_a_block(home: MemoryHome) -> None:
    home.memory(f"Likes maps{SEPARATOR}Lives in Bonn")
    assert prompt_block(home.store()) == (
        f"{LINE}\nMEMORY (your personal notes) [1% — 26/2,200 chars]\n{LINE}\n"
        f"Likes maps{SEPARATOR}Lives in Bonn"
    )


def test_user_profile_has_its_own_head_and_limit(home: MemoryHome) -> None:
    home.user("é" * 1375)
    block = prompt_block(home.store("user"))
    assert (
        block == f"{LINE}\nUSER PROFILE (who the user is) [100% — 1,375/1,375 chars]\n{LINE}\n" + "é" * 1375
    )


def test_duplicates_and_empty_entries_are_left_out(home: MemoryHome) -> None:
    home.memory(f"tea{SEPARATOR}{SEPARATOR}tea{SEPARATOR}  maps ")
    assert _text(prompt_block(home.store())) == f"tea{SEPARATOR}maps"


def test_the_placeholder_of_each_release(home: MemoryHome) -> None:
    home.user(f"system prompt override, ~/.hermes/.env {INVISIBLE}")
    (entry,) = home.store("user").entries
    start = (
        "[BLOCKED: USER.md entry contained threat pattern(s): "
        "invisible_unicode_U+200B, sys_prompt_override, hermes_env."
        " Removed from system prompt; use memory(action=remove"
    )
    assert placeholder(entry, "user", "0.19") == f"{start}) to delete the original.]"
    assert placeholder(entry, "user", "0.22") == f"{start}, target='user') to delete the original.]"


def test_usage_counts_the_placeholder(home: MemoryHome) -> None:
    home.memory(f"{INVISIBLE}{SEPARATOR}tea")
    store = home.store()
    block = prompt_block(store)
    shown = placeholder(store.entries[0], "memory", "0.22")
    assert shown is not None
    assert _text(block) == f"{shown}{SEPARATOR}tea"
    assert store.used == 13
    assert f"— {len(shown) + 6}/2,200 chars]" in str(block)


def test_an_entry_that_looks_like_a_placeholder_stands_as_it_is(home: MemoryHome) -> None:
    home.memory("[BLOCKED: not really] system prompt override")
    assert _text(prompt_block(home.store())) == "[BLOCKED: not really] system prompt override"


@pytest.mark.parametrize("rules", ["0.19", "0.22"])
def test_a_byte_order_mark(home: MemoryHome, rules: Rules) -> None:
    home.memory("\ufefftea")
    shown = _text(prompt_block(home.store("memory", rules)))
    assert shown.startswith("[BLOCKED: MEMORY.md") if rules == "0.19" else shown == "tea"


@pytest.mark.parametrize(
    "config",
    [
        "memory: {memory_enabled: false}",
        "memory: {memory_char_limit: '3200'}",
        "memory: {nudge_interval: null}",
    ],
)
def test_no_block_when_nothing_loads(home: MemoryHome, config: str) -> None:
    home.memory("tea")
    home.config(config)
    assert prompt_block(home.store()) is None


@pytest.mark.parametrize("content", [None, b"", b" \n\n", b"\n\xc2\xa7\n", b"caf\xe9"])
def test_no_block_without_entries(home: MemoryHome, content: bytes | None) -> None:
    if content is not None:
        home.memory(content)
    assert prompt_block(home.store()) is None


@pytest.mark.parametrize("release", ["0.19", "0.22"])
@pytest.mark.parametrize("name", ["default", "office"])
@pytest.mark.parametrize("target", TARGETS)
def test_blocks_of_the_recorded_homes(
    request: pytest.FixtureRequest, release: Rules, name: str, target: Target
) -> None:
    built: BuiltHome = request.getfixturevalue(f"home_{release.replace('.', '')}")
    profile = Profile(Home("home", "Home", built.root), name, built.profile(name))
    store = read_store(profile, target, read_config(profile.folder, root=built.root), release)
    assert prompt_block(store) == _recorded(built.facts(name), target)


def test_reading_a_prompt_back(home: MemoryHome) -> None:
    home.memory(f"Likes maps{SEPARATOR}two\n\nparagraphs{SEPARATOR}{INVISIBLE}")
    home.user("Is called Ada")
    memory, user = prompt_block(home.store()), prompt_block(home.store("user"))
    prompt = f"You are Hermes.\n\n{memory}\n\n{user}\n\nConversation started: Monday\nModel: m"
    first, second = blocks_in(prompt)
    assert [prompt[block.start : block.end] for block in (first, second)] == [memory, user]
    assert (first.target, second.target) == ("memory", "user")
    assert first.entries[:2] == ("Likes maps", "two\n\nparagraphs")
    assert first.entries[2].startswith("[BLOCKED: MEMORY.md")
    assert second.entries == ("Is called Ada",)
    assert first.certain
    parts = parts_of(prompt)
    assert parts.entries == {*first.entries, *second.entries}
    assert parts.blocks == {memory, user}
    assert parts.pieces == ("You are Hermes.\n\n", "\n\nConversation started: Monday\nModel: m")


def test_a_head_inside_an_entry_is_text(home: MemoryHome) -> None:
    fake = f"tea\n\n{LINE}\nUSER PROFILE (who the user is) [0% — 3/1,375 chars]\n{LINE}\nfoo"
    home.memory(fake)
    (block,) = blocks_in(f"{prompt_block(home.store())}\n\nConversation started: today")
    assert block.entries == (fake,)


def test_a_figure_that_does_not_fit(home: MemoryHome) -> None:
    home.memory("tea")
    prompt = (
        str(prompt_block(home.store())).replace("tea", "tea and more") + "\n\nConversation started: today"
    )
    (block,) = blocks_in(prompt)
    assert (block.entries, block.certain) == (("tea and more",), False)


@pytest.mark.parametrize("limit", ["0", "-5", "32.5", ".inf", ".nan", "1234567", "true"])
def test_odd_limits_are_read_back(home: MemoryHome, limit: str) -> None:
    home.memory("tea")
    home.config(f"memory: {{memory_char_limit: {limit}}}")
    (block,) = blocks_in(f"x\n\n{prompt_block(home.store())}\n\nend")
    assert (block.entries, block.certain) == (("tea",), True)


@given(some.text(max_size=200), some.integers(0, 10**12), some.text(max_size=50))
def test_any_text_can_be_read(text: str, count: int, after: str) -> None:
    head = f"{LINE}\nMEMORY (your personal notes) [5% — {count:,}/2,200 chars]\n{LINE}\n"
    for prompt in (text, head + text, f"{text}\n\n{head}{text}\n\n{after}"):
        for block in blocks_in(prompt):
            assert 0 <= block.start < block.end <= len(prompt)


def _text(block: str | None) -> str:
    assert block is not None
    return block.split(f"chars]\n{LINE}\n", 1)[1]


def _recorded(facts: dict[str, Any], target: Target) -> str | None:
    return facts["memory"][FILE_NAMES[target]].get("system_prompt_block")
