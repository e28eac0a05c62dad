"""When Hermes looks for something to remember by itself, and whether it has the tool for it.

Tried on both releases with some thirty kinds of values each:

value of memory.nudge_interval              0.19                   0.22
what int() takes ("5", 7.9, true)           that number, cut       the same
0 or less                                   no review of memory    the same
anything else, also null                    nothing loads          nothing loads

value of auxiliary.background_review.enabled
false, 0, [], {}, ""                        no such key: always on off
"true" "yes" "on" "1", other non-texts, null                       on
other text                                                         off

value of agent.disabled_toolsets that takes the memory tool away
a list with memory, all or *                yes                    yes, also with blanks around
a mapping with such a key                   yes                    no
the text memory, or "[\"memory\"]"          no (read by letters)   yes
a number, true, a date, a list in the list  Hermes does not start  ignored
"""

import ast
from collections.abc import Mapping
from typing import Final

from hermesweb.hermes.config import Config
from memory.limits import Rules, has_bad_agent_section

NUDGE: Final = "memory.nudge_interval"
REVIEW: Final = "auxiliary.background_review.enabled"
TOOLSETS: Final = "agent.disabled_toolsets"
DEFAULT_NUDGE: Final = 10  # messages of the person
WITH_MEMORY: Final = frozenset({"memory", "all", "*"})
_YES: Final = frozenset({"1", "true", "yes", "on"})


def memory_tool_offered(config: Config, rules: Rules) -> bool | None:
    """Whether `agent.disabled_toolsets` leaves the agent its memory tool; None when Hermes does not start with
    that value (`agent/agent_init.py`, `hermes_cli/tools_config.py`, `model_tools.py`)."""
    names = disabled_toolsets(config, rules)
    return None if names is None else WITH_MEMORY.isdisjoint(names)


def review_interval(config: Config) -> int | None:
    """After how many messages of the person the background review looks for something to remember; 0 or less:
    never; None: a value with which nothing of memory loads (`agent/agent_init.py`)."""
    try:
        return int(_value(config, NUDGE, DEFAULT_NUDGE))  # type: ignore[call-overload, no-any-return]
    except (TypeError, ValueError, OverflowError):
        return None


def review_enabled(config: Config, rules: Rules) -> bool | None:
    """Whether the background review runs at all; None in a release that knows no such key and always does
    (`load_background_review_settings` in `agent/background_review.py`)."""
    if rules == "0.19":
        return None
    value = _value(config, REVIEW, True)
    if isinstance(value, str):
        return value.strip().lower() in _YES
    return value is None or bool(value)


def _value(config: Config, key: str, default: object) -> object:
    return default if has_bad_agent_section(config) else config.get(key, default)


def disabled_toolsets(config: Config, rules: Rules) -> list[str] | None:
    """The names of toolsets that are taken away, as this release reads them; None when it does not start."""
    value = _value(config, TOOLSETS, None)
    if rules == "0.22":
        return [name.strip() for name in _as_list(value)]
    if not value:
        return []
    if not isinstance(value, str | list | tuple | set | Mapping):
        return None
    names: list[object] = list(value)
    return None if any(isinstance(name, list | dict | set) for name in names) else [str(n) for n in names]


def _as_list(value: object) -> list[str]:
    """How 0.22 reads a list, also one that a command has stored as a text."""
    if isinstance(value, str):
        if value.strip().startswith("["):
            parsed = _literal(value.strip())
            if isinstance(parsed, list):
                return [str(each) for each in parsed]
        return [value]
    return [str(each) for each in value] if isinstance(value, list | tuple | set) else []


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text) if len(text) < 10_000 else None
    except (ValueError, SyntaxError, RecursionError, MemoryError, TypeError):
        return None
