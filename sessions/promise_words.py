"""The words by which a reply promises to remember something, in English and German. Few on purpose: a promise
that is missed costs less than a reply that is wrongly called broken."""

import re
from collections.abc import Iterator
from typing import Final

PROMISES: Final = (
    # English
    r"i(?:'ll| will) (?:be sure to |make sure to |always )?remember (?:that|this|it|your|you|to)\b",
    r"i(?:'ll| will) (?:remember|keep (?:that|this) in mind)(?= for | next time|[.!,]|$)",
    r"i(?:'ve| have) (?:just )?(?:noted|remembered|memori[sz]ed) (?:that|this|it|your|down)\b",
    r"i(?:'ll| will) (?:make|take) a (?:mental )?note\b",
    r"i (?:won't|will not) forget\b",
    r"(?:saved|added|stored|committed|noted|recorded) (?:that |this |it )?(?:to|in) (?:my |your |the )?memory\b",
    r"^noted(?=[.!,:]| [-–—]|$)",
    # German
    r"(?:das |dies |es )?(?:merke|werde) ich mir(?: merken)?\b",
    r"ich (?:merke mir|merk mir|werde mir (?:das |dies |es )?merken)\b",
    r"habe? (?:ich )?(?:mir )?(?:das |dies |es )?(?:gemerkt|notiert)\b",
    r"(?:im|in meinem) gedächtnis (?:gespeichert|abgelegt|festgehalten)\b",
    r"(?:das )?vergesse ich nicht\b",
    r"^(?:ist )?(?:gemerkt|notiert)(?=[.!,:]| [-–—]|$)",
)
# A reply with none of these holds no promise; in ASCII, so that SQLite finds them in any case.
HINTS: Final = (
    *("remember", "memor", "noted", " note", "forget", "in mind"),
    *("merke", "merkt", "merk mir", "chtnis", "vergesse", "notiert"),
)
# What makes of a promise a refusal or an offer, when it comes before it, …
DENIALS: Final = r"\b(?:would|could|should|shall|can't|cannot|can not|don't|do not|unable|soll|sollen|kann)\b"
# … and what makes of it a condition, or something about another memory, wherever it stands.
CONDITIONS: Final = (
    r"\b(?:if|unless|once|when you|wenn|falls|sobald|nicht merken)\b"
    r"|\bmemory (?:card|stick|address|location|buffer|bank|cell|leak|usage|limit|pressure)\b"
)
# Tools by which other stores than MEMORY.md remember: providers' own, and what reminds.
SAVING_TOOLS: Final = (
    r"memory|skill_manage|cronjob(?:_manage)?|todo|reminder|honcho_conclude|mem0_(?:add|update)|hindsight_retain"
    r"|supermemory_store|viking_(?:remember|add_resource)|retaindb_(?:remember|ingest_file)|fact_store|brv_curate"
    r"|\w*(?:remember|memor(?:y|ize)|save_note|add_note)\w*"
)

_PROMISE: Final = re.compile("|".join(f"(?:{each})" for each in PROMISES))
_DENIAL: Final = re.compile(DENIALS)
_CONDITION: Final = re.compile(CONDITIONS)
_SAVING: Final = re.compile(SAVING_TOOLS, re.IGNORECASE)
_CODE: Final = re.compile(r"```.*?(?:```|\Z)|`[^`\n]*`|^\s*>.*$", re.DOTALL | re.MULTILINE)
_SENTENCE: Final = re.compile(r"[^.!?\n]+[.!?]*")


def promise_in(reply: str) -> str | None:
    """The first sentence of a reply that promises to remember, None if none does. Code, quotes, questions,
    conditions and offers do not count."""
    plain = reply.replace("’", "'")
    return next((sentence for sentence in _sentences(_CODE.sub(" ", plain)) if _promises(sentence)), None)


def saves(tool: str) -> bool:
    """Whether a tool of that name remembers something, in MEMORY.md or elsewhere."""
    return _SAVING.fullmatch(tool) is not None


def _sentences(text: str) -> Iterator[str]:
    for match in _SENTENCE.finditer(text):
        yield match[0].strip().strip("*_#-– ").strip()


def _promises(sentence: str) -> bool:
    folded = " ".join(sentence.lower().split())
    # Most sentences need no look at every pattern.
    promise = _PROMISE.search(folded) if any(hint in f" {folded}" for hint in HINTS) else None
    if promise is None or folded.endswith("?") or _CONDITION.search(folded):
        return False
    return not _DENIAL.search(folded, 0, promise.start())
