"""What a call of the memory tool asked for, and what came of it, from its arguments and its answer.

Both shapes of the tool: one operation in the arguments, or several in `operations`; `new_text` stands for
`content` where that is empty (0.19 and 0.22, tools/memory_tool.py). Hermes answers in JSON with `success`, and
with a sentence in `error` by which the kinds of refusal are told apart; both releases' sentences were
collected from their own stores.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

SEPARATOR: Final = "\n§\n"  # an entry with this inside is read back as several

Outcome = Literal[
    "saved",
    "no_change",  # the entry was there already
    "waiting",  # put aside for approval
    "full",
    "blocked",  # by a threat rule
    "no_match",
    "ambiguous",
    "not_available",  # the store or the tool is switched off
    "denied",  # by a person, when asked
    "guarded",  # the file is not as Hermes would write it, cannot be read, or would become empty
    "malformed",  # the model called it in a wrong way
    "given_up",  # too many refusals in one turn
    "no_answer",  # the session ended before one came
    "unclear",  # the answer is there but not as Hermes gave it, as in a shortened copy
    "other",
]
ACCEPTED: Final[frozenset[Outcome]] = frozenset(("saved", "no_change", "waiting"))

_KINDS: Final[tuple[tuple[Outcome, re.Pattern[str]], ...]] = (
    ("blocked", re.compile(r"Blocked: content ")),
    ("no_match", re.compile(r"no entry matched '", re.IGNORECASE)),
    (
        "ambiguous",
        re.compile(r"Multiple entries matched '|'.*' matched multiple distinct entries", re.DOTALL),
    ),
    ("ambiguous", re.compile(r"'.*' appears \d+ times in the matched entry", re.DOTALL)),
    ("full", re.compile(r"Memory at [-\d,.]+/|(Replacement|Patch) would put memory at ")),
    ("full", re.compile(r"After applying all \d+ op|Applying all \d+ operations would put ")),
    ("not_available", re.compile(r"Memory is not available|Built-in \S+ writes are disabled")),
    ("not_available", re.compile(r"Tool 'memory' does not exist|'memory' is not available in this session")),
    ("denied", re.compile(r"Memory write denied")),
    ("given_up", re.compile(r"Memory consolidation failed \d+ times")),
    ("guarded", re.compile(r"Refusing to (write|empty) ")),
    (
        "malformed",
        re.compile(r"(Content|content|old_text|new_content|new_text)\b.* (is required|cannot be empty)"),
    ),
    ("malformed", re.compile(r"unknown action|'\w+' needs old_text|Patch is a no-op|Missing required", re.I)),
    (
        "malformed",
        re.compile(r"Invalid (memory )?target|'replace' is not available|operations |Operation \d+ names"),
    ),
)
_POSITION: Final = re.compile(r"Operation \d+(?: \(\w+\))?: ")


@dataclass(frozen=True)
class Operation:
    """One change asked for. `before`: the whole entry that was changed or removed, `after`: the one that came
    to be; None where Hermes did not say so and it does not follow from the arguments."""

    action: str
    content: str
    old_text: str
    before: str | None = None
    after: str | None = None


@dataclass(frozen=True)
class Answer:
    """What Hermes answered: `error` in its own words, the record of a write that waits, and its fields."""

    outcome: Outcome
    error: str = ""
    pending_id: str | None = None
    fields: Mapping[str, Any] | None = None


def answer_of(content: str | None) -> Answer:
    """The answer in a stored tool message; None for a call that has none. Never raises."""
    if content is None:
        return Answer("no_answer")
    fields = _first_object(content)
    if fields is None:
        kind = _kind(content)
        return Answer("unclear" if kind == "other" else kind, content[:500])
    if fields.get("success") is True:
        return _accepted(fields)
    error = fields.get("error")
    if not isinstance(error, str):
        return Answer("unclear", content[:500])
    return Answer(_kind(error), error[:500], fields=fields)


def operations_of(arguments: Mapping[str, Any], answer: Answer) -> tuple[Operation, ...]:
    """The operations of a call in their order, with what the answer says about each. Never raises."""
    listed = arguments.get("operations")
    fields = answer.fields or {}
    if isinstance(listed, list) and listed:
        asked = enumerate((each if isinstance(each, dict) else {} for each in listed), 1)
        return tuple(_operation(each, _of_batch(fields, str(number))) for number, each in asked)
    return (_operation(arguments, _of_one(fields)),)


def target_of(arguments: Mapping[str, Any]) -> str:
    """The store that was meant; "memory" without one, as in 0.19."""
    target = arguments.get("target")
    return target if isinstance(target, str) and target else "memory"


def _accepted(fields: Mapping[str, Any]) -> Answer:
    if fields.get("staged"):
        pending = fields.get("pending_id")
        return Answer("waiting", "", pending if isinstance(pending, str) else None, fields)
    same = "already exists" in str(fields.get("message", ""))
    return Answer("no_change" if same else "saved", fields=fields)


def _kind(error: str) -> Outcome:
    words = _POSITION.sub("", error, count=1) if _POSITION.match(error) else error
    return next((kind for kind, pattern in _KINDS if pattern.match(words) or pattern.match(error)), "other")


def _first_object(content: str) -> dict[str, Any] | None:
    """The JSON object an answer starts with; something may have been added behind it."""
    try:
        value, _ = json.JSONDecoder().raw_decode(content.lstrip())
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _operation(asked: Mapping[str, Any], told: tuple[object, object]) -> Operation:
    action, content, old_text = _word(asked, "action"), _word(asked, "content"), _word(asked, "old_text")
    content = content or _word(asked, "new_text")
    before, after = (each if isinstance(each, str) else None for each in told)
    if after is None and action in ("add", "replace"):
        after = content.strip() or None
    if after is None and action == "patch" and before is not None and old_text:
        after = before.replace(old_text, content, 1)
    return Operation(action, content, old_text, before, after)


def _of_one(fields: Mapping[str, Any]) -> tuple[object, object]:
    names = ("replaced_entry", "removed_entry", "patched_entry_before")
    before = next((fields[name] for name in names if name in fields), None)
    return before, fields.get("patched_entry_after")


def _of_batch(fields: Mapping[str, Any], number: str) -> tuple[object, object]:
    lists = [fields.get(name) for name in ("replaced_entries", "removed_entries", "patched_entries")]
    before = next((each[number] for each in lists if isinstance(each, dict) and number in each), None)
    after = fields.get("patched_entries_after")
    return before, after.get(number) if isinstance(after, dict) else None


def _word(values: Mapping[str, Any], name: str) -> str:
    value = values.get(name)
    return value if isinstance(value, str) else ""
