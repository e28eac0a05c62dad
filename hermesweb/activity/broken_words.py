"""What is wrong with the chain, in words."""

from django.utils.translation import gettext as _

from hermesweb.activity.chain import Broken


def broken_sentence(broken: Broken) -> str:
    return {
        "changed": _("Line %(number)s was changed, or stands where another one stood."),
        "missing": _("Line %(number)s is missing."),
        "end": _(
            "Lines are missing at the end: from number %(number)s on they do not fit what is known of the last one."
        ),
        "beginning": _("The lines up to number %(number)s are gone, and not because they were old."),
        "seal": _("The seal you gave is that of no line: lines were removed, or all were written anew."),
    }[broken.what] % {"number": broken.number}
