"""Where a person is signed in."""

import re
from dataclasses import dataclass
from datetime import datetime

from allauth.usersessions.models import UserSession
from django.http import HttpRequest
from django.utils.translation import gettext as _

# The first that fits: most browsers also name others, to be treated like them.
PROGRAMS = {"Edg/": "Edge", "OPR/": "Opera", "Firefox/": "Firefox", "Chrom": "Chrome", "Safari/": "Safari"}
SYSTEMS = {"Android": "Android", "iPhone": "iPhone", "iPad": "iPad", "Windows": "Windows", "Mac OS": "macOS"}
SYSTEMS |= {"CrOS": "ChromeOS", "Linux": "Linux"}
WORD = re.compile(r"[A-Za-z0-9._-]{1,40}")


@dataclass(frozen=True)
class Browser:
    pk: int
    name: str
    address: str
    began: datetime
    used: datetime
    here: bool


def browsers_of(request: HttpRequest) -> list[Browser]:
    """Those that are signed in now, the last used first. Those whose sign-in ended are forgotten."""
    found = UserSession.objects.purge_and_list(request.user)
    listed = [
        Browser(
            each.pk,
            name_of(each.user_agent),
            each.ip,
            each.created_at,
            each.last_seen_at,
            each.session_key == request.session.session_key,
        )
        for each in found
    ]
    return sorted(listed, key=lambda each: (not each.here, -each.used.timestamp()))


def name_of(agent: str) -> str:
    """“Firefox on Linux” of what a browser says about itself; its first word for others."""
    program = next((name for part, name in PROGRAMS.items() if part in agent), "")
    system = next((name for part, name in SYSTEMS.items() if part in agent), "")
    if program and system:
        return _("%(program)s on %(system)s") % {"program": program, "system": system}
    word = WORD.match(agent)
    return program or system or (word[0] if word else _("a browser that does not say which"))
