"""Words that a job needs while it runs, encrypted so that nobody finds them in our database or its WAL."""

import base64
import json
from collections.abc import Mapping
from typing import Any

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings


def seal(words: Mapping[str, Any]) -> str:
    """Text that says nothing without the secret of this installation."""
    return _fernet().encrypt(json.dumps(words).encode()).decode("ascii")


def unseal(sealed: str) -> dict[str, Any]:
    """What was sealed; empty for "" and for what another secret sealed."""
    try:
        words: dict[str, Any] = json.loads(_fernet().decrypt(sealed.encode())) if sealed else {}
    except (InvalidToken, ValueError):
        return {}
    return words


def _fernet() -> Fernet:
    key = HKDF(SHA256(), length=32, salt=None, info=b"hermesweb jobs").derive(settings.SECRET_KEY.encode())
    return Fernet(base64.urlsafe_b64encode(key))
