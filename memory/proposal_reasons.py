"""Why a write that waits would not be applied, as a value that a page can show."""

from dataclasses import dataclass
from typing import Literal

from hermesweb.hermes.errors import HermesError
from memory.pending_record import Problem
from memory.refusals import EmptyText, Guarded, OverLimit, Refused, SeparatorInside, ThreatFound, Unstorable

Code = (
    Problem
    | Literal[
        # the record itself
        "bad_target",  # neither MEMORY.md nor USER.md, or several at once
        "not_supported_action",  # unknown to the release that wrote the home
        "malformed",  # a value of the wrong kind
        "no_operations",
        "missing_content",
        "missing_old_text",
        # the entry it is about
        "no_match",
        "several_matches",
        "stale",  # the entry it was made against is gone or has changed
        "unverifiable",  # 0.22: it does not say against which entry it was made
        "span_repeated",
        "span_unchanged",
        # the new text
        "blocked",
        "separator_inside",
        "unstorable",
        # the store
        "over_limit",
        "would_empty_store",
        "store_disabled",
        "store_unreadable",
        "guarded",
        # the fingerprint of the form
        "changed",
        # skills: the record
        "bad_name",
        "bad_category",
        "missing_path",
        "path_outside",
        "path_not_allowed",
        "missing_new_text",
        "bad_frontmatter",
        "too_long",
        "batch_of_skills",
        # skills: what is there
        "no_such_skill",
        "skill_exists",
        "several_skills",
        "no_such_file",
        "pinned",
        "no_such_heir",
        "target_unreadable",
    ]
)


@dataclass(frozen=True)
class Reason:
    """`operation`: which one of a batch, from 0; None for the whole. `cause` has the numbers, the findings or
    the path: an OverLimit for "over_limit", a ThreatFound for "blocked" and so on. `matches`: the entries that
    an ambiguous old text is found in, or those it is found in now although it was made against `expected`.
    `detail`: for "bad_frontmatter" and "malformed" what is wrong; `size` and `limit` for "too_long", in
    characters."""

    code: Code
    operation: int | None = None
    cause: HermesError | None = None
    matches: tuple[str, ...] = ()
    expected: str | None = None
    detail: str = ""
    size: int = 0
    limit: int = 0


def reason_of(refused: Refused, operation: int | None = None) -> Reason:
    """The reason that a refusal of `memory.text` or `memory.editing` is."""
    codes: dict[type[Refused], Code] = {
        EmptyText: "missing_content",
        Unstorable: "unstorable",
        SeparatorInside: "separator_inside",
        ThreatFound: "blocked",
        OverLimit: "over_limit",
        Guarded: "guarded",
    }
    return Reason(codes[type(refused)], operation, refused)
