"""What the frame of every page needs: the profile in words, what waits, whether Hermes runs."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from hermesweb.hermes.running import is_running
from hermesweb.sentences import Words, running_words
from memory.pending import count_pending


def shell(request: HttpRequest) -> Mapping[str, Any]:
    profile = getattr(request, "profile", None)
    if profile is None:
        return {}
    return {
        "profile": profile,
        "pending": SimpleLazyObject(lambda: count_pending(profile)),
        "running": SimpleLazyObject(lambda: running_of(profile)),
    }


def running_of(profile: Any) -> Words:
    return running_words(is_running(profile))
