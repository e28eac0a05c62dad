from allauth.account.adapter import DefaultAccountAdapter
from django.http import HttpRequest


class Adapter(DefaultAccountAdapter):  # type: ignore[misc]  # the library carries no types
    """allauth without sign-up and without messages: people are made by links, and pages say what happened."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def add_message(self, *args: object, **kwargs: object) -> None:
        """Say nothing: its messages name the person in the session store."""
