"""The catalogue as a whole, and which store a file belongs to."""

import re
from functools import cache
from itertools import chain

from hermesweb.hermes.stores import (
    backups,
    conversations,
    media,
    memory,
    messaging,
    ours,
    outside,
    providers,
    remote,
    scheduling,
    settings,
    state_tables,
)
from hermesweb.hermes.stores.leftovers import original_names
from hermesweb.hermes.stores.patterns import Pattern, compiled, expression, is_local
from hermesweb.hermes.stores.store import Store

_AREAS = (
    memory,
    state_tables,
    conversations,
    media,
    providers,
    scheduling,
    messaging,
    settings,
    backups,
    outside,
    remote,
    ours,
)
_STORES: tuple[Store, ...] = tuple(chain.from_iterable(area.STORES for area in _AREAS))
_BY_ID = {each.id: each for each in _STORES}
_OF_STATE = {each.table: each for each in _STORES if each.table}

Rule = tuple[Pattern, Store]


def stores() -> tuple[Store, ...]:
    """Every store there is, grouped by area."""
    return _STORES


def store(identity: str) -> Store:
    """The store with this id. Raises KeyError."""
    return _BY_ID[identity]


def local_stores() -> tuple[Store, ...]:
    """The stores whose files lie in the folder of a profile."""
    return tuple(each for each in _STORES if any(map(is_local, each.patterns)))


def store_of(path: str, *, root: bool) -> Store | None:
    """The store of the file at `path`, relative to the profile's folder and parted by "/". `root`: it is the
    folder of the default profile, where the root-wide stores lie too. None: no store we know.

    What a writer or an editor that was stopped leaves beside a file belongs to the store of that file.
    """
    found = _first(path, root)
    if found is None:
        for original in original_names(path):
            found = found or _first(original, root)
    return found


def is_place(path: str, *, root: bool) -> bool:
    """Whether Hermes looks for a store at `path` itself, or for stores below it. What merely lies within the
    folder of a store, like one skill among others, is no place."""
    by_name, rest = _rules(root)
    parts = path.split("/")
    return any(_leads_to(pattern.text, parts) for pattern, _ in by_name.get(parts[0], rest))


def may_hide(file: str, why: str, *, root: bool) -> bool:
    """Whether `file`, which a scan did not look into because of `why`, may have something of Hermes'. A link that
    merely lies within the folder of a store has not: what it leads to is none of Hermes' stores."""
    return why != "link" or "!" in file or is_place(file, root=root)


def _leads_to(pattern: str, parts: list[str]) -> bool:
    wanted = pattern.rstrip("/").split("/")
    if len(parts) > len(wanted) or pattern.startswith("**/"):
        return False
    return all(
        re.fullmatch(expression(part), name, re.DOTALL) for part, name in zip(wanted, parts, strict=False)
    )


def store_of_table(name: str) -> Store | None:
    """The store that the table `name` of state.db is. The other tables of a full-text index belong to the
    one with its words. None for a table we do not know."""
    index = re.sub(
        r"^(messages_fts(?:_(?!idx|docsize|config)[a-z0-9]+)?)(?:_(?:idx|docsize|config))?$", r"\1_data", name
    )
    return _OF_STATE.get(name) or _OF_STATE.get(index) or _OF_STATE.get(re.sub("_(data|content)$", "", index))


def _first(path: str, root: bool) -> Store | None:
    by_name, rest = _rules(root)
    for pattern, each in by_name.get(path.partition("/")[0], rest):
        if pattern.match(path):
            return each
    return None


@cache
def _rules(root: bool) -> tuple[dict[str, list[Rule]], list[Rule]]:
    """Rules in their order, by the name a path begins with; and those for paths that begin with any other
    name. So most of the table never needs a look."""
    rules = [
        (compiled(pattern), each)
        for each in _STORES
        for pattern in each.patterns
        if is_local(pattern) and (root or each.where != "root")
    ]
    # Files first, in the order of the catalogue; then folders, the deepest first.
    rules.sort(key=lambda rule: -rule[0].depth if rule[0].below else -1_000)
    names = {pattern.first for pattern, _ in rules if pattern.first}
    rest = [rule for rule in rules if rule[0].first is None]
    return {name: [rule for rule in rules if rule[0].may_begin(name)] for name in names}, rest
