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


@dataclass(frozen=True)
class Document:
    """`value` as plain Python values, None for an empty text. `repeated_key`: the first key that stands twice
    in one mapping; the later value counts, as in PyYAML."""

    value: object
    repeated_key: str | None


def load_yaml(text: str) -> Document:
    """The one document in `text`. Raises BadYaml."""
    try:
        repeated_key = _measure(text)
        return Document(yaml.load(text, Loader=_Loader), repeated_key)  # noqa: S506 - one of the safe loaders
    except _NOT_YAML as error:
        raise BadYaml("broken") from error
    except RecursionError as error:
        raise BadYaml("too_deep") from error


@dataclass
class _Open:
    """A list or mapping that has begun, with the count of nodes before it."""

    anchor: str | None
    before: int
    is_mapping: bool
    children: int = 0
    keys: set[str] = field(default_factory=set)


@dataclass
class _Tally:
    """What the document would be when built."""

    nodes: int = 0
    sizes: dict[str, int] = field(default_factory=dict)  # nodes of finished anchors
    open: list[_Open] = field(default_factory=list)
    repeated_key: str | None = None

    def child(self, key: str | None = None) -> None:
        """A value in what is open now; `key` is its text, if it is one."""
        if not self.open:
            return
        parent = self.open[-1]
        if parent.is_mapping and parent.children % 2 == 0 and key is not None:
            if key in parent.keys and self.repeated_key is None:
                self.repeated_key = key[:100]
            parent.keys.add(key)
        parent.children += 1

    def add(self, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > NODE_LIMIT:
            raise BadYaml("too_large")

    def alias(self, anchor: str | None) -> None:
        if any(anchor == holder.anchor for holder in self.open):
            raise BadYaml("too_deep")  # holds itself
        self.add(self.sizes.get(anchor or "", 1))

    def start(self, anchor: str | None, is_mapping: bool) -> None:
        self.open.append(_Open(anchor, self.nodes, is_mapping))
        self.add(1)
        if len(self.open) > DEPTH_LIMIT:
            raise BadYaml("too_deep")

    def end(self) -> None:
        ended = self.open.pop()
        if ended.anchor is not None:
            self.sizes[ended.anchor] = self.nodes - ended.before


def _measure(text: str) -> str | None:
    """Goes through the events of a text, and gives back the first repeated key."""
    tally = _Tally()
    for event in yaml.parse(text, Loader=_Loader):
        if isinstance(event, yaml.AliasEvent):
            tally.child()
            tally.alias(event.anchor)
        elif isinstance(event, yaml.CollectionStartEvent):
            tally.child()
            tally.start(event.anchor, isinstance(event, yaml.MappingStartEvent))
        elif isinstance(event, yaml.CollectionEndEvent):
            tally.end()
        elif isinstance(event, yaml.ScalarEvent):
            _refuse_long_number(event)
            tally.child(event.value)
            tally.add(1)
    return tally.repeated_key


def _refuse_long_number(event: yaml.ScalarEvent) -> None:
    if (
        len(event.value) > NUMBER_LIMIT
        and _NUMBER_LIKE.fullmatch(event.value)
        and (event.tag or not event.style)
    ):
        raise BadYaml("broken")
