from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.core.internal.ratelimit import get_ip
from allauth.core.ratelimit import respond_429
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # the library carries no types
    """allauth without sign-up and without messages: people are made by links, and pages say what happened."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """What guesses are counted by: the account together with the address they come from. With the account
        alone anybody could lock the right person out."""
        return f"{get_ip(request)} {credentials.get('username', '').lower()}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Too many tries get a page that says so, not a form that looks as if the password were wrong."""
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            raise ImmediateHttpResponse(respond_429(request)) from None

    def authenticate(self, request: HttpRequest, **credentials: Any) -> AbstractBaseUser | None:
        """Somebody who was switched off is nobody: the library would lead them to a page of its own."""
        person: AbstractBaseUser | None = super().authenticate(request, **credentials)
        return person if person and person.is_active else None

    def respond_user_inactive(self, request: HttpRequest, user: AbstractBaseUser) -> HttpResponse:
        """Also with a passkey."""
        return redirect("account_login")

    def add_message(self, *args: object, **kwargs: object) -> None:
        """Say nothing: its messages name the person in the session store."""
