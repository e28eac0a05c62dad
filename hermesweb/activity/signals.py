"""Sign-ins and sign-outs reach the log from wherever they happen."""

from typing import Any

from allauth.account.signals import password_changed
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.dispatch import receiver
from django.http import HttpRequest

from hermesweb.activity.log import record
from hermesweb.activity.models import Action


@receiver(user_logged_in)
def signed_in(sender: Any, request: HttpRequest | None, **kwargs: Any) -> None:
    if request is not None:
        by_link = getattr(request, "signed_in_by_link", False)
        record(request, Action.SIGNED_IN_BY_LINK if by_link else Action.SIGNED_IN)


@receiver(user_logged_out)
def signed_out(sender: Any, request: HttpRequest | None, user: Any, **kwargs: Any) -> None:
    if request is not None and user is not None:
        record(request, Action.SIGNED_OUT)


@receiver(user_login_failed)
def sign_in_failed(sender: Any, request: HttpRequest | None = None, **kwargs: Any) -> None:
    """The name that was typed is not kept: people type their password into that field."""
    if request is not None:
        record(request, Action.SIGN_IN_FAILED)


@receiver(password_changed)
def changed_password(sender: Any, request: HttpRequest, **kwargs: Any) -> None:
    record(request, Action.PASSWORD_CHANGED)
