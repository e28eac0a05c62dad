"""Which questions to state.db answer a search: asked of an index where one can answer, else of the texts.

An alternative of the query becomes one question of an index, with conditions on the text for whatever the
index cannot tell (punctuation, one or two characters of Chinese). Everything else is a scan with LIKE, which
finds a little too much; what it finds is looked at again in search_marks.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sessions.database import Database
from sessions.query_text import Alternative, Query, Term
from sessions.search_condition_queries import (
    COLUMNS,
    INDEXED,
    OUTSIDE_TRIGRAMS,
    Parameters,
    anywhere,
    conditions,
)
from sessions.search_index import TRIGRAMS, WORDS, IndexState
from sessions.search_results import Where
from sessions.search_words import trigram_expression, word_expression


@dataclass(frozen=True)
class Question:
    """A question about messages `m`. `table`: an index and the `expression` for it, or "" for a scan.

    `condition`: SQL that must hold besides ("" for none). `loose`: it may find too much.
    """

    table: str
    expression: str = ""
    condition: str = ""
    parameters: Parameters = ()

    @property
    def loose(self) -> bool:
        return self.condition != ""


@dataclass(frozen=True)
class Plan:
    """`questions` where the indexes are complete, `scan` where they are not; together they find everything.

    `strict`: also what an index found has to be found again in the text, since it is wanted in one field only.
    """

    questions: tuple[Question, ...]
    scan: Question
    strict: bool

    @property
    def slow(self) -> bool:
        """Whether every message has to be looked at."""
        return any(not question.table for question in self.questions)


def plan(db: Database, query: Query, where: Iterable[Where], index: IndexState, thorough: bool) -> Plan:
    """The questions for a query. `thorough`: the indexes are not believed to know everything."""
    fields = [field for field in COLUMNS if field in set(where)]
    everything = _scanned(db, query.alternatives, fields)
    inside = [field for field in INDEXED if field in fields]
    if thorough or (index.words and index.trigrams) or not inside:
        return Plan((everything,), everything, strict=True)
    questions = [question for each in query.alternatives for question in _questions(db, each, inside, index)]
    rest = [field for field in fields if field not in INDEXED]
    if rest:
        questions.append(_scanned(db, query.alternatives, rest))
    return Plan(_joined(questions), everything, strict=len(inside) < len(INDEXED))


def _questions(
    db: Database, alternative: Alternative, fields: Sequence[Where], index: IndexState
) -> list[Question]:
    found = []
    words = None if index.words else _of_words(db, alternative, fields)
    grams = None if words or index.trigrams else _of_trigrams(db, alternative, fields)
    if words or grams:
        found += [question for question in (words, grams) if question]
        if grams and index.external:
            found.append(_outside_trigrams(db, alternative, fields))
    else:
        found.append(_scanned(db, [alternative], fields))
    if grams and not index.words and (escaped := _escaped(alternative)):
        found.append(Question(WORDS, escaped))
    return found


def _of_words(db: Database, alternative: Alternative, fields: Sequence[Where]) -> Question | None:
    known = {term: _either(term) for term in alternative.all if word_expression(term)}
    if not known:
        return None
    # What the index finds without its punctuation must not be excluded for that.
    unwanted = [term for term in alternative.none if word_expression(term) and not term.exact]
    expression = " AND ".join(known.values())
    if unwanted:
        expression = f"({expression}) NOT ({' OR '.join(map(_either, unwanted))})"
    wanted = [term for term in alternative.all if term.exact or term not in known]
    rest = [term for term in alternative.none if term not in unwanted]
    return Question(WORDS, expression, *conditions(db, wanted, rest, fields))


def _of_trigrams(db: Database, alternative: Alternative, fields: Sequence[Where]) -> Question | None:
    known = {term: expression for term in alternative.all if (expression := trigram_expression(term))}
    if not known:
        return None
    wanted = [term for term in alternative.all if term.exact or term not in known]
    return Question(TRIGRAMS, " AND ".join(known.values()), *conditions(db, wanted, alternative.none, fields))


def _escaped(alternative: Alternative) -> str | None:
    """For the word index: the words as they stand in the JSON of a tool call."""
    forms = [word_expression(term, escaped=True) or word_expression(term) for term in alternative.all]
    if alternative.none or not all(forms):
        return None
    return " AND ".join(filter(None, forms))


def _either(term: Term) -> str:
    plain, escaped = word_expression(term), word_expression(term, escaped=True)
    return f"({plain} OR {escaped})" if escaped else f"({plain})"


def _outside_trigrams(db: Database, alternative: Alternative, fields: Sequence[Where]) -> Question:
    """A scan of what the trigram index of the newer layout leaves out."""
    scan = _scanned(db, [alternative], fields)
    return replace(scan, condition=f"{OUTSIDE_TRIGRAMS} AND {scan.condition}")


def _scanned(db: Database, alternatives: Sequence[Alternative], fields: Sequence[Where]) -> Question:
    return Question("", "", *anywhere(db, alternatives, fields))


def _joined(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Questions of the same index without conditions as one; scans as one."""
    joined: dict[tuple[str, bool], Question] = {}
    apart = []
    for question in questions:
        key = (question.table, question.loose)
        if question.table and question.loose:
            apart.append(question)
        elif key not in joined:
            joined[key] = replace(question, expression=f"({question.expression})")
        elif question.table:
            # Side by side: FTS5's parser does not go deep.
            both = f"{joined[key].expression} OR ({question.expression})"
            joined[key] = replace(question, expression=both)
        else:
            both = f"({joined[key].condition} OR {question.condition})"
            joined[key] = replace(
                question, condition=both, parameters=joined[key].parameters + question.parameters
            )
    return (*joined.values(), *apart)
