"""One row of the catalogue, written short."""

from typing import cast, get_args

from hermesweb.hermes.stores.store import Check, Clearing, Hazard, How, Kind, Store, Where


def row(
    identity: str,
    patterns: str | tuple[str, ...],
    kind: Kind,
    clearing: Clearing,
    how: How,
    since: str,
    *,
    survives: str = "",
    hazards: str = "",
    check: Check = "files",
    where: Where = "profile",
    stop_first: bool = False,
    until: str | None = None,
    table: str | None = None,
    inside: str | None = None,
) -> Store:
    """A store. `survives`: "reset" and "delete" where the fact outlives a memory reset, the deletion of the
    rows in state.db. Words in `patterns`, `survives` and `hazards` are parted by spaces; a pattern with a
    space in it is given as one of a tuple."""
    named = hazards.split()
    if unknown := {*named} - {*get_args(Hazard)} or {*survives.split()} - {"reset", "delete"}:
        raise ValueError(unknown)
    return Store(
        id=identity,
        where=where,
        patterns=tuple(patterns.split()) if isinstance(patterns, str) else patterns,
        kind=kind,
        clearing=clearing,
        stop_first=stop_first or clearing == "live",
        after_reset="reset" in survives.split(),
        after_session_delete="delete" in survives.split(),
        how=how,
        hazards=cast(tuple[Hazard, ...], tuple(named)),
        check=check,
        since=since,
        until=until,
        table=table,
        inside="state-db" if table else inside,
    )
