from typing import Any

from allauth.account.internal.flows.login import perform_login
from allauth.account.models import Login
from allauth.account.views import LoginView, LogoutView
from allauth.mfa.webauthn.views import LoginWebAuthnView
from allauth.usersessions.models import UserSession
from django.contrib.auth import login, logout, update_session_auth_hash
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_safe

from hermesweb.accounts.access import open_page, page
from hermesweb.accounts.forms import ChoosePassword
from hermesweb.accounts.models import Person, SignInLink, somebody_has_a_password
from hermesweb.activity.log import record
from hermesweb.activity.models import Action

BACKEND = "allauth.account.auth_backends.AuthenticationBackend"


@open_page
@require_safe
def first_link_needed(request: HttpRequest) -> HttpResponse:
    """Before anybody has a password: the only page that answers beside the link itself."""
    if somebody_has_a_password():
        return redirect("account_login")
    return render(request, "first_link_needed.html")


@open_page
def first_link(request: HttpRequest, token: str) -> HttpResponse:
    """GET shows a button, so that a preview of the link cannot spend it; POST spends it and signs in."""
    if somebody_has_a_password() or not SignInLink.find(token).exists():
        return render(request, "first_link_spent.html", status=410)
    if request.method != "POST":
        return render(request, "first_link.html")
    if not SignInLink.spend(token):
        return render(request, "first_link_spent.html", status=410)
    request.signed_in_by_link = True  # type: ignore[attr-defined]
    login(request, first_owner(), BACKEND)
    return redirect("choose_password")


def first_owner() -> Person:
    """The owner without a password: a new one, or the one an earlier first link made."""
    owner = Person.objects.filter(is_superuser=True, is_active=True).order_by("pk").first()
    if owner is None:
        owner = Person(username="owner", is_superuser=True, is_staff=True)
        owner.set_unusable_password()
        owner.save()
    return owner


@page
@sensitive_post_parameters()
def choose_password(request: HttpRequest) -> HttpResponse:
    """Where the first link leads. Who has a password changes it on its own page, which asks for it."""
    person = request.user
    if not isinstance(person, Person) or person.has_usable_password():
        return redirect("account_change_password")
    form = ChoosePassword(request.POST or None, instance=Person.objects.get(pk=person.pk))
    if request.method == "POST" and form.is_valid():
        chosen = form.save()
        update_session_auth_hash(request, chosen)
        UserSession.objects.create_from_request(request)
        SignInLink.objects.filter(Q(person=None) | Q(person=chosen)).delete()
        record(request, Action.PASSWORD_SET)
        return redirect("homes")
    return render(request, "choose_password.html", {"form": form}, status=422 if form.is_bound else 200)


@open_page
def join(request: HttpRequest, token: str) -> HttpResponseBase:
    """The link of a person: an invitation, or their way back in. As with the first link only POST spends it.

    The password they had, if any, is gone then; a second factor is still asked for.
    """
    found = SignInLink.find_invitation(token).select_related("person").first()
    person = found.person if found else None
    if person is None:
        return render(request, "first_link_spent.html", {"invitation": True}, status=410)
    if request.method != "POST":
        return render(request, "join.html", {"had_password": person.has_usable_password()})
    if not SignInLink.spend(token):
        return render(request, "first_link_spent.html", {"invitation": True}, status=410)
    if request.user.is_authenticated:  # somebody else, in this browser
        logout(request)
    person.set_unusable_password()
    person.save()
    request.signed_in_by_invitation = True  # type: ignore[attr-defined]
    answer: HttpResponse = perform_login(request, Login(user=person, redirect_url=reverse("choose_password")))
    return answer


class SignIn(LoginView):  # type: ignore[misc]  # the library carries no types
    """allauth's sign-in; there is no sign-up, which its own context names the address of."""

    template_name = "sign_in.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super(LoginView, self).get_context_data(**kwargs)
        return context


class SignInWithPasskey(LoginWebAuthnView):  # type: ignore[misc]
    """allauth's sign-in with a passkey: GET gives a script what to ask the device for, POST takes its answer."""

    def form_invalid(self, form: Any) -> HttpResponse:
        """Not known here, or there was no script to ask the device."""
        return render(self.request, "sign_in.html", {"passkey_problem": True})


class SignOut(LogoutView):  # type: ignore[misc]
    """allauth's sign-out, which also empties what the browser may hold of the pages that were seen."""

    template_name = "sign_out.html"

    def post(self, *args: Any, **kwargs: Any) -> HttpResponse:
        response: HttpResponse = super().post(*args, **kwargs)
        response.headers["Clear-Site-Data"] = '"cache", "storage"'
        return response
