"""The services that there are keys for. Only the names in .env are looked at, never a value."""

import re
from collections.abc import Iterator

from hermesweb.hermes.errors import Unreadable
from hermesweb.hermes.files import read_file
from hermesweb.hermes.homes import Profile
from hermesweb.hermes.remote_noted import NotRead
from hermesweb.hermes.remote_place import RemotePlace, place

_LIMIT = 1_000_000  # bytes
_SET = re.compile(rb"^\s*(?:export\s+)?([A-Z][A-Z0-9_]*)[ \t]*=[ \t]*[^\s#]", re.MULTILINE)
_SERVICES: tuple[tuple[str, str, str], ...] = (
    # how the name of the key begins, store, service
    ("TELEGRAM_BOT_TOKEN", "messaging", "telegram"),
    ("DISCORD_BOT_TOKEN", "messaging", "discord"),
    ("SLACK_BOT_TOKEN", "messaging", "slack"),
    ("MATTERMOST_TOKEN", "messaging", "mattermost"),
    ("MATRIX_", "messaging", "matrix"),
    ("SIGNAL_", "messaging", "signal"),
    ("WHATSAPP_ENABLED", "messaging", "whatsapp"),
    ("EXA_", "search-browse", "exa"),
    ("FIRECRAWL_", "search-browse", "firecrawl"),
    ("TAVILY_", "search-browse", "tavily"),
    ("PARALLEL_", "search-browse", "parallel"),
    ("BRAVE_", "search-browse", "brave"),
    ("BROWSERBASE_", "search-browse", "browserbase"),
    ("BROWSER_USE_", "search-browse", "browser use"),
    ("ELEVENLABS_", "speech-image", "elevenlabs"),
    ("FAL_", "speech-image", "fal"),
    ("HF_TOKEN", "hf-traces", "hugging face"),
    ("HERMES_LANGFUSE_", "langfuse", "langfuse"),
    ("LANGFUSE_", "langfuse", "langfuse"),
    ("MODAL_", "sandbox-cloud", "modal"),
    ("DAYTONA_", "sandbox-cloud", "daytona"),
    ("HERMES_SPOTIFY_", "spotify", "spotify"),
    ("SPOTIFY_", "spotify", "spotify"),
)


def places_with_keys(profile: Profile, not_read: list[NotRead]) -> Iterator[RemotePlace]:
    """A place for each service that .env has something set for. A file that cannot be read is added to
    `not_read`."""
    try:
        content = read_file(profile.folder / ".env", root=profile.home.root, limit=_LIMIT)
    except Unreadable as problem:
        if problem.why != "missing":
            not_read.append(NotRead(".env", problem.why))
        return
    names = {found.decode() for found in _SET.findall(content)}
    for start, store, service in _SERVICES:
        if any(name.startswith(start) for name in names):
            yield place(store, "key", service)
