"""What holds for every store."""

from typing import get_args

import pytest

from hermesweb.hermes.groups import GROUPS
from hermesweb.hermes.stores.catalogue import store, stores
from hermesweb.hermes.stores.store import Check, Clearing, Hazard, How, Kind, Where
from hermesweb.hermes.stores.table import row

RELEASES = {"", "0.13.0", "0.15.2", "0.17.0", "0.18.2", "0.19.0", "0.22", "later"}


def test_each_id_stands_for_one_store() -> None:
    assert len({each.id for each in stores()}) == len(stores())
    assert store("memory-md").patterns == ("memories/MEMORY.md",)
    with pytest.raises(KeyError):
        store("nothing")


def test_a_store_says_what_can_be() -> None:
    for each in stores():
        for value, known in (
            (each.where, Where), (each.kind, Kind), (each.clearing, Clearing), (each.how, How), (each.check, Check),
        ):  # fmt: skip
            assert value in get_args(known)
        assert set(each.hazards) <= set(get_args(Hazard))
        assert len(each.hazards) == len(set(each.hazards))
        assert each.since in RELEASES
        assert each.until in {*RELEASES, None}


def test_where_and_patterns_agree() -> None:
    for each in stores():
        starts = {
            pattern.partition("/")[0] if pattern.startswith(("~", "<")) else "" for pattern in each.patterns
        }
        allowed = {"outside": {"~", "<tmp>", "<work>"}, "ours": {"<data>"}, "remote": set()}
        assert starts <= allowed.get(each.where, {""})
        assert not (each.inside and each.patterns)
        if each.table:
            assert each.inside == "state-db"
        if each.inside:
            assert store(each.inside).patterns


def test_class_and_method_agree() -> None:
    for each in stores():
        if each.clearing == "keep":
            assert each.how in ("keep", "report")
        if each.clearing == "out_of_reach":
            assert each.how == "report"
        if each.clearing == "live":
            assert each.stop_first
            assert each.how == "keep"
        if each.clearing in ("default", "backups"):
            assert each.how not in ("keep", "report")
        if each.how == "sql":
            assert each.table
        if each.how == "database_delete":
            assert each.check == "sql_and_bytes"
            assert "never_unlink" in each.hazards
            assert each.stop_first or each.id == "state-db"  # which can be emptied by SQL meanwhile


def test_a_memory_reset_removes_two_files_only() -> None:
    gone = {each.id for each in stores() if each.kind in ("memory", "memory_copies") and not each.after_reset}
    assert gone == {"memory-md", "user-md"}


def test_the_kinds_are_the_groups_of_the_overview() -> None:
    assert {*GROUPS, "remote"} == {*get_args(Kind), "unknown"}
    assert {each.kind for each in stores()} == set(get_args(Kind))


def test_a_misspelt_row_is_refused() -> None:
    with pytest.raises(ValueError, match="rewriten"):
        row("a", "a", "work", "keep", "keep", "", hazards="rewriten")
