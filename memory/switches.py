"""What config.yaml switches on and off about memory, for every kind of value. Tried on both releases.

value of memory_enabled, user_profile_enabled   0.19      0.22
no key, no `memory:` section                    on        on
true, 1, a list or mapping with something in it on        on
false, 0, [], {}, ""                            off       off
null                                            off       on
"true" "yes" "on" "1"                           on        on
other text, also "false", "no", "off", "0"      on        off
`memory:` is text, a list, a number             off       on
"""

from collections.abc import Mapping
from typing import Final, Literal

from hermesweb.hermes.config import MISSING, Config
from memory.limits import Rules, Target, has_bad_agent_section

Subsystem = Literal["memory", "skills"]

_SWITCHES: Final[Mapping[Target, str]] = {"memory": "memory_enabled", "user": "user_profile_enabled"}
_YES: Final = frozenset({"1", "true", "yes", "on"})
_APPROVAL_YES: Final = _YES | {"approve", "enabled"}
_BUILT_IN: Final = frozenset({"", "default", "builtin", "built-in", "none"})


def store_enabled(config: Config, target: Target, release: Rules) -> bool:
    """Whether the agent of that release shows the store in the prompt and writes to it
    (`agent/agent_init.py`; 0.22 asks `get_builtin_memory_store_flags` in `tools/memory_tool.py`)."""
    if has_bad_agent_section(config):
        return release == "0.22"
    section = config.get("memory", None)
    if section is not None and not isinstance(section, Mapping):
        return release == "0.22"
    value = config.get(f"memory.{_SWITCHES[target]}")
    if value is MISSING:
        return True
    if release == "0.19":
        return bool(value)
    if isinstance(value, str):
        return value.strip().lower() in _YES
    return value is None or bool(value)


def write_approval(config: Config, subsystem: Subsystem = "memory") -> bool:
    """Whether writes wait for approval: only for true itself and a few words (`tools/write_approval.py`).
    1 is no. 0.20 and later stage what the background review wants to change or remove all the same."""
    value = config.get(f"{subsystem}.write_approval", False)
    if has_bad_agent_section(config):
        return False
    if isinstance(value, str):
        return value.strip().lower() in _APPROVAL_YES
    return value is True


def provider(config: Config) -> str | None:
    """The external memory provider that is configured, as written but for white space around it.

    None for the built-in store, under any of its names, and for a value that is no text.
    """
    value = config.get("memory.provider", None)
    if has_bad_agent_section(config) or not isinstance(value, str) or value.strip().lower() in _BUILT_IN:
        return None
    return value.strip()
