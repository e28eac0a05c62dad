"""Taking conversations along as a file: what is in it is chosen on a page, and it is sent while it is read."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Literal, get_args

from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.timezone import localdate
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from hermesweb.accounts.access import OnlyReading, profile_page
from hermesweb.accounts.confirm import confirmed
from hermesweb.accounts.standing import may_change
from hermesweb.activity.log import record
from hermesweb.activity.models import Action
from hermesweb.hermes.homes import Profile
from hermesweb.privacy.copies import copy_of
from hermesweb.sentences import state_sentence
from hermesweb.views import problem as problem_page
from sessions.database import read_state
from sessions.errors import StateError
from sessions.export_html import export_html
from sessions.export_jsonl import export_jsonl
from sessions.export_language import words_of_now
from sessions.export_markdown import export_markdown
from sessions.export_pages import Options
from sessions.export_selection import Chosen, chosen, seal_ticked, selection_of
from sessions.search_token import NotOurToken, TooLong
from sessions.transcript_errors import NoSuchSession

Format = Literal["jsonl", "md", "html"]
TYPES: Final = {
    "jsonl": "application/x-ndjson",
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
}


CLEARING: Final = "clearing"  # in an address: it was left for this page from the wizard "Clear everything"


@dataclass(frozen=True)
class Choice:
    """What goes into the file."""

    format: Format
    undone: bool
    compacted: bool
    exact: bool

    @property
    def code(self) -> str:
        return "exact" if self.exact else "masked"


@require_http_methods(["GET", "HEAD", "POST"])
@profile_page(reading=True)
def export(request: HttpRequest, profile: Profile) -> HttpResponseBase:
    """The choices. A POST with ticked conversations is turned into an address that only this sign-in can read."""
    if request.method == "POST":
        return _ticked(request, profile)
    # "Confirm it is you" comes first, and by GET: of a POST nothing may be kept until then.
    exact = "exact" in request.GET and may_change(profile)
    return _exact_page(request, profile) if exact else _page(request, profile)


@require_POST
@profile_page(reading=True)
def export_file(request: HttpRequest, profile: Profile) -> HttpResponseBase:
    """The file."""
    choice = choice_of(request)
    if choice is None:
        return problem_page(request, 400, _("This form is not complete"), _("Nothing was exported."))
    if choice.exact and not may_change(profile):
        raise OnlyReading  # a reviewer takes along what is masked
    if choice.exact and not did_recently_reauthenticate(request):
        return redirect(_address(request, profile, exact="1", format=choice.format))
    try:
        found = _chosen(request, profile)
    except (StateError, NotOurToken) as problem:
        return _refused(request, profile, problem)
    record(request, Action.EXPORTED, profile, about=f"{choice.format} {found.conversations} {choice.code}")
    name = f"hermes-conversations-{localdate():%Y-%m-%d}.{choice.format}"
    answer = StreamingHttpResponse(
        pieces(profile, found.sessions, choice),
        content_type=TYPES[choice.format],
        headers={
            "Content-Disposition": f'attachment; filename="{name}"',
            "X-Content-Type-Options": "nosniff",
        },
    )
    answer.masks = not choice.exact  # type: ignore[attr-defined]  # hermesweb.masking leaves it as it is
    return answer


def pieces(profile: Profile, sessions: Sequence[str], choice: Choice) -> Iterator[bytes]:
    """The file in pieces. Each page of it is a read of its own, so nothing is held open while it is sent."""
    read = partial(read_state, profile.folder, copy=copy_of(settings.WORK_FOLDER, profile))
    options = Options(undone=choice.undone, compacted=choice.compacted, masked=not choice.exact)
    if choice.format == "jsonl":
        return export_jsonl(read, sessions, options)
    if choice.format == "md":
        return export_markdown(read, sessions, options, words_of_now())
    return export_html(read, sessions, options, words_of_now(), get_language() or "en")


def choice_of(request: HttpRequest) -> Choice | None:
    wanted = request.POST.get("format", "")
    format = next((each for each in get_args(Format) if each == wanted), None)
    if format is None:
        return None
    return Choice(
        format=format,
        undone="undone" in request.POST,
        compacted="compacted" in request.POST,
        exact=request.POST.get("texts") == "exact",
    )


def _ticked(request: HttpRequest, profile: Profile) -> HttpResponse:
    try:
        token = seal_ticked(request, profile, request.POST)
    except TooLong:
        lede = _("Their ids do not fit into one address. Tick fewer, or export what fits a filter.")
        return problem_page(request, 422, _("These are too many at once"), lede, back=_list(profile))
    except ValueError:
        lede = _("Nothing was exported. Tick what is to be in the file.")
        return problem_page(request, 400, _("No conversation is ticked"), lede, back=_list(profile))
    path = reverse("export", args=[profile.home.key, profile.name])
    return redirect(f"{path}?{urlencode({'chosen': token})}")


def _page(request: HttpRequest, profile: Profile) -> HttpResponse:
    try:
        found = _chosen(request, profile)
    except (StateError, NotOurToken) as problem:
        return _refused(request, profile, problem)
    wanted = request.GET.get("format", "")
    context: dict[str, Any] = {
        "found": found,
        "one": "session" in request.GET,
        "clearing": CLEARING in request.GET,
        "exact": "exact" in request.GET,
        "may_be_exact": may_change(profile),
        "format": wanted if wanted in TYPES else "jsonl",
        "address": _address(request, profile, name="export_file"),
        "back": _back(request, profile),
    }
    return render(request, "export.html", context)


_exact_page = confirmed(_page)


def _chosen(request: HttpRequest, profile: Profile) -> Chosen:
    try:
        return chosen(profile, selection_of(request, profile))
    except (ValueError, NoSuchSession):
        raise Http404 from None


def _refused(request: HttpRequest, profile: Profile, problem: StateError | NotOurToken) -> HttpResponse:
    if isinstance(problem, StateError):
        return problem_page(request, 409, _("Nothing can be exported"), state_sentence(problem))
    lede = _("What was chosen belongs to a sign-in that has ended, and it was kept nowhere. Choose again.")
    return problem_page(request, 410, _("Nothing was exported"), lede, back=_list(profile))


def _address(request: HttpRequest, profile: Profile, name: str = "export", **more: str) -> str:
    """The same selection at another address."""
    query = request.GET.copy()
    for key in ("exact", "format"):
        query.pop(key, None)
    query.update(more)
    path = reverse(name, args=[profile.home.key, profile.name])
    return f"{path}?{query.urlencode()}" if query else path


def _list(profile: Profile) -> str:
    return reverse("sessions", args=[profile.home.key, profile.name])


def _back(request: HttpRequest, profile: Profile) -> str:
    if CLEARING in request.GET:
        return reverse("clear_export", args=[profile.home.key, profile.name])
    if "session" in request.GET:
        return reverse("conversation", args=[profile.home.key, profile.name, request.GET["session"]])
    if "chosen" in request.GET:
        return _list(profile)
    return _address(request, profile, "sessions")
