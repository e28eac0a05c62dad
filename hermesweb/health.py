"""For whoever watches that the server is up: one word, nothing of anybody."""

from django.db import DatabaseError, connection
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from hermesweb.accounts.access import open_page
from hermesweb.jobs import pulse


@open_page
@require_safe
def health(request: HttpRequest) -> HttpResponse:
    """200 "ok", or 503 where our own database cannot be asked or no worker has been heard of."""
    try:
        well = pulse.is_heard()
    except DatabaseError:
        connection.close()
        well = False
    answer = HttpResponse("ok\n" if well else "not ok\n", content_type="text/plain; charset=utf-8")
    if not well:
        answer.status_code = 503
        answer._has_been_logged = True  # type: ignore[attr-defined]  # no line for each of many questions
    return answer
