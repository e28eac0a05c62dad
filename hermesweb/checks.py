"""System checks that explain a machine or a setting that will not do. `serve` runs them at start."""

import sqlite3
import stat
from typing import Any

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning, register

from hermesweb import homes
from hermesweb.hermes.errors import BadHomesSetting
from hermesweb.sentences import bad_homes_setting


@register()
def homes_setting(**kwargs: Any) -> list[CheckMessage]:
    try:
        homes.configured()
    except BadHomesSetting as problem:
        return [Error(bad_homes_setting(problem), id="hermesweb.E001")]
    return []


@register()
def full_text_search(**kwargs: Any) -> list[CheckMessage]:
    with sqlite3.connect(":memory:") as connection:
        options = {name for (name,) in connection.execute("PRAGMA compile_options")}
    connection.close()
    if "ENABLE_FTS5" in options:
        return []
    return [
        Warning(
            "The SQLite of this Python has no FTS5, so Hermes' search index cannot be read.",
            hint="Use the Python of your system, or one from a package that has FTS5.",
            id="hermesweb.W001",
        )
    ]


@register()
def private_data_folder(**kwargs: Any) -> list[CheckMessage]:
    """Our folder holds the key that signs cookies: nobody else may look inside."""
    folder = settings.DATA_FOLDER
    try:
        mode = folder.stat().st_mode
    except OSError:
        return []
    if not stat.S_ISDIR(mode):
        return [
            Error(
                f"{folder} is not a folder.", hint="Set HERMESWEB_DATA to another place.", id="hermesweb.E002"
            )
        ]
    if mode & 0o077:
        return [
            Error(
                f"{folder} can be entered by other users of this machine.",
                hint=f"chmod 700 {folder}",
                id="hermesweb.E003",
            )
        ]
    return []
