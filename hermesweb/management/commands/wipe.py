import json
import os
import shlex
import signal
from contextlib import suppress
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.db import DatabaseError
from django.utils.translation import gettext as _

from hermesweb.activity.log import record_command
from hermesweb.activity.models import Action
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import Profile
from hermesweb.jobs.work import JobProblem
from hermesweb.privacy import clearing, unfinished, wipe_words
from hermesweb.privacy.clearing import Wish
from hermesweb.privacy.clearing_here import OtherRun, run_here
from hermesweb.privacy.wiping.choice import Choice, NoSuchStore, choose
from hermesweb.privacy.wiping.locking import LOCK_FILES
from hermesweb.privacy.wiping.perform import is_shared
from hermesweb.privacy.wiping.report import exit_code
from hermesweb.privacy.wiping.survey import survey, without
from hermesweb.terminal import (
    NOTHING_DONE,
    ChangingCommand,
    NothingDone,
    chosen_profile,
    refuse_unless_asked,
    refuse_unless_named,
)


class Command(ChangingCommand):
    help = "Clear what Hermes keeps in a profile, and report on every store. Exit 0: all that was chosen is wiped."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--profile", required=True, help="the profile to clear: default, or a name")
        parser.add_argument(
            "--stores",
            default="default",
            help="default, conversations, most, everything, unknown, or ids of docs/stores.md, with commas",
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what would go")
        parser.add_argument("--yes", action="store_true", help="do not ask for the name of the profile")
        parser.add_argument(
            "--anew", action="store_true", help="do not go on with a run that was killed: forget it"
        )
        parser.add_argument("--report", type=Path, help="a new file for the report, as JSON")
        super().add_arguments(parser)

    def change(self, options: dict[str, Any]) -> int:
        profile = chosen_profile(options["home"], options["profile"])
        choice = self.choice(options["stores"], profile)
        wish = Wish(choice, options["while_running"])
        if options["dry_run"]:
            self.say_what_would_go(profile, choice, as_json=options["json"])
            return NOTHING_DONE
        self.ask(profile, options)
        self.say_that_it_goes_on(profile, wish, options)
        file = self.new_file(options["report"])
        try:
            content = self.run(profile, wish, options)
        except (HermesError, JobProblem, KeyboardInterrupt) as problem:
            if file is not None:
                os.close(file)
                options["report"].unlink()
            raise NothingDone(self.refusal(problem, options)) from None
        self.keep(profile, content)
        if file is not None:
            with os.fdopen(file, "w", encoding="utf-8") as report:
                json.dump(content, report, indent=2)
        self.say(content, as_json=options["json"])
        if content["interrupted"]:
            self.stderr.write(
                _("It was stopped. To go on with it: %(command)s") % {"command": again(options)}
            )
        return exit_code(content)

    def run(self, profile: Profile, wish: Wish, options: dict[str, Any]) -> dict[str, Any]:
        for wanted in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(wanted, signal.default_int_handler)  # a report is owed also then
        return run_here(
            profile,
            wish,
            self.on_step,
            data=settings.WORK_FOLDER,
            asked=options["stores"],
            anew=options["anew"],
        )

    def refusal(self, problem: BaseException, options: dict[str, Any]) -> str:
        match problem:
            case KeyboardInterrupt():
                return _("it was stopped before anything was removed.")
            case OtherRun(run=run):
                return _(
                    "an earlier run for other stores did not come to its end: %(done)d of %(total)d stores are done. "
                    "What is gone stays gone. To go on with it: %(command)s. To leave it as it is, say --anew."
                ) % {
                    "done": len(run.record.done),
                    "total": run.total,
                    "command": again({**options, "stores": run.asked}),
                }
        return wipe_words.refusal(problem) if isinstance(problem, Exception) else str(problem)

    def say_that_it_goes_on(self, profile: Profile, wish: Wish, options: dict[str, Any]) -> None:
        earlier = None if options["anew"] else unfinished.read(profile, settings.WORK_FOLDER)
        if earlier and earlier.is_of(wish.plain()):
            self.stderr.write(
                _(
                    "This goes on with a run that did not come to its end: %(done)d of %(total)d stores were done."
                )
                % {"done": len(earlier.record.done), "total": earlier.total}
            )

    def choice(self, names: str, profile: Profile) -> Choice:
        try:
            return choose(
                [name.strip() for name in names.split(",") if name.strip()], shared=is_shared(profile)
            )
        except NoSuchStore as problem:
            raise NothingDone(
                _("%(name)r is no store that can be cleared. docs/stores.md lists them.")
                % {"name": problem.name}
            ) from None

    def ask(self, profile: Profile, options: dict[str, Any]) -> None:
        if options["yes"]:
            return
        refuse_unless_asked()
        refuse_unless_named(profile, _("Type the name of the profile to clear it: "))

    def new_file(self, path: Path | None) -> int | None:
        """Opened before anything is cleared: a report that cannot be written is found out too late otherwise."""
        if path is None:
            return None
        try:
            return os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as problem:
            raise NothingDone(
                _("the report cannot be written: %(why)s.") % {"why": problem.strerror}
            ) from None

    def on_step(self, what: str, done: int, total: int) -> None:
        """The command line has no progress to show: it is over in seconds, or it is in the hands of a script."""

    def keep(self, profile: Profile, content: dict[str, Any]) -> None:
        # Without a database of ours, as in a review from a stick, the report is what is printed.
        with suppress(DatabaseError):
            clearing.keep(profile, content)
            record_command(Action.WIPED, about=content["outcome"])

    def say(self, content: dict[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(wipe_words.plain(content), indent=2))
            return
        for line in wipe_words.lines(content):
            self.stdout.write(line)

    def say_what_would_go(self, profile: Profile, choice: Choice, *, as_json: bool) -> None:
        found = without(survey(profile), LOCK_FILES)
        if as_json:
            self.stdout.write(json.dumps(wipe_words.plan(found, choice), indent=2))
            return
        for line in wipe_words.plan_lines(found, choice):
            self.stdout.write(line)


def again(options: dict[str, Any]) -> str:
    """The command that goes on with a run."""
    words = ["manage.py", "wipe", "--profile", options["profile"], "--stores", options["stores"]]
    if options["home"]:
        words += ["--home", str(options["home"])]
    return shlex.join([*words, *(["--while-running"] if options["while_running"] else [])])
