"""The words around an export in the language of the person who asks for it."""

from types import MappingProxyType

from django.utils.translation import gettext as _

from sessions.export_words import Words


def words_of_now() -> Words:
    """Made before the file is sent: then no language is set any more."""
    roles = {"user": _("User"), "assistant": "Hermes", "tool": _("Tool"), "system": _("System")}
    return Words(
        title=_("Hermes conversations"),
        untitled=_("Without a title"),
        roles=MappingProxyType(roles),
        undone=_("taken back"),
        compacted=_("summed up since"),
        summary=_("summary"),
        reasoning=_("Reasoning"),
        sealed=_("encrypted, not readable"),
        call=_("Call"),
        result=_("Result of"),
        sent=_("Sent to the provider instead"),
        not_shown=_("not included"),
        bytes=_("bytes"),
        source=_("Source"),
        model=_("Model"),
        started=_("Started"),
        ended=_("Ended"),
        sessions=_("Sessions"),
        messages=_("Messages"),
        left_out_undone=_("Left out, taken back"),
        left_out_compacted=_("Left out, summed up since"),
        missing=_("Not found"),
        was_masked=_("Keys, passwords and personal numbers that were found are masked."),
        was_exact=_("Nothing is masked."),
    )
