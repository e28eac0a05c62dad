"""allauth's pages of the second factor, in our look, each after “Confirm it is you”.

Its own decorator for that would keep the whole POST in the session store, so ours stands before it.
"""

from typing import Any

from allauth.mfa.base.views import AuthenticateView
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.views import GenerateRecoveryCodesView, ViewRecoveryCodesView
from allauth.mfa.totp.views import ActivateTOTPView, DeactivateTOTPView
from allauth.mfa.webauthn.views import AddWebAuthnView, RemoveWebAuthnView
from django.urls import reverse_lazy

from hermesweb.accounts.access import open_page, page
from hermesweb.accounts.confirm import confirmed

INDEX = reverse_lazy("mfa_index")

add_app = page(confirmed(ActivateTOTPView.as_view(template_name="add_app.html")))
remove_app = page(
    confirmed(DeactivateTOTPView.as_view(template_name="remove_factor.html", success_url=INDEX))
)
show_codes = page(confirmed(ViewRecoveryCodesView.as_view(template_name="recovery_codes.html")))
make_codes = page(confirmed(GenerateRecoveryCodesView.as_view(template_name="make_codes.html")))
add_passkey = page(confirmed(AddWebAuthnView.as_view(template_name="add_passkey.html")))
remove_passkey = page(
    confirmed(RemoveWebAuthnView.as_view(template_name="remove_factor.html", success_url=INDEX))
)


class AskForCode(AuthenticateView):  # type: ignore[misc]  # the library carries no types
    """The password was right: now the code of the app, a recovery code or the passkey."""

    template_name = "sign_in_code.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        context: dict[str, Any] = super().get_context_data(**kwargs)
        passkeys = Authenticator.objects.filter(user=self.stage.login.user, type=Authenticator.Type.WEBAUTHN)
        return context | {"has_passkey": passkeys.exists()}


ask_for_code = open_page(AskForCode.as_view())
