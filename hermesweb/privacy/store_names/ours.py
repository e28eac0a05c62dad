"""hermesweb's own."""

from django.utils.translation import gettext_lazy as _

NAMES = {
    "hermesweb-database": (
        _("Database of hermesweb"),
        _("People, sign-ins, and who looked at or removed what. No text of Hermes’."),
    ),
    "hermesweb-logs": (_("Log of hermesweb"), _("Addresses and errors, without texts.")),
    "hermesweb-work-copies": (
        _("Work copies of hermesweb"),
        _("Private copies of state.db, made when it could not be read in place."),
    ),
}
