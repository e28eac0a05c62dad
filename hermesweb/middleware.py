"""What holds for every answer: nothing is kept by the browser, and nothing is shown that was not checked."""

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.contrib.auth.middleware import LoginRequiredMiddleware
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import escape_leading_slashes, urlencode
from django_htmx.http import HttpResponseClientRedirect

from hermesweb.accounts.access import Closed, OnlyReading
from hermesweb.accounts.models import somebody_has_a_password
from hermesweb.accounts.second_factor import WITHOUT_SECOND_FACTOR, second_factor_missing
from hermesweb.views import wrong_method

Answer = Callable[[HttpRequest], HttpResponseBase]


def keep_nothing(get_response: Answer) -> Answer:
    """No page is stored by the browser or by anything between; what may not be used here is switched off."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if not request.path.startswith(settings.STATIC_URL) or response.status_code >= 400:
            response.headers["Cache-Control"] = "no-store"
        if request.method == "HEAD" and isinstance(response, HttpResponse):
            length = len(response.content)
            response.content = b""
            response.headers["Content-Length"] = str(length)
        response.headers["Cross-Origin-Resource-Policy"] = "same-origin"
        response.headers["Permissions-Policy"] = (
            "camera=(), geolocation=(), microphone=(), browsing-topics=()"
        )
        return response

    return middleware


def come_again(get_response: Answer) -> Answer:
    """A link clicked on another site arrives without our Strict cookies: ask the browser to come once more.

    The second request starts from our own page, so the cookies come along and nobody is asked to sign in twice.
    """

    def middleware(request: HttpRequest) -> HttpResponseBase:
        from_elsewhere = request.headers.get("Sec-Fetch-Site") == "cross-site"
        if request.method == "GET" and from_elsewhere and not request.user.is_authenticated:
            # Two slashes at the start would lead to another host.
            path = escape_leading_slashes(request.get_full_path())
            return render(request, "come_again.html", {"path": path})
        return get_response(request)

    return middleware


def say_wrong_method(get_response: Answer) -> Answer:
    """Django answers a wrong method with an empty page."""

    def middleware(request: HttpRequest) -> HttpResponseBase:
        response = get_response(request)
        if response.status_code != 405 or request.method != "GET":
            return response
        page = wrong_method(request)
        page.headers["Allow"] = response.headers["Allow"]
        return page

    return middleware


class AccessMiddleware(LoginRequiredMiddleware):
    """Signed out: nothing but the open pages. A view without a mark of `accounts.access`: not at all."""

    def process_view(
        self, request: HttpRequest, view: Any, args: Any, kwargs: Any
    ) -> HttpResponseBase | None:
        if not hasattr(view, "access"):
            raise ImproperlyConfigured(f"{view} has no access mark: see hermesweb.accounts.access")
        refusal: HttpResponseBase | None = super().process_view(request, view, args, kwargs)
        if refusal is not None or view.access == "open":
            return refusal
        name = request.resolver_match.url_name if request.resolver_match else ""
        if not request.user.has_usable_password():  # type: ignore[union-attr]
            # A link that signs in once opens one thing: choosing a name and a password.
            return None if name == "choose_password" else redirect("choose_password")
        if name not in WITHOUT_SECOND_FACTOR and second_factor_missing(request.user):
            return redirect("mfa_index")
        return None

    def process_exception(self, request: HttpRequest, exception: Exception) -> HttpResponseBase | None:
        """A profile that has to be opened first, and a change by somebody who only reviews."""
        if isinstance(exception, OnlyReading):
            return render(request, "only_reading.html", status=403)
        if not isinstance(exception, Closed):
            return None
        names = [exception.profile.home.key, exception.profile.name]
        if request.method in ("GET", "HEAD"):
            back = urlencode({"next": request.get_full_path()})
            return redirect(f"{reverse('open_with_notice', args=names)}?{back}")
        return render(request, "closed.html", {"closed": exception.profile}, status=403)

    def handle_no_permission(  # type: ignore[override]  # not only redirects
        self, request: HttpRequest, view_func: Any
    ) -> HttpResponseBase:
        if not somebody_has_a_password():
            return redirect("first_link_needed")
        if request.method != "GET":
            return render(request, "signed_out.html", status=403)
        if request.headers.get("HX-Request"):
            return HttpResponseClientRedirect(reverse("account_login"))
        answer: HttpResponse = super().handle_no_permission(request, view_func)
        return answer
