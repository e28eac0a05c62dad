"""Sign-ins and sign-outs reach the log from wherever they happen."""

import time
from typing import Any

from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.signals import password_changed
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import (
    authentication_failed,
    authenticator_added,
    authenticator_removed,
    authenticator_reset,
)
from django.contrib.auth.signals import user_logged_in, user_logged_out, user_login_failed
from django.contrib.sessions.models import Session
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from hermesweb.accounts.middleware import BEGAN, USED
from hermesweb.activity.log import record
from hermesweb.activity.models import Action


@receiver(user_logged_in)
def signed_in(sender: Any, request: HttpRequest | None, user: Any, **kwargs: Any) -> None:
    if request is not None:
        Session.objects.filter(expire_date__lt=timezone.now()).delete()  # whose sign-in ended long ago
        request.session[BEGAN] = request.session[USED] = time.time()
        action = Action.SIGNED_IN
        if getattr(request, "signed_in_by_link", False):
            action = Action.SIGNED_IN_BY_LINK
        elif getattr(request, "signed_in_by_invitation", False):
            action = Action.INVITATION_USED
        record(request, action, about=means_of(request, user))


def means_of(request: HttpRequest, user: Any) -> str:
    """What was shown at the door, such as “password totp”."""
    steps = get_authentication_records(request, user)
    return " ".join(str(step.get("type") or step.get("method")) for step in steps)[:60]


@receiver(user_logged_out)
def signed_out(sender: Any, request: HttpRequest | None, user: Any, **kwargs: Any) -> None:
    if request is not None and user is not None:
        record(request, Action.SIGNED_OUT)


@receiver(user_login_failed)
def sign_in_failed(sender: Any, request: HttpRequest | None = None, **kwargs: Any) -> None:
    """The name that was typed is not kept: people type their password into that field."""
    if request is not None:
        record(request, Action.SIGN_IN_FAILED)


@receiver(authentication_failed)
def second_step_failed(sender: Any, request: HttpRequest, **kwargs: Any) -> None:
    record(request, Action.SIGN_IN_FAILED, about="code")


@receiver(password_changed)
def changed_password(sender: Any, request: HttpRequest, **kwargs: Any) -> None:
    record(request, Action.PASSWORD_CHANGED)


@receiver(authenticator_added)
def added_factor(sender: Any, request: HttpRequest, authenticator: Authenticator, **kwargs: Any) -> None:
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        record(request, Action.SECOND_FACTOR_ADDED, about=authenticator.type)


@receiver(authenticator_removed)
def removed_factor(sender: Any, request: HttpRequest, authenticator: Authenticator, **kwargs: Any) -> None:
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        record(request, Action.SECOND_FACTOR_REMOVED, about=authenticator.type)


@receiver(authenticator_reset)
def made_codes(sender: Any, request: HttpRequest, **kwargs: Any) -> None:
    record(request, Action.RECOVERY_CODES_MADE)
