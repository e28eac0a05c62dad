"""What the commands that change a home have in common: whom they are about, and what they print."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _

from hermesweb import homes
from hermesweb.hermes.errors import BadHomesSetting, NoSuchHome, NoSuchProfile
from hermesweb.hermes.homes import DEFAULT, Home, Profile, find_profile, home_at
from hermesweb.sentences import bad_homes_setting

NOTHING_DONE: Final = 2


class NothingDone(Exception):
    """The reason, in words."""


def chosen_profile(path: Path | None, name: str) -> Profile:
    """The profile called `name` of the home at `path`, without that of the homes as `make run` finds them. Raises
    NothingDone."""
    found = [profile for home in chosen_homes(path) if (profile := _found(home, name))]
    if len(found) != 1:
        why = _("there is no profile called %(name)r.")
        if found:
            why = _("several homes have a profile %(name)r. Name one with --home.")
        raise NothingDone(why % {"name": name})
    return found[0]


def chosen_homes(path: Path | None) -> list[Home]:
    """The home at `path`, without that the homes as `make run` finds them. Raises NothingDone."""
    try:
        return [home_at(path)] if path else homes.configured()
    except NoSuchHome as problem:
        raise NothingDone(_("there is no folder %(path)r.") % {"path": str(problem.path)}) from None
    except BadHomesSetting as problem:
        raise NothingDone(bad_homes_setting(problem)) from None


def _found(home: Home, name: str) -> Profile | None:
    with suppress(NoSuchProfile):
        profile = find_profile(home, name)
        return profile if name != DEFAULT or profile.folder.is_dir() else None
    return None


class ChangingCommand(BaseCommand):
    """A command that changes a home. Exit 2 with the reason where nothing was done."""

    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--home", type=Path, help="the folder of a Hermes home (default: as `make run` finds it)"
        )
        parser.add_argument("--while-running", action="store_true", help="also when Hermes runs, or may")
        parser.add_argument("--json", action="store_true", help="JSON, as in docs/commands.md")

    def handle(self, *args: Any, **options: Any) -> None:
        code = 0
        with answering():
            try:
                code = self.change(options)
            except NothingDone as problem:
                self.stderr.write(_("Nothing was done: %(why)s") % {"why": problem})
                code = NOTHING_DONE
        if code:
            sys.exit(code)

    def change(self, options: dict[str, Any]) -> int:
        """The exit code. Raises NothingDone."""
        raise NotImplementedError


def refuse_unless_asked() -> None:
    """Before a question. Raises NothingDone."""
    if not sys.stdin.isatty():
        raise NothingDone(_("say --yes where nobody can be asked."))


def refuse_unless_named(profile: Profile, question: str) -> None:
    """Asks for the name of the profile. Raises NothingDone."""
    if input(question).strip() != profile.name:
        raise NothingDone(_("that is not the name. It is: %(name)s") % {"name": profile.name})


@contextmanager
def answering() -> Iterator[None]:
    """Around everything that prints. Who reads the answer may have enough of it, which is no problem; anything
    else that keeps it from being written is a CommandError. A letter a terminal lacks becomes its number."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        yield
        sys.stdout.flush()
    except OSError as problem:
        # Nothing may be left for Python to write at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        if not isinstance(problem, BrokenPipeError):
            raise CommandError(
                _("The answer could not be written: %(why)s.") % {"why": problem.strerror}
            ) from None
