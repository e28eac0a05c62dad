"""SQL conditions on a message `m`: that the words of a search may be in it.

They find a little too much – LIKE knows no words and no accents – and never too little.
"""

from collections.abc import Sequence

from sessions.database import Database
from sessions.query_text import Alternative, Term
from sessions.search_results import Where
from sessions.search_words import forms, is_literal, patterns

COLUMNS: dict[Where, tuple[str, ...]] = {
    "messages": ("content",),
    "tool_calls": ("tool_calls", "tool_name"),
    "reasoning": ("reasoning", "reasoning_content", "reasoning_details", "codex_reasoning_items"),
    "api_content": ("api_content", "codex_message_items"),
}
INDEXED: tuple[Where, ...] = ("messages", "tool_calls")
JSON_COLUMNS = frozenset(("tool_calls", "reasoning_details", "codex_reasoning_items", "codex_message_items"))

# LIKE sees nothing after a NUL, and Hermes puts one before JSON: such a text is looked at in Python.
NUL = "instr(m.content, char(0))"

Parameters = tuple[str, ...]

# What the trigram index of the newer layout leaves out.
OUTSIDE_TRIGRAMS = (
    "(m.role = 'tool' OR m.tool_calls <> '' OR m.session_id IN (SELECT x.id FROM sessions x"
    " WHERE x.source IN ('cron', 'subagent') OR x.model_config LIKE '%_delegate_from%')"
    " OR NOT EXISTS (SELECT 1 FROM sessions y WHERE y.id = m.session_id))"
)


def anywhere(
    db: Database, alternatives: Sequence[Alternative], fields: Sequence[Where]
) -> tuple[str, Parameters]:
    """SQL that holds for every message with the words in a field, and parameters."""
    inside = [column for field in INDEXED if field in fields for column in COLUMNS[field]]
    alone = [column for field in fields if field not in INDEXED for column in COLUMNS[field]]
    groups = [*([inside] if inside else []), *([each] for each in alone)]
    parts: list[str] = []
    parameters: list[str] = []
    for columns in groups:
        for alternative in alternatives:
            condition, values = _all_like(db, alternative.all, columns)
            parts.append(f"({condition})")
            parameters += values
    terms = [term for each in alternatives for term in each.all]
    if "messages" in fields and not all(map(is_literal, terms)):
        parts.append(NUL)
    return f"({' OR '.join(parts) or '0'})", tuple(parameters)


def conditions(
    db: Database, wanted: Sequence[Term], unwanted: Sequence[Term], fields: Sequence[Where]
) -> tuple[str, Parameters]:
    """The words that an index cannot tell: SQL about the fields it knows, "" for none, and parameters."""
    columns = [column for field in fields for column in COLUMNS[field]]
    if not wanted and not unwanted:
        return "", ()
    condition, parameters = _all_like(db, wanted, columns)
    for term in unwanted:
        like, values = _like(db, term, columns)
        condition, parameters = f"{condition} AND NOT COALESCE({like}, 0)", [*parameters, *values]
    return (f"(({condition}) OR {NUL})" if "content" in columns else condition), tuple(parameters)


def _all_like(db: Database, terms: Sequence[Term], columns: Sequence[str]) -> tuple[str, list[str]]:
    conditions, parameters = ["1"], list[str]()
    for term in terms:
        condition, values = _like(db, term, columns)
        conditions.append(f"({condition})")
        parameters += values
    return " AND ".join(conditions), parameters


def _like(db: Database, term: Term, columns: Sequence[str]) -> tuple[str, list[str]]:
    conditions, parameters = list[str](), list[str]()
    for column in columns:
        if column not in db.columns("messages"):
            continue
        in_json = column in JSON_COLUMNS
        if is_literal(term) and column == "content":
            # A text that begins with a NUL is JSON.
            conditions.append("instr(m.content, ?) OR (m.content < char(1) AND instr(m.content, ?))")
            parameters += forms(term, in_json=True)[:2]
            continue
        if is_literal(term):
            found, condition = forms(term, in_json=in_json), f"instr(m.{column}, ?)"
        else:
            found, condition = patterns(term, in_json=in_json), f"m.{column} LIKE ? ESCAPE '\\'"
        conditions += [condition] * len(found)
        parameters += found
    return " OR ".join(conditions) or "0", parameters
