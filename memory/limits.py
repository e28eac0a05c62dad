"""How much of a store Hermes loads, and how full it calls it.

What the agent does at the start of a session (`agent/agent_init.py`, `tools/memory_tool.py`) with a limit:

    config.yaml                                    0.19                    0.22
    no key, no `memory:` section, no file          default                 default
    positive whole number                          configured              configured
    0, negative, 32.5, true (1), .inf, .nan        as it stands            as it stands
    text (also "3200"), null, list, mapping, date  nothing of BOTH stores  see below
    `memory:` is text, a list, a number            nothing of both         default
    nudge_interval is null or not int()-able       nothing of both         nothing of both
    broken, undecodable, no mapping                default                 last good copy, else default
    `agent:` is text or a number                   nothing of both         default

A limit that is no number makes the load stop with an error that the agent swallows. 0.19 stops when it comes
to write the block of a store that has entries, and then drops both blocks. 0.22 goes store by store, first
MEMORY.md: a bad memory limit stops both, also over an empty MEMORY.md; a bad user limit stops USER.md only.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from hermesweb.hermes.config import Config

Target = Literal["memory", "user"]
Rules = Literal["0.19", "0.22"]
Number = int | float
Effect = Literal["default", "configured", "as_it_stands", "nothing_loads"]

RELEASES: Final[tuple[Rules, ...]] = ("0.19", "0.22")
TARGETS: Final[tuple[Target, ...]] = ("memory", "user")
LIMIT_KEYS: Final[Mapping[Target, str]] = {
    "memory": "memory.memory_char_limit",
    "user": "memory.user_char_limit",
}
DEFAULT_LIMITS: Final[Mapping[Target, int]] = {"memory": 2200, "user": 1375}


@dataclass(frozen=True)
class Limit:
    """The limit of one store in characters. `configured`: as written, MISSING without one.

    `value` is None when nothing loads; `because` is then the key that stops the load (`memory`, the key of a
    limit, `memory.nudge_interval`, `agent`). Not `certain`: Hermes may read config.yaml in another way.
    """

    configured: object
    value: Number | None
    effect: Effect
    because: str | None = None
    certain: bool = True


def effective_limit(
    config: Config, target: Target, release: Rules, holding: frozenset[Target] = frozenset(TARGETS)
) -> Limit:
    """The limit the agent of that release starts with. `holding`: the stores that have an entry.

    Raises nothing. The rule is `init_agent` in Hermes' `agent/agent_init.py`.
    """
    written = config.get(LIMIT_KEYS[target])
    certain = is_certain(config, release)
    because = _what_stops_the_load(config, target, release, holding)
    if because is not None:
        return Limit(written, None, "nothing_loads", because, certain)
    if not isinstance(written, int | float) or has_bad_agent_section(config):
        return Limit(written, DEFAULT_LIMITS[target], "default", None, certain)
    # YAML's true is Python's 1, and Hermes counts with it.
    value = int(written) if isinstance(written, bool) else written
    plain = isinstance(written, int) and not isinstance(written, bool) and written > 0
    return Limit(written, value, "configured" if plain else "as_it_stands", None, certain)


def approval_limit(config: Config, target: Target, release: Rules) -> int:
    """The limit, in characters, when a write is approved without a running agent.

    That path (`load_on_disk_store` in Hermes' `tools/memory_tool.py`) converts with `int()`, the memory limit
    first. One that fails leaves the default for itself and for what comes after it; in 0.22 for both.
    """
    limits = dict(DEFAULT_LIMITS)
    if has_bad_agent_section(config):
        return limits[target]
    for each in TARGETS:
        number = _as_int(config.get(LIMIT_KEYS[each], DEFAULT_LIMITS[each]))
        if number is None:
            return limits[target] if release == "0.19" else DEFAULT_LIMITS[target]
        limits[each] = number
    return limits[target]


def is_certain(config: Config, release: Rules) -> bool:
    """Whether Hermes is known to start with these values. 0.22 goes back to the last good copy of a file
    that is broken; a file behind a link or beyond our bounds is read by Hermes, but not by us."""
    if config.problem is None:
        return True
    return release == "0.19" and config.problem in ("broken", "undecodable", "not_a_mapping")


def has_bad_agent_section(config: Config) -> bool:
    """Whether `agent:` is something that no dict can be made of. Hermes then starts without any configuration
    (`_normalize_max_turns_config` in `hermes_cli/config.py`): 0.19 with no memory, 0.22 with the defaults."""
    try:
        dict(config.get("agent", None) or {})  # type: ignore[call-overload]
    except (TypeError, ValueError):
        return True
    return False


def percent(used: int, limit: Number | None) -> int:
    """How full, 0 to 100, as Hermes says it. Its division comes before the times 100, so that 29 of 100 is
    28 %. 0 without a limit above zero."""
    if limit is None or not limit > 0:
        return 0
    try:
        return min(100, int((used / limit) * 100))
    except OverflowError:
        return 100


def usage_text(used: int, limit: Number) -> str:
    """`67% — 1,474/2,200 chars`, as in the prompt and the tool's answers. Both in characters."""
    return f"{percent(used, limit)}% — {used:,}/{limit:,} chars"


def _what_stops_the_load(
    config: Config, target: Target, release: Rules, holding: frozenset[Target]
) -> str | None:
    if has_bad_agent_section(config):
        return "agent" if release == "0.19" else None
    if _as_int(config.get("memory.nudge_interval", 10)) is None:
        return "memory.nudge_interval"
    if release == "0.19" and not isinstance(config.get("memory", None), Mapping | None):
        return "memory"
    # The key of the store itself first: it is the one to mend.
    for each in sorted(TARGETS, key=lambda other: other != target):
        if not _can_be_counted_with(config, each) and _stops(each, target, release, holding):
            return LIMIT_KEYS[each]
    return None


def _stops(bad: Target, target: Target, release: Rules, holding: frozenset[Target]) -> bool:
    """Whether the bad limit of one store keeps `target` out of the prompt."""
    if bad == target:
        return True
    return bad in holding if release == "0.19" else bad == "memory"


def _can_be_counted_with(config: Config, target: Target) -> bool:
    return isinstance(config.get(LIMIT_KEYS[target], 0), int | float)


def _as_int(value: object) -> int | None:
    try:
        return int(value)  # type: ignore[call-overload, no-any-return]  # any value YAML can hold
    except (TypeError, ValueError, OverflowError):
        return None
