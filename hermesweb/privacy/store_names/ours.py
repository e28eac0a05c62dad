"""hermesweb's own."""

from django.utils.translation import gettext_lazy as _

NAMES = {
    "hermesweb-database": (
        _("Database of hermesweb"),
        _("People, sign-ins, who looked at or removed what, and where keys were found. No text of Hermes’."),
    ),
    "hermesweb-logs": (_("Log of hermesweb"), _("Addresses and errors, without texts.")),
    "hermesweb-turns": (
        _("Turns of hermesweb"),
        _("Empty files on which our processes wait for each other. Their names say nothing."),
    ),
    "hermesweb-temporary": (
        _("Scratch folder of hermesweb"),
        _(
            "What a clearing or a search unpacks for a moment, and how far one by command is. Emptied at the end."
        ),
    ),
    "hermesweb-work-copies": (
        _("Work copies of hermesweb"),
        _("Private copies of state.db, made when it could not be read in place."),
    ),
}
