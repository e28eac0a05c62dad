"""Why a memory file was not changed, in words: what happened, what it means, what to do."""

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _

from hermesweb.hermes.errors import HermesError, Unreadable
from hermesweb.hermes.locks import Busy
from hermesweb.hermes.writing import NotWritten
from hermesweb.sentences import not_written_sentence, unreadable_sentence
from memory import refusals
from memory.entries import FILE_NAMES
from memory.rule_words import words_of


def refusal_sentence(problem: HermesError, *, saving: bool = True) -> str:
    """Sentences for everything that `memory.operations` and `memory.tidy` raise. *saving*: a text was to be
    saved; else something was to be removed, moved or tidied."""
    match problem:
        case refusals.EmptyText():
            text = _("An entry cannot be empty. To get rid of it, delete it.")
        case refusals.Unstorable(why="nul"):
            text = _("The text holds a NUL character, which a memory file cannot keep.")
        case refusals.Unstorable():
            text = _("The text holds half a character, which a memory file cannot keep.")
        case refusals.SeparatorInside(where="inside"):
            text = _("A line of the text is nothing but §. That is the line between two entries, so Hermes would "
                     "read it back as several.")  # fmt: skip
        case refusals.SeparatorInside():
            text = _(
                "The text starts or ends with a line that is nothing but §, the line between two entries."
            )
        case refusals.ThreatFound(findings=found):
            text = _("Hermes would keep this out of its prompt. %(reasons)s") % {
                "reasons": " ".join(words_of(rule) for rule in found)
            }
        case refusals.OverLimit():
            text = over_limit_sentence(problem)
        case refusals.Guarded():
            text = guarded_sentence(problem)
        case refusals.NotEditable():
            text = _(
                "The entry holds a NUL character, which a form cannot send back unchanged. It can be deleted."
            )
        case refusals.StoreDisabled(target=target):
            text = _("%(name)s is switched off in config.yaml, so nothing is added to it.") % {
                "name": FILE_NAMES[target]
            }
        case refusals.Stale(seen=None):
            text = _("The file has changed since you opened it. Here is how it stands now.")
        case refusals.Stale():
            text = _("The entry has changed, or is gone, since you opened it.")
        case refusals.HalfMoved(added_to=there, still_in=here):
            return _(
                "The entry was added to %(there)s but could not be removed from %(here)s: it is in both now."
            ) % {
                "there": there.name,
                "here": here.name,
            }
        case Busy(seconds=seconds):
            text = _(
                "Hermes is writing to this file and did not finish within %(seconds)s seconds. Try again."
            ) % {"seconds": round(seconds)}
        case NotWritten():
            text = not_written_sentence(problem)
        case Unreadable():
            text = unreadable_sentence(problem)
        case _:
            text = _("That did not work.")
    return (_("Nothing was saved.") if saving else _("Nothing was changed.")) + " " + text


def over_limit_sentence(problem: refusals.OverLimit) -> str:
    """With both numbers: what it would come to, and what there is room for."""
    return _(
        "%(name)s would come to %(would_be)s of %(limit)s characters; it has %(used)s now. Shorten the text, or "
        "delete another entry first."
    ) % {
        "name": FILE_NAMES[problem.target],
        "would_be": intcomma(problem.would_be),
        "limit": intcomma(problem.limit),
        "used": intcomma(problem.used),
    }


def guarded_sentence(problem: refusals.Guarded) -> str:
    return {
        "oversized_entry": _(
            "One entry is longer than the whole limit, so the file was not written by Hermes, and Hermes refuses to "
            "change or remove anything in it. “Tidy this file” can."
        ),
        "does_not_round_trip": _(
            "The file is not as Hermes would write it, and Hermes refuses to change or remove anything in it. “Tidy "
            "this file” can."
        ),
        "would_not_read_back": _(
            "An entry ends with a line that is nothing but §, so the file would not read back as the same entries. "
            "“Tidy this file” can mend that."
        ),
    }[problem.why]
