"""What kind of thing lies where in a profile: the kinds of the store catalogue, for the picture of sizes."""

from typing import Final, Literal, get_args

from hermesweb.hermes.stores.catalogue import store_of
from hermesweb.hermes.stores.store import Kind

Group = Kind | Literal["unknown"]
# Nothing remote has files here.
GROUPS: Final[tuple[Group, ...]] = (*(kind for kind in get_args(Kind) if kind != "remote"), "unknown")


def group_of(path: str, *, root: bool = True) -> Group:
    """The group of the file at `path`, relative to the profile's folder. What fits no store is "unknown".
    `root`: it is the folder of the default profile."""
    store = store_of(path, root=root)
    return store.kind if store else "unknown"
