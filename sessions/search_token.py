"""Private words in an address: sealed under a key of this sign-in, kept nowhere, worth nothing after sign-out.

The key is made of the installation's secret and the key of the sign-in, which signing out removes from our
database; so an address that a browser or a proxy has noted says nothing any more. A token is for one profile.
"""

import base64
import json
from collections.abc import Mapping

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.http import HttpRequest

from hermesweb.hermes.homes import Profile

LONGEST = 2_900  # characters of a token: about 2,000 letters. The server takes 4,094 bytes of an address.


class TooLong(Exception):
    """The words do not fit into an address."""


class NotOurToken(Exception):
    """The token is of another sign-in, of another profile, or none at all."""


def seal(request: HttpRequest, profile: Profile, words: Mapping[str, str]) -> str:
    """A token with these words; "" for none. Raises TooLong."""
    if not words:
        return ""
    token = _fernet(request, profile).encrypt(json.dumps(words, ensure_ascii=False).encode()).decode("ascii")
    if len(token) > LONGEST:
        raise TooLong
    return token


def unseal(request: HttpRequest, profile: Profile, token: str) -> dict[str, str]:
    """The words in a token of this sign-in for this profile; none for "". Raises NotOurToken."""
    if not token:
        return {}
    try:
        words = json.loads(_fernet(request, profile).decrypt(token.encode()))
    except (InvalidToken, ValueError):
        raise NotOurToken from None
    return {str(name): str(value) for name, value in words.items()}


def _fernet(request: HttpRequest, profile: Profile) -> Fernet:
    purpose = "\0".join(("hermesweb search", profile.home.key, profile.name))
    secret = f"{settings.SECRET_KEY}\0{request.session.session_key}"
    key = HKDF(SHA256(), length=32, salt=None, info=purpose.encode()).derive(secret.encode())
    return Fernet(base64.urlsafe_b64encode(key))
