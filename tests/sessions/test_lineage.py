from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.lineage import Link, marks_of, members_of, root_of, tip_of


def link(id: str, parent: str | None = None, **values: Any) -> Link:
    defaults: dict[str, Any] = {"source": "cli", "end_reason": "", "ended": False, "started_at": 1.0}
    return Link(id=id, parent=parent, **{**defaults, "newest": None, "marks": {}, **values})


def compressed(id: str, parent: str | None = None, **values: Any) -> Link:
    return link(id, parent, end_reason="compression", ended=True, **values)


class Chain:
    def __init__(self, *links: Link) -> None:
        self.links = {each.id: each for each in links}

    def root(self, id: str) -> str:
        return str(root_of(self.links[id], self.links.get).id)

    def members(self, id: str) -> list[str]:
        return [each.id for each in self._members(id)]

    def tip(self, id: str) -> str:
        return str(tip_of(self.links[id], self._members(id)).id)

    def _members(self, id: str) -> list[Link]:
        return members_of(
            self.links[id], lambda key: [each for each in self.links.values() if each.parent == key]
        )


def test_it_follows_compression() -> None:
    chain = Chain(compressed("a"), compressed("b", "a"), link("c", "b"))
    assert (chain.root("c"), chain.members("a"), chain.tip("a")) == ("a", ["a", "b", "c"], "c")


@pytest.mark.parametrize("mark", ["_branched_from", "_delegate_from", "_reset_from"])
def test_a_fork_is_a_conversation_of_its_own(mark: str) -> None:
    chain = Chain(compressed("a"), link("b", "a", marks={mark: "a"}))
    assert (chain.root("b"), chain.members("a"), chain.tip("a")) == ("b", ["a"], "a")


def test_a_mark_that_was_inherited_is_no_fork() -> None:
    mark = {"_branched_from": "older"}
    chain = Chain(compressed("a", "older", marks=mark), link("b", "a", marks=mark), link("older"))
    assert (chain.root("b"), chain.tip("a")) == ("a", "b")


def test_a_child_of_a_session_that_was_not_compressed_is_none_of_it() -> None:
    chain = Chain(link("a", end_reason="cli_close", ended=True), link("b", "a"))
    assert (chain.root("b"), chain.members("a")) == ("b", ["a"])


@pytest.mark.parametrize("source", ["tool", "subagent"])
def test_helpers_of_a_compressed_session_are_none_of_it(source: str) -> None:
    chain = Chain(compressed("a"), link("b", "a", source=source))
    assert (chain.root("b"), chain.members("a")) == ("b", ["a"])


def test_of_several_continuations_the_compressed_one_then_the_open_one_then_the_newest() -> None:
    closed = [link("b", "a", ended=True, newest=9.0), link("c", "a", ended=True, newest=8.0)]
    assert Chain(compressed("a"), *closed).tip("a") == "b"
    assert Chain(compressed("a"), *closed, link("d", "a", newest=1.0)).tip("a") == "d"
    forked = Chain(compressed("a"), *closed, link("d", "a"), compressed("e", "a"))
    assert forked.tip("a") == "e"
    assert forked.members("a") == ["a", "b", "c", "d", "e"]


def test_a_missing_parent_makes_a_root() -> None:
    assert Chain(link("b", "gone")).root("b") == "b"


ids = st.sampled_from("abcdef")


@given(st.dictionaries(ids, st.tuples(st.none() | ids, st.booleans()), min_size=1))
def test_any_tangle_is_partitioned(parents: dict[str, tuple[str | None, bool]]) -> None:
    """Whatever the parents are, each session is a member of the conversation of its root."""
    chain = Chain(
        *(compressed(id, parent) if ended else link(id, parent) for id, (parent, ended) in parents.items())
    )
    for id in parents:
        root = chain.root(id)
        assert chain.root(root) == root
        assert id in chain.members(root)
        assert chain.tip(root) in chain.members(root)


@pytest.mark.parametrize(
    "config", [None, 3, b"{}", "", "{not json", "[]", '"_from"', "[" * 100_000 + "_from", "{}"]
)
def test_no_marks(config: object) -> None:
    assert marks_of(config) == {}


def test_marks() -> None:
    assert marks_of('{"_branched_from": "a", "_delegate_from": null, "x": 1}') == {"_branched_from": "a"}
    assert link("a", marks={"_delegate_from": "b"}).kind == "subagent"
    assert [link("a", source=source).kind for source in ("cron", "telegram", "")] == [
        "cron",
        "conversation",
        "conversation",
    ]
