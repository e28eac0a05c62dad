"""Session ids and other names of Hermes as one part of an address.

An id can hold anything: slashes, quotes, `#`, a newline, half a surrogate pair. In an address it is the
base64url form of its UTF-8 without padding, so that each id has exactly one address and none is a path.
"""

import base64
import binascii

LIMIT = 2_000  # characters of the encoded form


def encode_id(text: str) -> str:
    """The part of an address for an id. Ids too long for `decode_id` are encoded all the same."""
    return base64.urlsafe_b64encode(text.encode("utf-8", "surrogatepass")).decode("ascii").rstrip("=")


def decode_id(part: str) -> str:
    """The id that `encode_id` made `part` of. Raises ValueError for everything else."""
    if len(part) > LIMIT:
        raise ValueError("too long")
    try:
        padded = part.encode("ascii") + b"=" * (-len(part) % 4)
        text = base64.b64decode(padded, altchars=b"-_", validate=True).decode("utf-8", "surrogatepass")
    except (UnicodeError, binascii.Error) as error:
        raise ValueError("not an id") from error
    if encode_id(text) != part:
        raise ValueError("not the canonical form")
    return text
