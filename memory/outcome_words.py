"""What came of a call of the memory tool, in words."""

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

OUTCOMES: dict[str, str | Promise] = {
    "saved": _("Saved"),
    "no_change": _("Was there already"),
    "waiting": _("Waits for approval"),
    "full": _("The file was full"),
    "blocked": _("Blocked by a threat rule"),
    "no_match": _("No entry matched what it wanted to change"),
    "ambiguous": _("Several entries matched what it wanted to change"),
    "not_available": _("The memory was switched off"),
    "denied": _("Somebody said no"),
    "guarded": _("The file was not as Hermes would write it"),
    "malformed": _("The model called the tool in a wrong way"),
    "given_up": _("Hermes gave up after too many refusals"),
    "no_answer": _("The session ended before an answer came"),
    "unclear": _("The answer is only there in a shortened copy"),
    "other": _("Refused for another reason"),
}
