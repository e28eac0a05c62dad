"""What a SKILL.md must be like, and which paths a record may name; as seen on Hermes 0.19."""

from pathlib import PurePosixPath

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory.proposal_reasons import Reason
from memory.skill_diff import diff_lines
from memory.skill_text import frontmatter, inner_path, refused_name, refused_text
from tests.approval_builders import skill


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (skill(), ""),
        ("\ufeff" + skill(), ""),
        (skill().replace("\n", "\r\n"), ""),
        (skill(description="d" * 1_024), ""),
        (skill(description="d" * 1_025), "long_description"),
        ("--- \nname: n\ndescription: d\n--- \nx", ""),
        ("---\nname: \ndescription: \n---\nx", ""),
        ("---\nname: [n]\ndescription: [d]\n---\nx", ""),
        ("", "empty"),
        (" \n", "empty"),
        ("no head", "no_start"),
        ("\n" + skill(), "no_start"),
        ("---\nname: n\ndescription: d\n", "not_closed"),
        ("---\nname: n\ndescription: d\n---", "not_closed"),
        ("---\nname: n\ndescription: d\n----\nx", "not_closed"),
        ("---\rname: n\rdescription: d\r---\rx", "not_closed"),
        ("---\na: [\n---\nx", "not_yaml"),
        ("---\nname: !!python/object:os.system n\n---\nx", "not_yaml"),
        ("---\nname: n\ndescription: 2026-99-99\n---\nx", "not_yaml"),
        ("---\n- a\n---\nx", "not_a_mapping"),
        ("---\n---\nx", "not_a_mapping"),
        ("---\ndescription: d\n---\nx", "no_name"),
        ("---\nname: n\nDescription: d\n---\nx", "no_description"),
        (skill(body=" \u2028\n"), "no_body"),
    ],
)
def test_head(text: str, problem: str) -> None:
    assert frontmatter(text).problem == problem


def test_what_it_says_of_itself() -> None:
    found = frontmatter(skill("brew", "How to brew"))
    assert (found.name, found.description) == ("brew", "How to brew")


def test_length() -> None:
    assert refused_text("w" * 100_000, is_skill=False) is None
    reason = refused_text("w" * 100_001, is_skill=False)
    assert reason is not None
    assert (reason.code, reason.size, reason.limit) == ("too_long", 100_001, 100_000)


@pytest.mark.parametrize("name", ["brew", "0", "x.y", "x-", "a..b", "x" * 64])
def test_names(name: str) -> None:
    assert refused_name(name, None) is None
    assert refused_name("brew", name) is None


@pytest.mark.parametrize(
    "name", ["Brew", "a b", "a/b", "../x", ".x", "-x", "_x", "é", "x" * 65, "x\n", "..", "."]
)
def test_no_names(name: str) -> None:
    assert refused_name(name, None) is not None
    assert refused_name("brew", name) is not None


@pytest.mark.parametrize(
    ("written", "path"),
    [
        ("references/a.md", "references/a.md"),
        ("./references//b.md/", "references/b.md"),
        ("SKILL.md", "SKILL.md"),
        ("./SKILL.md", "SKILL.md"),
        ("references/..x", "references/..x"),
        ("scripts/a b\nc", "scripts/a b\nc"),
    ],
)
def test_paths(written: str, path: str) -> None:
    assert inner_path(written) == PurePosixPath(path)


@pytest.mark.parametrize(
    ("written", "code"),
    [
        ("../b.md", "path_outside"),
        ("references/../../x", "path_outside"),
        ("assets/..", "path_outside"),
        ("/etc/passwd", "path_outside"),
        ("//references/b.md", "path_outside"),
        ("references/\0", "path_outside"),
        ("b.md", "path_not_allowed"),
        ("references", "path_not_allowed"),
        ("References/b.md", "path_not_allowed"),
        ("references\\b.md", "path_not_allowed"),
        ("SKILL.md/x", "path_not_allowed"),
        (".", "path_not_allowed"),
        ("~/x", "path_not_allowed"),
        ("references/" + "x" * 256, "path_not_allowed"),
        ("references/" + "a/" * 600 + "b", "path_not_allowed"),
    ],
)
def test_no_paths(written: str, code: str) -> None:
    found = inner_path(written)
    assert isinstance(found, Reason)
    assert found.code == code


@given(st.text())
def test_a_path_never_leaves_the_skill(written: str) -> None:
    path = inner_path(written)
    assert isinstance(path, Reason) or ".." not in path.parts
    assert isinstance(path, Reason) or not path.is_absolute()


LINES = st.lists(st.sampled_from(["a", "b", "c", ""]), max_size=30) | st.lists(
    st.integers(0, 90).map(str), min_size=55, max_size=110
)


@given(LINES, LINES)
def test_a_diff_makes_one_of_the_other(before: list[str], after: list[str]) -> None:
    old, new = "\n".join(before).splitlines(), "\n".join(after).splitlines()
    made: list[str] = []
    reached = 0
    for line in diff_lines("\n".join(before), "\n".join(after)):
        if line.kind == "left_out":
            assert line.before is not None
            made += old[reached : line.before - 1]
            reached = line.before - 1
            continue
        made += [line.text] if line.kind in ("same", "added") else []
        reached += line.kind in ("same", "removed")
    assert made + old[reached:] == new


def test_a_diff_leaves_out_what_stays() -> None:
    before = "\n".join(f"line {number}" for number in range(100))
    lines = diff_lines(before, before.replace("line 50", "changed"))
    assert [(line.kind, line.before, line.after) for line in lines] == [
        ("left_out", 48, 48),
        *(("same", number, number) for number in (48, 49, 50)),
        ("removed", 51, None),
        ("added", None, 51),
        *(("same", number, number) for number in (52, 53, 54)),
        ("left_out", 101, 101),
    ]
    assert diff_lines(before, before) == ()
    assert [line.kind for line in diff_lines("", "a\nb")] == ["added", "added"]


def test_a_diff_of_moved_and_of_hostile_lines() -> None:
    lines = [f"line {number}" for number in range(300)]
    moved = diff_lines("\n".join(lines), "\n".join([*lines[1:], lines[0]]))
    assert [line.text for line in moved if line.kind in ("removed", "added")] == ["line 0", "line 0"]
    hostile = [
        "\n".join(line for number in range(1_000) for line in ("a", f"{side}{number}")) for side in ("u", "v")
    ]
    assert len([line for line in diff_lines(*hostile) if line.kind == "removed"]) > 900
