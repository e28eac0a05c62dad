import json
import sys
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser
from django.utils.translation import gettext as _

from hermesweb.environment import login_folder
from hermesweb.hermes.errors import NoSuchProfile
from hermesweb.hermes.homes import DEFAULT, Home, Profile, find_profile, list_profiles
from hermesweb.hermes.scan.needles import LONGEST, BadPhrase
from hermesweb.privacy.trace import Trace, trace
from hermesweb.privacy.trace_places import Reach
from hermesweb.privacy.trace_words import HOW, bad_phrase, not_checked_words, store_name
from hermesweb.privacy.work_folders import work_folders
from hermesweb.record import shown
from hermesweb.terminal import NOTHING_DONE, NothingDone, answering, chosen_homes


class Command(BaseCommand):
    help = (
        "Look for a phrase in every store. Exit 0: found; 1: looked everywhere, nothing; 2: nothing found, but not "
        "everything could be looked into. Give - to send the phrase by standard input: others on the machine can see "
        "the arguments of a command."
    )
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("phrase", help="a word or a phrase; better -, to read it from standard input")
        parser.add_argument(
            "--home", type=Path, help="the folder of a Hermes home (default: as `make run` finds it)"
        )
        parser.add_argument("--profile", help="one profile of it (default: all, and what they share)")
        parser.add_argument("--json", action="store_true", help="JSON, as in docs/commands.md")

    def handle(self, *args: Any, **options: Any) -> None:
        code = NOTHING_DONE
        with answering():
            try:
                found = self.trace(options)
            except NothingDone as problem:
                self.stderr.write(_("Nothing was looked for: %(why)s") % {"why": problem})
            else:
                self.say(found, as_json=options["json"])
                code = found.exit_code
        if code:
            sys.exit(code)

    def trace(self, options: dict[str, Any]) -> Trace:
        phrase = self.phrase(options["phrase"])
        profiles = self.profiles(options["home"], options["profile"])
        # What hermesweb keeps is looked into where it lies; nothing is made for that.
        data = settings.DATA_FOLDER if settings.DATA_FOLDER.is_dir() else None
        work = {each.name: work_folders(each) for each in profiles}
        reach = Reach(login_folder(), Path(tempfile.gettempdir()), data, work=work)
        try:
            return trace(profiles, phrase, reach=reach)
        except BadPhrase as problem:
            raise NothingDone(bad_phrase(problem)) from None

    def phrase(self, given: str) -> str:
        if given != "-":
            return given
        some = sys.stdin.buffer.read(4 * LONGEST + 16)  # anything longer is refused anyway
        with suppress(UnicodeDecodeError):
            return some.decode().strip()
        if len(some) > 4 * LONGEST:
            raise NothingDone(bad_phrase(BadPhrase("too_long")))
        raise NothingDone(_("what came by standard input is not UTF-8."))

    def profiles(self, path: Path | None, name: str | None) -> list[Profile]:
        home = self.home(path)
        if name is None:
            return list_profiles(home)
        try:
            return [find_profile(home, name)]
        except NoSuchProfile:
            raise NothingDone(_("there is no profile called %(name)r.") % {"name": name}) from None

    def home(self, path: Path | None) -> Home:
        candidates = chosen_homes(path)
        if len(candidates) != 1:
            raise NothingDone(_("there are several homes. Name one with --home."))
        if not find_profile(candidates[0], DEFAULT).folder.is_dir():
            raise NothingDone(_("there is no folder %(path)r.") % {"path": str(candidates[0].root)})
        return candidates[0]

    def say(self, found: Trace, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(plain(found), indent=2))
            return
        for each in found.found:
            where = f", {each.where}" if each.where else ""
            how = f"{store_name(each.store)}{where}, {HOW.get(each.how, each.how)}"
            self.stdout.write(f"{shown(each.file)}: {how} ({each.count})")
        for name in sorted({each.profile for each in found.found if each.can_be_scrubbed}):
            self.stdout.write(
                _("what is left over in state.db is removed by: manage.py scrub --profile %(name)s")
                % {"name": name}
            )
        for missed in found.not_checked:
            self.stdout.write(
                _("not looked into: %(file)s: %(why)s")
                % {"file": shown(missed.file), "why": not_checked_words(missed.why).why}
            )
        for link in found.links:
            self.stdout.write(_("a link that leads away was not followed: %(file)s") % {"file": shown(link)})
        if not found.found:
            self.stdout.write(
                _("Found nowhere.") if found.complete else _("Found nowhere that was looked at.")
            )


def plain(found: Trace) -> dict[str, Any]:
    """The answer for other programs, as docs/commands.md describes it."""
    names = ("profile", "store", "file", "where", "how", "count")
    return {
        "found": bool(found.found),
        "complete": found.complete,
        "hits": [{name: getattr(each, name) for name in names} for each in found.found],
        "not_checked": [{"file": each.file, "why": each.why} for each in found.not_checked],
    }
