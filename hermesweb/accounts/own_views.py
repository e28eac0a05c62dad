"""What everybody sets for themselves: language and zone, where they are signed in, the second factor."""

from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from hermesweb.accounts.access import page
from hermesweb.accounts.browsers import browsers_of
from hermesweb.accounts.forms import OwnWords
from hermesweb.accounts.models import Household, Person
from hermesweb.accounts.second_factor import has_second_factor
from hermesweb.activity.log import record
from hermesweb.activity.models import Action


@page
def account(request: HttpRequest) -> HttpResponse:
    person = get_object_or_404(Person, pk=request.user.pk)
    form = OwnWords(request.POST or None, instance=person)
    if request.method == "POST" and form.is_valid():
        form.save()
        record(request, Action.ACCOUNT_CHANGED)
        return redirect("account")
    context = {
        "form": form,
        "browsers": browsers_of(request),
        "factor": has_second_factor(person),
        "idle": settings.IDLE_SECONDS // 60,
        "hours": settings.SIGN_IN_SECONDS // 3600,
        "profiles": list(person.profiles.order_by("home", "profile")),
    }
    return render(request, "account.html", context, status=422 if form.is_bound else 200)


@page
@require_POST
def sign_browsers_out(request: HttpRequest) -> HttpResponse:
    """One browser, all others, or all."""
    wanted = request.POST.get("browser", "")
    here = request.session.session_key
    mine = UserSession.objects.filter(user_id=request.user.pk)
    if wanted == "others":
        mine = mine.exclude(session_key=here)
    elif wanted.isascii() and wanted.isdecimal() and len(wanted) < 19:
        mine = mine.filter(pk=int(wanted))
    elif wanted != "all":
        messages.info(request, _("Nothing was signed out: no browser was chosen."))
        return redirect("account")
    chosen = list(mine)
    record(request, Action.BROWSERS_SIGNED_OUT, about=str(len(chosen)))
    for browser in chosen:
        if browser.session_key != here:
            browser.end()
    if here in [browser.session_key for browser in chosen]:
        UserSession.objects.filter(session_key=here).delete()
        request.session.flush()
        return redirect("account_login")
    messages.success(request, _("Signed out there."))
    return redirect("account")


@page
@require_safe
def second_factor(request: HttpRequest) -> HttpResponseBase:
    """What there is, and how to add to it."""
    mine = list(Authenticator.objects.filter(user_id=request.user.pk).order_by("created_at"))
    kinds = Authenticator.Type
    codes = next((each for each in mine if each.type == kinds.RECOVERY_CODES), None)
    context = {
        "app": next((each for each in mine if each.type == kinds.TOTP), None),
        "passkeys": [each for each in mine if each.type == kinds.WEBAUTHN],
        "codes": codes,
        "codes_left": len(codes.wrap().get_unused_codes()) if codes else 0,
        "missing": Household.now().second_factor_required and not has_second_factor(request.user),
    }
    return render(request, "second_factor.html", context)
