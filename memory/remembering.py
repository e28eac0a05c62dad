"""How Hermes is set to remember: every key of config.yaml that matters, what this release makes of it, and the
command that changes it.

What each value does is in limits.py, switches.py and reviewing.py; every command was run on both releases.
`hermes config set agent.disabled_toolsets '["memory"]'` stores a text in 0.19, which it then ignores: there
only the file itself can be edited.
"""

import json
import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from hermesweb.hermes.config import Config
from memory.limits import (
    DEFAULT_LIMITS,
    LIMIT_KEYS,
    TARGETS,
    Limit,
    Rules,
    Target,
    effective_limit,
    is_certain,
)
from memory.reviewing import (
    DEFAULT_NUDGE,
    NUDGE,
    REVIEW,
    TOOLSETS,
    WITH_MEMORY,
    disabled_toolsets,
    memory_tool_offered,
    review_enabled,
    review_interval,
)
from memory.switches import provider, store_enabled, write_approval

Meaning = Literal[
    "on",
    "off",
    "default",  # these four are what limits.Limit says
    "configured",
    "as_it_stands",
    "nothing_loads",
    "saved_at_once",
    "waits_for_approval",
    "built_in",
    "provider",
    "every_so_many_turns",
    "never",
    "not_in_this_release",
    "stops_hermes",
]
ChangeKind = Literal["turn_on", "turn_off", "to_default", "to_number", "choose"]

NUMBER: Final = "NUMBER"  # stands in a command for what the person has to put there

PROVIDER: Final = "memory.provider"
SWITCH_KEYS: Final[Mapping[Target, str]] = {
    "memory": "memory.memory_enabled",
    "user": "memory.user_profile_enabled",
}


@dataclass(frozen=True)
class Change:
    """One way to change a key. `command`: the words of a command line, None where only the file can be edited;
    `lines`: how it then stands in config.yaml. A running Hermes goes on as before until it is started again.
    """

    kind: ChangeKind
    command: tuple[str, ...] | None
    lines: str

    @property
    def shell(self) -> str | None:
        """The command as it is typed, quoted."""
        return shlex.join(self.command) if self.command else None


@dataclass(frozen=True)
class Setting:
    """One key. `written`: as in config.yaml, MISSING if absent; `effective`: what this release goes by, None
    where it has no such key or nothing loads; `default`: what it would be without the key.

    `because`: another key that keeps this one from having its effect. Not `certain`: Hermes may read
    config.yaml in another way.
    """

    key: str
    written: object
    effective: object
    default: object
    meaning: Meaning
    changes: tuple[Change, ...]
    because: str | None = None
    certain: bool = True

    @property
    def is_default(self) -> bool:
        """Whether Hermes does what it would do without the key."""
        return self.effective == self.default and type(self.effective) is type(self.default)


def settings_of(
    config: Config,
    rules: Rules,
    profile: str = "default",
    holding: frozenset[Target] = frozenset(TARGETS),
) -> tuple[Setting, ...]:
    """All keys, in the order of a page. `profile`: the name that commands are to be about; `holding`: the
    stores that have an entry, since a bad limit does not matter to an empty one. Raises nothing."""
    page = _Page(config, rules, profile, holding)
    return (
        *(page.store(target) for target in TARGETS),
        *(page.limit(target) for target in TARGETS),
        page.memory_approval(),
        page.provider(),
        page.nudge(),
        page.review(),
        page.skill_approval(),
        page.toolsets(),
    )


@dataclass(frozen=True)
class _Page:
    config: Config
    rules: Rules
    profile: str
    holding: frozenset[Target]

    def store(self, target: Target) -> Setting:
        enabled = store_enabled(self.config, target, self.rules)
        limit = self._limit(target)
        return self._switch(SWITCH_KEYS[target], enabled, True, because=limit.because if enabled else None)

    def limit(self, target: Target) -> Setting:
        key, default = LIMIT_KEYS[target], DEFAULT_LIMITS[target]
        limit = self._limit(target)
        off = None if store_enabled(self.config, target, self.rules) else SWITCH_KEYS[target]
        changes = [self._change("to_number", key, NUMBER)]
        if limit.value != default:
            changes.append(self._to_default(key, str(default)))
        return self._setting(key, limit.value, default, limit.effect, changes, limit.because or off)

    def memory_approval(self) -> Setting:
        return self._approval("memory.write_approval", write_approval(self.config, "memory"))

    def skill_approval(self) -> Setting:
        return self._approval("skills.write_approval", write_approval(self.config, "skills"))

    def provider(self) -> Setting:
        name = provider(self.config)
        changes = [self._change("turn_off", PROVIDER, "")] if name else []
        changes.append(Change("choose", self._hermes("memory", "setup"), _lines(PROVIDER, "NAME")))
        return self._setting(PROVIDER, name or "", "", "provider" if name else "built_in", changes)

    def nudge(self) -> Setting:
        interval = review_interval(self.config)
        on = interval is not None and interval > 0
        changes = [self._change("to_number", NUDGE, NUMBER)]
        if on:
            changes.append(self._change("turn_off", NUDGE, "0"))
        if interval != DEFAULT_NUDGE:
            changes.append(self._to_default(NUDGE, str(DEFAULT_NUDGE)))
        meaning: Meaning = "nothing_loads" if interval is None else "every_so_many_turns" if on else "never"
        because = self._keeps_memory_from_review() if on else None
        return self._setting(NUDGE, interval, DEFAULT_NUDGE, meaning, changes, because)

    def review(self) -> Setting:
        enabled = review_enabled(self.config, self.rules)
        if enabled is None:
            return self._setting(REVIEW, None, None, "not_in_this_release", ())
        return self._switch(REVIEW, enabled, True)

    def toolsets(self) -> Setting:
        offered = memory_tool_offered(self.config, self.rules)
        names = disabled_toolsets(self.config, self.rules) or []
        if isinstance(self.config.get(TOOLSETS), str) and self.rules == "0.19":
            names = []  # letters of a text; nothing that somebody has chosen
        if offered:
            change = self._change_toolsets("turn_off", [*names, "memory"])
        else:
            change = self._change_toolsets("turn_on", [name for name in names if name not in WITH_MEMORY])
        meaning: Meaning = "stops_hermes" if offered is None else "on" if offered else "off"
        return self._setting(TOOLSETS, offered, True, meaning, (change,))

    def _keeps_memory_from_review(self) -> str | None:
        if review_enabled(self.config, self.rules) is False:
            return REVIEW
        if not memory_tool_offered(self.config, self.rules):
            return TOOLSETS
        if not any(store_enabled(self.config, target, self.rules) for target in TARGETS):
            return SWITCH_KEYS["memory"]
        return self._limit("memory").because

    def _limit(self, target: Target) -> Limit:
        return effective_limit(self.config, target, self.rules, self.holding)

    def _approval(self, key: str, waits: bool) -> Setting:
        change = self._change("turn_off" if waits else "turn_on", key, "false" if waits else "true")
        return self._setting(key, waits, False, "waits_for_approval" if waits else "saved_at_once", (change,))

    def _switch(self, key: str, on: bool, default: bool, because: str | None = None) -> Setting:
        change = self._change("turn_off" if on else "turn_on", key, "false" if on else "true")
        return self._setting(key, on, default, "on" if on else "off", (change,), because)

    def _setting(
        self,
        key: str,
        effective: object,
        default: object,
        meaning: Meaning,
        changes: Iterable[Change],
        because: str | None = None,
    ) -> Setting:
        written = self.config.get(key)
        certain = is_certain(self.config, self.rules)
        return Setting(key, written, effective, default, meaning, tuple(changes), because, certain)

    def _to_default(self, key: str, value: str) -> Change:
        return self._change("to_default", key, value)

    def _change(self, kind: ChangeKind, key: str, value: str) -> Change:
        return Change(kind, self._command("set", key, value), _lines(key, value or "''"))

    def _change_toolsets(self, kind: ChangeKind, names: list[str]) -> Change:
        value = json.dumps(list(dict.fromkeys(names)), ensure_ascii=False)
        lines = _lines(TOOLSETS, value)
        if not names:
            return Change(kind, self._command("unset", TOOLSETS), lines)
        return Change(kind, None if self.rules == "0.19" else self._command("set", TOOLSETS, value), lines)

    def _command(self, *words: str) -> tuple[str, ...]:
        return self._hermes("config", *words)

    def _hermes(self, *words: str) -> tuple[str, ...]:
        profile = () if self.profile == "default" else ("-p", self.profile)
        return ("hermes", *profile, *words)


def _lines(key: str, value: str) -> str:
    """A key as it stands in a file of its own."""
    parts = key.split(".")
    heads = [f"{'  ' * depth}{part}:" for depth, part in enumerate(parts)]
    return "\n".join([*heads[:-1], f"{heads[-1]} {value}"])
