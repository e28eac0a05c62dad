"""Strict readers of the environment: what a person sets is understood or refused with a sentence."""

import os
import re
import secrets
import sys
from collections.abc import Mapping
from ipaddress import IPv4Network, IPv6Network, ip_network
from pathlib import Path
from typing import Any

import dj_database_url
from django.core.exceptions import ImproperlyConfigured

Network = IPv4Network | IPv6Network
SUB_PATH = re.compile(r"(/[A-Za-z0-9_~-][A-Za-z0-9._~-]*)+")
THIS_MACHINE = "127.0.0.0/8,::1"
YES = {"1", "true", "yes", "on"}
NO = {"", "0", "false", "no", "off"}


def flag(environ: Mapping[str, str], name: str) -> bool:
    """Whether *name* is switched on. Raises ImproperlyConfigured for anything but a yes or a no."""
    value = environ.get(name, "").strip().lower()
    if value in YES:
        return True
    if value in NO:
        return False
    raise ImproperlyConfigured(f"{name} is {value!r}. Set it to 1 or 0.")


def words(environ: Mapping[str, str], name: str) -> list[str]:
    """The comma-separated values of *name*, without blanks."""
    return [word.strip() for word in environ.get(name, "").split(",") if word.strip()]


def sub_path(environ: Mapping[str, str], name: str) -> str:
    """A path below which everything lies, without a slash at its end; "" for the root of a host."""
    value = environ.get(name, "").strip().rstrip("/")
    if value and not SUB_PATH.fullmatch(value):
        raise ImproperlyConfigured(f"{name} is {value!r}. Set it to a path like /memory.")
    return value


def networks(environ: Mapping[str, str], name: str) -> list[Network]:
    """Whose word is taken: nobody's, that of this machine (a yes), or of named addresses and networks."""
    value = environ.get(name, "").strip().lower()
    if value in NO:
        return []
    try:
        return [ip_network(word) for word in words({name: THIS_MACHINE if value in YES else value}, name)]
    except ValueError:
        raise ImproperlyConfigured(
            f"{name} is {value!r}. Set it to 1 for a proxy on this machine, or to addresses like 10.0.0.2,10.1.0.0/16."
        ) from None


def whole_number(environ: Mapping[str, str], name: str, default: int, most: int) -> int:
    """A whole number from 1 to *most*."""
    value = environ.get(name, "").strip() or str(default)
    if value.isascii() and value.isdigit() and len(value) < 10 and 1 <= int(value) <= most:
        return int(value)
    raise ImproperlyConfigured(f"{name} is {value!r}. Set it to a whole number from 1 to {most}.")


def database(url: str, **options: Any) -> Any:
    """Settings of the database at *url*. It can hold a password, so the refusal does not quote it."""
    try:
        settings = dj_database_url.parse(url, **options)
        if settings["ENGINE"] != "django.db.backends.postgresql":
            raise ValueError
        return settings
    except ValueError:
        raise ImproperlyConfigured(
            "DATABASE_URL is not understood. It looks like postgres://name:password@host/database."
        ) from None


def data_folder(environ: Mapping[str, str]) -> Path:
    """Where hermesweb keeps its own small database, key and work copies: never inside a Hermes home."""
    if chosen := environ.get("HERMESWEB_DATA"):
        try:
            return Path(chosen).expanduser().absolute()
        except RuntimeError:
            raise ImproperlyConfigured(
                f"HERMESWEB_DATA is {chosen!r}, and there is no such user. Set it to a path that starts with /."
            ) from None
    if sys.platform == "darwin":
        return login_folder() / "Library" / "Application Support" / "hermesweb"
    base = environ.get("XDG_DATA_HOME") or ""
    return (Path(base) if base.startswith("/") else login_folder() / ".local" / "share") / "hermesweb"


def login_folder() -> Path:
    """The home folder of whoever runs this. A user number without a name, as in some containers, has none."""
    try:
        return Path.home()
    except RuntimeError:
        raise ImproperlyConfigured("This user has no home folder. Set HOME to a folder of its own.") from None


def make_private(folder: Path) -> None:
    """Make *folder* with its parents; the folder itself is for its owner alone."""
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if folder.stat().st_mode & 0o077:
        folder.chmod(0o700)


def secret_key(folder: Path) -> str:
    """The key kept in the data folder; a throw-away one where none was made yet.

    Only `make_secret_key` writes it, so that `manage.py audit` and the like leave nothing behind.
    """
    try:
        return (folder / "secret-key").read_text("ascii").strip() or secrets.token_urlsafe(50)
    except (FileNotFoundError, NotADirectoryError):
        return secrets.token_urlsafe(50)
    except (OSError, UnicodeDecodeError) as error:
        # A key nobody else may read is none of this user's business either: commands still work without it.
        if isinstance(error, PermissionError):
            return secrets.token_urlsafe(50)
        raise ImproperlyConfigured(
            f"{folder / 'secret-key'} cannot be read. Move it away: a new one is made."
        ) from None


def make_secret_key(folder: Path) -> None:
    """Write a key once, 0600. A second start, also a simultaneous one, keeps the first one's."""
    make_private(folder)
    path = folder / "secret-key"
    if path.exists():
        if path.stat().st_size:
            return
        path.unlink()  # left empty by a power cut or a full disk
    draft = folder / f".secret-key.{os.getpid()}"
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW, 0o600)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(secrets.token_urlsafe(50))
    try:
        os.link(draft, path)  # fails where another start was quicker
    except FileExistsError:
        pass
    finally:
        draft.unlink()
