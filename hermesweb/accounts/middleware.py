"""What is done for each signed-in person before a view is asked."""

import time
from collections.abc import Callable
from zoneinfo import ZoneInfo

from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponseBase
from django.urls import Resolver404, resolve
from django.utils import timezone, translation

from hermesweb.accounts.models import Person
from hermesweb.accounts.standing import asking
from hermesweb.activity.log import record
from hermesweb.activity.models import Action

Answer = Callable[[HttpRequest], HttpResponseBase]
BEGAN, USED = "began", "used"  # in the session, in seconds
NOTED_EVERY = 60  # seconds: not every click is written down
# These pages ask again by themselves, also without scripts: nobody may sit before them.
ASK_AGAIN = {"job", "trace_result"}


def end_old_sign_ins(get_response: Answer) -> Answer:
    """A sign-in ends after a while without use, and after a longer while in any case."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        if request.user.is_authenticated:
            now = time.time()
            if is_over(request, now):
                record(request, Action.SIGN_IN_ENDED)
                request.session.flush()
                request.user = AnonymousUser()
            else:
                note_use(request, now)
        return get_response(request)

    return middleware


def is_over(request: HttpRequest, now: float) -> bool:
    began, used = request.session.get(BEGAN, now), request.session.get(USED, now)
    return bool(now - began > settings.SIGN_IN_SECONDS or now - used > settings.IDLE_SECONDS)


def note_use(request: HttpRequest, now: float) -> None:
    session = request.session
    session.setdefault(BEGAN, now)
    if now - session.get(USED, 0) < NOTED_EVERY or asks_again(request):
        return
    session[USED] = now
    UserSession.objects.filter(session_key=session.session_key).update(last_seen_at=timezone.now())


def asks_again(request: HttpRequest) -> bool:
    try:
        return request.method == "GET" and resolve(request.path_info).url_name in ASK_AGAIN
    except Resolver404:
        return False


def in_ones_own_language(get_response: Answer) -> Answer:
    """Language and time zone as the person set them; else what the browser asks for, and the machine's zone."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        person = request.user
        if isinstance(person, Person):
            if person.language in dict(settings.LANGUAGES):
                translation.activate(person.language)
                request.LANGUAGE_CODE = translation.get_language()
            if zone := zone_named(person.zone):
                timezone.activate(zone)
        try:
            return get_response(request)
        finally:
            timezone.deactivate()

    return middleware


def zone_named(name: str) -> ZoneInfo | None:
    try:
        return ZoneInfo(name) if name else None
    except (KeyError, ValueError, OSError):  # another machine may have had other zones
        return None


def remember_who_asks(get_response: Answer) -> Answer:
    """So that what shows several profiles at once offers only what may be done with each."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        token = asking.set(request)
        try:
            return get_response(request)
        finally:
            asking.reset(token)

    return middleware
