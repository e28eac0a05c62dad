from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from hermesweb.accounts.access import page
from hermesweb.accounts.models import Person
from hermesweb.activity.models import Activity

ON_A_PAGE = 100


@page
def activity(request: HttpRequest) -> HttpResponse:
    """Who looked at, changed or removed what: everything for an owner, one's own lines for others."""
    lines = of(request.user).select_related("person")
    before = request.GET.get("before", "")
    if before.isascii() and before.isdigit() and len(before) < 19:
        lines = lines.filter(id__lt=int(before))
    shown = list(lines[: ON_A_PAGE + 1])
    return render(
        request,
        "activity.html",
        {"lines": shown[:ON_A_PAGE], "more": len(shown) > ON_A_PAGE, "first": not before},
    )


def of(person: Person | AnonymousUser) -> QuerySet[Activity]:
    if isinstance(person, Person) and person.is_owner:
        return Activity.objects.all()
    return Activity.objects.filter(person=person if isinstance(person, Person) else None)
