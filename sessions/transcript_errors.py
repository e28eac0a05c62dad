"""What can go wrong with opening a conversation, as values."""

from dataclasses import dataclass

from hermesweb.hermes.errors import HermesError


@dataclass(eq=False)
class NoSuchSession(HermesError):
    """No row and no message with this session id."""

    session: str


@dataclass(eq=False)
class NoSuchMessage(HermesError):
    """No message with this id in these sessions."""

    message: int
