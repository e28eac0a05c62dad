"""What a search answers, as values. Texts are raw: a page escapes them and marks the ranges itself."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from sessions.query_text import Query
from sessions.search_index import Problem

Where = Literal["messages", "tool_calls", "reasoning", "api_content", "titles", "prompts"]
Order = Literal["newest", "relevance"]

EVERYWHERE: frozenset[Where] = frozenset(
    ("messages", "tool_calls", "reasoning", "api_content", "titles", "prompts")
)
USUAL: frozenset[Where] = frozenset(("messages", "tool_calls", "titles"))

HermesAnswer = Literal["finds", "ranks_lower", "hides", "unknown"]
HermesReason = Literal[
    "",
    "source",  # sessions of this source are never shown, or come last
    "role",  # it looks only at what the person and the agent said
    "undone",
    "field",  # it does not look there
    "index",  # the message, or this word in it, is not in its index
    "query",  # it cannot take these words, or takes them otherwise
    "time",  # asking its index took too long
]

SearchNote = Literal[
    "relevance_refused",  # too many matches, or no index: sorted by age instead
    "accents_count",  # without an index "cafe" does not find "café"
    "long_tool_output",  # the index of this release knows only the beginning of long tool outputs
    "thorough",  # so every text was looked at
    "slow_fields",  # a field was asked for that is in no index
    "damaged",  # something could not be read and is left out
    "sessions_unfinished",  # not all titles and prompts could be looked at
]


@dataclass(frozen=True)
class Fragment:
    """A piece of a text around some marks. `marks`: begin and end in `text`, in code points.

    `begins` and `ends`: whether the text begins and ends there too.
    """

    text: str
    marks: tuple[tuple[int, int], ...]
    begins: bool
    ends: bool


@dataclass(frozen=True)
class Neighbour:
    """One line of the message before or after a hit. `tool`: its tool, if one."""

    id: int
    role: str
    text: str
    tool: str


@dataclass(frozen=True)
class Hit:
    """A message, a title or a stored prompt with the words.

    `message`: None for titles and prompts. `session` is empty only when the message belongs to none; `root`
    is the session its conversation began with, `title` the title of its own session. `at`: UTC epoch seconds
    or None. `fragments` is empty when the place was not found again (in a text of many megabytes).
    `undone`: taken back by undo or rewind. `compacted`: summarised away. `hermes`: what its own session_search
    would do with it, and why.
    """

    message: int | None
    session: str
    root: str
    title: str
    source: str
    role: str
    at: float | None
    field: Where
    fragments: tuple[Fragment, ...]
    before: Neighbour | None
    after: Neighbour | None
    undone: bool
    compacted: bool
    hermes: HermesAnswer
    reason: HermesReason


@dataclass(frozen=True)
class Group:
    """The hits of one conversation, newest first. `more`: there are others in it, or time ran out."""

    root: str
    hits: tuple[Hit, ...]
    more: bool


@dataclass(frozen=True)
class Position:
    """How far a search has looked: message ids below `message` come next.

    By relevance: after the hit with this `rank`. `session`: of titles and prompts, row ids below it.
    `thorough`: without believing the indexes.
    """

    message: int | None = None
    rank: float | None = None
    session: int | None = None
    thorough: bool = False


@dataclass(frozen=True)
class LookedBack:
    """Where a search ran out of time: the last message it looked at and when that was (or None)."""

    message: int
    at: float | None


@dataclass(frozen=True)
class SearchPage:
    """Some of what was found.

    `hits` are messages (empty when grouped), `sessions` titles and prompts, `groups` conversations. `next`: to
    go on, None at the end. `looked_back_to`: only when time ran out before the page was full.
    `total`: matching messages as far as counted; `total_exact`: there are no others, else "more than" or, when
    `total` is 0, unknown. `left_out`: matches that were taken back ("undone") or summarised away ("compacted"),
    among those counted. `order`: what it is really sorted by. `indexes`: what was wrong with them.
    `rebuilt`: percent of the messages that are in an index being built, None when none is.
    """

    query: Query
    hits: tuple[Hit, ...] = ()
    sessions: tuple[Hit, ...] = ()
    more_sessions: bool = False
    groups: tuple[Group, ...] = ()
    next: Position | None = None
    looked_back_to: LookedBack | None = None
    total: int = 0
    total_exact: bool = True
    left_out: Mapping[str, int] = field(default_factory=dict)
    order: Order = "newest"
    indexes: tuple[Problem, ...] = ()
    rebuilt: int | None = None
    notes: tuple[SearchNote, ...] = ()
