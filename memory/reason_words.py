"""Why a write that waits would not be applied, in words."""

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _

from hermesweb.hermes.errors import HermesError, Unreadable
from hermesweb.hermes.locks import Busy
from hermesweb.hermes.writing import NotWritten
from hermesweb.record import shown
from hermesweb.sentences import not_written_sentence, unreadable_sentence
from memory.approval_answers import Changed, NoSuchProposal, NotApplicable
from memory.claims import Outcome
from memory.entries import FILE_NAMES
from memory.proposal_reasons import Reason
from memory.refusals import Guarded, OverLimit, SeparatorInside, ThreatFound, Unstorable
from memory.rule_words import words_of
from memory.sentences import guarded_sentence, over_limit_sentence


def reason_sentence(reason: Reason, *, skill: bool = False) -> str:
    """A sentence for every code of `memory.proposal_reasons`; some read otherwise for a skill's file."""
    match reason.cause:
        case OverLimit():
            return over_limit_sentence(reason.cause)
        case Guarded():
            return guarded_sentence(reason.cause)
        case ThreatFound(findings=found):
            return _("Hermes would keep this out of its prompt. %(reasons)s") % {
                "reasons": " ".join(words_of(rule) for rule in found)
            }
        case Unreadable():
            return unreadable_sentence(reason.cause)
        case SeparatorInside() | Unstorable():
            pass
    known = {**sentences(), **skill_sentences()} if skill else sentences()
    sentence = known.get(reason.code, _("Hermes would refuse it."))
    if reason.code == "bad_frontmatter":
        return head_sentence(reason.detail)
    return sentence % {
        "detail": shown(reason.detail),
        "size": intcomma(reason.size),
        "limit": intcomma(reason.limit),
        "count": intcomma(len(reason.matches)),
    }


def skill_sentences() -> dict[str, str]:
    return {
        "no_match": _(
            "The file does not hold the text that is to be changed. Hermes itself would take a similar one by guess; "
            "hermesweb changes nothing that is not named letter by letter."
        ),
        "several_matches": _("The text that is to be changed stands more than once in the file."),
        "span_unchanged": _("It would change nothing in the file."),
        "missing_old_text": _("It does not say which text is to be changed."),
        "stale": _("The file has changed since."),
    }


def sentences() -> dict[str, str]:
    return {
        "unreadable": _("The record cannot be read."),
        "not_json": _("The record is not valid JSON."),
        "not_an_object": _("The record holds something else than a proposal."),
        "missing_payload": _("The record does not say what it proposes."),
        "unpaired_surrogates": _("The text holds half a character, which Hermes cannot write to a file."),
        "not_read": _("There is too much in the folder: this record was not read."),
        "bad_target": _("It names neither MEMORY.md nor USER.md."),
        "not_supported_action": _("The Hermes that wrote this home does not know such a change."),
        "malformed": _("A value in the record is of the wrong kind: %(detail)s."),
        "no_operations": _("It proposes no change at all."),
        "missing_content": _("The new text is missing or empty."),
        "missing_old_text": _("It does not say which entry it is about."),
        "no_match": _("No entry holds the text that it is about."),
        "several_matches": _(
            "%(count)s entries hold the text that it is about: it is not clear which one is meant."
        ),
        "stale": _("The entry it was made against has changed since, or is gone."),
        "unverifiable": _(
            "It does not say against which entry it was made, so Hermes 0.22 refuses it. Here it applies only to "
            "the entry shown."
        ),
        "span_repeated": _("The words to change stand more than once in the entry."),
        "span_unchanged": _("It would change nothing in the entry."),
        "blocked": _("Hermes would keep the new text out of its prompt."),
        "separator_inside": _("A line of the new text is nothing but §, the line between two entries."),
        "unstorable": _("The new text holds a character that a memory file cannot keep."),
        "over_limit": _("The file would be over its limit."),
        "would_empty_store": _("It would remove every entry of the file at once, which Hermes 0.22 refuses."),
        "store_disabled": _("The file is switched off in config.yaml."),
        "store_unreadable": _("The memory file cannot be read."),
        "guarded": _("Hermes refuses to change this file."),
        "changed": _("It changed since the page was shown."),
        "bad_name": _("The name of the skill is not one that Hermes allows."),
        "bad_category": _("The category of the skill is not one that Hermes allows."),
        "missing_path": _("It does not say which file it is about."),
        "path_outside": _("The file lies outside the folder of the skill."),
        "path_not_allowed": _("Hermes allows no such file in a skill."),
        "missing_new_text": _("The new text is missing."),
        "too_long": _("It has %(size)s characters, and Hermes allows %(limit)s."),
        "batch_of_skills": _("Several changes of skills as one can be approved only in a chat with Hermes."),
        "no_such_skill": _("There is no skill of this name."),
        "skill_exists": _("There is a skill of this name already."),
        "several_skills": _("There is more than one skill of this name."),
        "no_such_file": _("There is no such file in the skill."),
        "pinned": _("The skill is pinned: Hermes changes nothing in it."),
        "no_such_heir": _("The skill that should take its place does not exist."),
        "target_unreadable": _("The file it is about cannot be read."),
    }


def head_sentence(problem: str) -> str:
    """Why Hermes would not take a text as a SKILL.md."""
    return {
        "empty": _("SKILL.md would be empty."),
        "no_start": _("SKILL.md would not start with a head between two lines of ---."),
        "not_closed": _("The head of SKILL.md would have no end."),
        "not_yaml": _("The head of SKILL.md would not be valid YAML."),
        "not_a_mapping": _("The head of SKILL.md would hold no names with values."),
        "no_name": _("The head of SKILL.md would not name the skill."),
        "no_description": _("The head of SKILL.md would not describe the skill."),
        "long_description": _("The description of the skill would be longer than Hermes allows."),
        "no_body": _("SKILL.md would have a head and nothing after it."),
    }.get(problem, _("Hermes would not take the text as a SKILL.md."))


def settled_sentence(outcome: Outcome) -> str:
    """What became of a decision that a killed process had left in the middle."""
    return {
        "put_back": _("The interrupted decision had not come to its end: the proposal waits again."),
        "finished": _("The interrupted decision had been carried out: its proposal is gone now."),
        "in_use": _("A decision is being carried out at this moment. Look again."),
        "name_taken": _("The interrupted proposal cannot wait again while another of its name does."),
        "not_written": _("The interrupted decision could not be settled: the system refuses to write there."),
    }[outcome]


def decision_sentence(problem: HermesError, *, skill: bool = False) -> str:
    """What came of a decision that was not carried out. It names no text."""
    match problem:
        case NoSuchProposal():
            return _("It does not wait any more: it was decided elsewhere, by a second click or in a chat.")
        case Changed(what="record"):
            return _("The proposal changed since the page was shown. It is shown again as it is now.")
        case Changed():
            return _("What it is about changed since the page was shown. It is shown again as it is now.")
        case NotApplicable(reason=reason):
            return reason_sentence(reason, skill=skill)
        case Busy():
            return _(
                "Hermes, or another window of hermesweb, is writing the same file at this moment. Nothing of it was "
                "done; try again."
            )
        case NotWritten():
            return not_written_sentence(problem)
        case Unreadable():
            return unreadable_sentence(problem)
        case _:
            return _("That did not work.")


def file_name(target: str | None) -> str:
    return FILE_NAMES["user" if target == "user" else "memory"] if target else ""
