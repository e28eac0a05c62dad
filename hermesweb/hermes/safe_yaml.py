"""YAML from hands that may be hostile: looked at as a flat stream of events first, built only when small."""

import re
from dataclasses import dataclass, field
from typing import Literal

import yaml

from hermesweb.hermes.errors import HermesError

DEPTH_LIMIT = 100
NODE_LIMIT = 50_000  # with every alias counted as what it stands for
NUMBER_LIMIT = 1_000  # characters; longer ones take quadratic time (base 60) or cannot be printed (hex)

_Loader: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_NUMBER_LIKE = re.compile(r"[-+]?(0[xb][0-9a-fA-F_]*|[0-9][0-9_:.]*)")
# What the constructors of PyYAML raise for values such as `!!int x` or the date 2026-99-99.
_NOT_YAML = (yaml.YAMLError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError)


@dataclass(eq=False)
class BadYaml(HermesError):
    """`why`: "broken" "too_deep" "too_large"."""

    why: Literal["broken", "too_deep", "too_large"]


def load_yaml(text: str) -> object:
    """The one document in `text` as plain Python values; duplicate keys: the last one wins, as in Hermes.
    None for an empty text. Raises BadYaml."""
    try:
        _measure(text)
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - one of the safe loaders
    except _NOT_YAML as error:
        raise BadYaml("broken") from error
    except RecursionError as error:
        raise BadYaml("too_deep") from error


@dataclass
class _Tally:
    """What the document would be when built."""

    nodes: int = 0
    sizes: dict[str, int] = field(default_factory=dict)  # finished anchors
    open: list[tuple[str | None, int]] = field(default_factory=list)  # anchor and count at its start

    def add(self, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > NODE_LIMIT:
            raise BadYaml("too_large")

    def alias(self, anchor: str | None) -> None:
        if any(anchor == name for name, _ in self.open):
            raise BadYaml("too_deep")  # holds itself
        self.add(self.sizes.get(anchor or "", 1))

    def start(self, anchor: str | None) -> None:
        self.open.append((anchor, self.nodes))
        self.add(1)
        if len(self.open) > DEPTH_LIMIT:
            raise BadYaml("too_deep")

    def end(self) -> None:
        anchor, before = self.open.pop()
        if anchor is not None:
            self.sizes[anchor] = self.nodes - before


def _measure(text: str) -> None:
    tally = _Tally()
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.AliasEvent):
            tally.alias(event.anchor)
        elif isinstance(event, yaml.CollectionStartEvent):
            tally.start(event.anchor)
        elif isinstance(event, yaml.CollectionEndEvent):
            tally.end()
        elif isinstance(event, yaml.ScalarEvent):
            _refuse_long_number(event)
            tally.add(1)


def _refuse_long_number(event: yaml.ScalarEvent) -> None:
    if (
        len(event.value) > NUMBER_LIMIT
        and _NUMBER_LIKE.fullmatch(event.value)
        and (event.tag or not event.style)
    ):
        raise BadYaml("broken")
