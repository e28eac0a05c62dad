"""One-time codes, recovery codes and passkeys: the library's, sealed with our key, and who has to have one."""

import base64
import hashlib
import secrets
from typing import Any, Final

from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.utils.safestring import SafeString, mark_safe

from hermesweb.accounts.models import Household

FACTORS: Final = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)
# What somebody sees who still has to set one up.
WITHOUT_SECOND_FACTOR: Final = {
    "mfa_index", "mfa_activate_totp", "mfa_add_webauthn", "mfa_view_recovery_codes",
    "account_reauthenticate", "account_logout", "choose_password",
}  # fmt: skip


class Adapter(DefaultMFAAdapter):  # type: ignore[misc]  # the library carries no types
    """Secrets are kept sealed: a copy of the database alone, without the key beside it, makes no codes."""

    def encrypt(self, text: str) -> str:
        return _fernet().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        try:
            return _fernet().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            # Sealed with a key that is gone: no code fits then, instead of one that can be computed, or of a fault.
            return base64.b32encode(secrets.token_bytes(20)).decode()

    def build_totp_svg(self, url: str) -> SafeString:
        """The picture to scan, to stand in the page itself: an address with data in it is blocked."""
        svg: str = super().build_totp_svg(url)
        return mark_safe(svg[svg.index("<svg") :])  # noqa: S308  drawn by the library from numbers


def _fernet() -> Fernet:
    key = hashlib.sha256(b"hermesweb second factor " + settings.SECRET_KEY.encode()).digest()
    return Fernet(base64.urlsafe_b64encode(key))


def has_second_factor(person: Any) -> bool:
    return bool(Authenticator.objects.filter(user_id=person.pk, type__in=FACTORS).exists())


def second_factor_missing(person: Any) -> bool:
    """Whether an owner asks everybody for a second factor, and this person has none yet."""
    return Household.now().second_factor_required and not has_second_factor(person)
