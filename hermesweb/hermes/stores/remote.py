"""Copies at services of others: no tool on this machine can look there or remove anything."""

from hermesweb.hermes.stores.store import Clearing, Store
from hermesweb.hermes.stores.table import row


def _remote(identity: str, survives: str = "delete", clearing: Clearing = "out_of_reach") -> Store:
    return row(
        identity, "", "remote", clearing, "keep" if clearing == "keep" else "report", "",
        survives=survives, check="none", where="remote",
    )  # fmt: skip


STORES = (
    _remote("model-provider", "reset delete"),
    _remote("memory-provider", "reset delete"),
    _remote("messaging"),
    _remote("debug-share"),
    _remote("hf-traces", "reset delete"),
    _remote("search-browse"),
    _remote("speech-image"),
    _remote("langfuse", "reset delete"),
    _remote("nemo", "reset delete"),
    _remote("sandbox-cloud"),
    _remote("spotify"),
    _remote("google"),
    _remote("mcp-servers"),
    _remote("hermes-itself", "", "keep"),
)
