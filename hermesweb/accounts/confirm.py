"""“Confirm it is you”: asked for before something is destroyed or unmasked, and good for ten minutes."""

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from allauth.account.internal.flows.reauthentication import did_recently_reauthenticate
from django.contrib.auth import REDIRECT_FIELD_NAME
from django.http import HttpRequest, HttpResponseBase
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.http import urlencode

P = ParamSpec("P")


def confirmed(
    view: Callable[Concatenate[HttpRequest, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, P], HttpResponseBase]:
    """Let *view* run only for somebody who gave their password in the last ten minutes.

    The library's own decorator keeps the whole POST in the session store until then, private words included.
    Here a POST without confirmation is dropped: its page asks first, by GET, and then shows the form.
    """

    @functools.wraps(view)
    def asking(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if did_recently_reauthenticate(request):
            return view(request, *args, **kwargs)
        back = request.get_full_path() if request.method == "GET" else request.path
        return redirect(f"{reverse('account_reauthenticate')}?{urlencode({REDIRECT_FIELD_NAME: back})}")

    return asking
