import csv
from collections.abc import Iterator
from dataclasses import dataclass

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils.formats import number_format
from django.utils.timezone import localdate
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from hermesweb.accounts.access import owner_page, page
from hermesweb.accounts.models import Household, Person
from hermesweb.activity.broken_words import broken_sentence
from hermesweb.activity.chain import verify
from hermesweb.activity.filters import GROUPS, Asked, asked, lines_of, names, narrowed, number
from hermesweb.activity.log import record
from hermesweb.activity.models import Action, Activity

ON_A_PAGE = 100
COLUMNS = ["number", "time", "who", "action", "what", "home", "profile", "address", "about", "digest"]


@dataclass(frozen=True)
class Line:
    """A line with the name of whom it is about, if it is about somebody."""

    line: Activity
    about: str


@page
@require_safe
def activity(request: HttpRequest) -> HttpResponse:
    """Who looked at, changed or removed what: everything for an owner, what is one's own for others."""
    wanted = asked(request.GET)
    found = list(narrowed(lines_of(request.user), wanted)[: ON_A_PAGE + 1])
    shown = found[:ON_A_PAGE]
    known = names(shown)
    if wanted.before is None:
        record(request, Action.VIEWED_ACTIVITY)
    context = {
        "lines": [Line(line, known.get(about_of(line) or 0, "")) for line in shown],
        "more": shown[-1].number if len(found) > ON_A_PAGE else None,
        "asked": wanted,
        "first": wanted.before is None,
        "groups": [(name, words) for name, (words, _starts) in GROUPS.items()],
        "days": Household.now().activity_days,
        **choices(request, wanted),
    }
    return render(request, "activity.html", context)


def about_of(line: Activity) -> int | None:
    return number(line.about.split()[1]) if line.about.startswith("person ") else None


def choices(request: HttpRequest, wanted: Asked) -> dict[str, object]:
    """What can be filtered by: people for an owner, and the profiles that stand in the lines."""
    person = request.user
    owner = isinstance(person, Person) and person.is_owner
    lines = lines_of(person).exclude(profile="").order_by()
    return {
        "people": list(Person.objects.order_by("username").values_list("pk", "username")) if owner else [],
        "profiles": sorted(lines.values_list("home", "profile").distinct()),
        "chosen_profile": (wanted.home, wanted.profile),
    }


@page
@require_safe
def activity_file(request: HttpRequest) -> StreamingHttpResponse:
    """The lines that were asked for as CSV. It is about what was done, never about what stood anywhere."""
    record(request, Action.ACTIVITY_SAVED)
    lines = narrowed(lines_of(request.user), asked(request.GET))
    name = f"hermesweb-activity-{localdate():%Y-%m-%d}.csv"
    answer = StreamingHttpResponse(
        rows_of(lines.iterator(chunk_size=1_000)),
        content_type="text/csv; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
    answer.masks = True  # type: ignore[attr-defined]  # nothing in it comes from a home but names of profiles
    return answer


class Echo:
    """What csv writes to: gives each row back."""

    def write(self, row: str) -> str:
        return row


def rows_of(lines: Iterator[Activity]) -> Iterator[str]:
    writer = csv.writer(Echo())
    yield writer.writerow(COLUMNS)
    for line in lines:
        values = [
            line.number, line.at.isoformat(), line.name, line.action, line.label, line.home, line.profile,
            line.address, line.about, line.digest,
        ]  # fmt: skip
        yield writer.writerow([plain(value) for value in values])


def plain(value: object) -> str:
    """A cell that no table program takes for a formula."""
    text = str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r", "\n")) else text


@owner_page
@require_POST
def check_activity(request: HttpRequest) -> HttpResponse:
    """Whether the chain of lines is unbroken."""
    found = verify()
    record(
        request,
        Action.ACTIVITY_CHECKED,
        about=f"{found.broken.what} {found.broken.number}" if found.broken else "ok",
    )
    if found.broken:
        messages.error(request, broken_sentence(found.broken))
    else:
        words = {"lines": number_format(found.lines, force_grouping=True), "seal": found.seal}
        text = _("Unbroken: %(lines)s lines, each sealed by the one before. The last seal is %(seal)s.")
        messages.success(request, text % words)
    return redirect("activity")
