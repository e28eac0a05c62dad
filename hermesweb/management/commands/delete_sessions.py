import json
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hermesweb.activity.log import record_command
from hermesweb.activity.models import Action
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import DEFAULT, Profile
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.wiping.place import NotHere
from hermesweb.record import shown
from hermesweb.sentences import state_sentence
from hermesweb.terminal import NOTHING_DONE, NothingDone, answering, chosen_profile
from sessions import deletion_work
from sessions.database import read_state
from sessions.deletion_files import counted
from sessions.deletion_outcome import exit_code
from sessions.deletion_plan import plan_deletion
from sessions.deletion_result import lines_of
from sessions.deletion_run import HermesRuns, TooLittleSpace
from sessions.deletion_schema import DeletionRefused
from sessions.deletion_values import DeletionPlan, Unused
from sessions.deletion_words import LEFT_OUT, problem_of, refused, said, too_little_space

SECONDS: Final = 60  # of one question of the plan


class Command(BaseCommand):
    help = "Delete conversations so that their words are gone too, and look. Exit 0: all gone and verified."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("ids", nargs="*", metavar="ID", help="a session; its whole conversation goes")
        parser.add_argument("--unused-for", metavar="90d", help="all without activity for so many days")
        parser.add_argument(
            "--include-open", action="store_true", help="with --unused-for: never ended ones too"
        )
        parser.add_argument(
            "--include-archived", action="store_true", help="with --unused-for: archived ones too"
        )
        parser.add_argument(
            "--include-pinned", action="store_true", help="with --unused-for: pinned ones too"
        )
        parser.add_argument(
            "--profile", default=DEFAULT, help="default (which it is without this), or a name"
        )
        parser.add_argument(
            "--home", type=Path, help="the folder of a Hermes home (default: as `make run` finds it)"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what would go")
        parser.add_argument("--yes", action="store_true", help="do not ask")
        parser.add_argument("--while-running", action="store_true", help="also when Hermes runs, or may")
        parser.add_argument("--json", action="store_true", help="JSON, as in docs/commands.md")

    def handle(self, *args: Any, **options: Any) -> None:
        code = 0
        with answering():
            try:
                code = self.delete(options)
            except NothingDone as problem:
                self.stderr.write(_("Nothing was done: %(why)s") % {"why": problem})
                code = NOTHING_DONE
        if code:
            sys.exit(code)

    def delete(self, options: dict[str, Any]) -> int:
        wish = self.wish(options)
        profile = chosen_profile(options["home"], options["profile"])
        try:
            plan = self.plan(profile, wish)
            if options["dry_run"] or not plan.conversations:
                self.say_what_would_go(plan, as_json=options["json"])
                return NOTHING_DONE
            self.ask(plan, options)
            outcome = deletion_work.run_here(
                profile,
                plan,
                while_running=options["while_running"],
                ours=settings.WORK_FOLDER,
                tell=lambda *step: None,  # it is over in seconds, or in the hands of a script
            )
        except HermesError as problem:
            raise NothingDone(refusal(problem)) from None
        with suppress(DatabaseError):  # there may be no database of ours
            record_command(Action.SESSIONS_DELETED, about=outcome["result"])
        self.say(outcome, as_json=options["json"])
        return exit_code(outcome)

    def wish(self, options: dict[str, Any]) -> list[str] | Unused:
        if bool(options["ids"]) == bool(options["unused_for"]):
            raise CommandError(_("Name sessions, or say --unused-for."))
        if options["ids"]:
            return list(options["ids"])
        days = options["unused_for"].removesuffix("d")
        if not days.isdecimal() or not 0 < len(days) < 6 or not int(days):
            raise CommandError(_("--unused-for takes a number of days, as 90d."))
        included = (options[f"include_{name}"] for name in ("open", "archived", "pinned"))
        return Unused(int(days), *included)

    def plan(self, profile: Profile, wish: list[str] | Unused) -> DeletionPlan:
        copy = copy_of(settings.WORK_FOLDER, profile)
        made = read_state(profile.folder, lambda db: plan_deletion(db, wish), copy=copy, seconds=SECONDS)
        return counted(made, profile)

    def ask(self, plan: DeletionPlan, options: dict[str, Any]) -> None:
        if options["yes"]:
            return
        if not sys.stdin.isatty():
            raise NothingDone(_("say --yes where nobody can be asked."))
        self.say_what_would_go(plan, as_json=False)
        count = str(len(plan.conversations))
        if input(_("Type the number of conversations to delete them: ")).strip() != count:
            raise NothingDone(_("that is not the number."))

    def say_what_would_go(self, plan: DeletionPlan, *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps({"result": "nothing", "plan": plan.record()}, indent=2))
            return
        counts = plan.counts
        line = ngettext("%(n)d conversation would go:", "%(n)d conversations would go:", counts.conversations)
        self.stdout.write(line % {"n": counts.conversations})
        for each in plan.conversations:
            messages = ngettext("%(n)d message", "%(n)d messages", each.messages) % {"n": each.messages}
            self.stdout.write(f"  {shown(each.id)}: {messages}")
        for left in plan.left_out:
            self.stdout.write(
                _("Left out: %(id)s. %(why)s") % {"id": shown(left.id), "why": said(LEFT_OUT, left.why)}
            )

    def say(self, outcome: dict[str, Any], *, as_json: bool) -> None:
        if as_json:
            self.stdout.write(json.dumps(outcome, indent=2))
            return
        for line in lines_of(outcome):
            self.stdout.write(line)


def refusal(problem: HermesError) -> str:
    """Why nothing was deleted."""
    match problem:
        case HermesRuns():
            return _("Hermes runs, or it cannot be told that it does not. Stop it, or say --while-running.")
        case TooLittleSpace():
            return too_little_space(vars(problem.space))
        case DeletionRefused():
            return refused(problem.why, problem.name)
        case NotHere():
            return problem_of({"problem": problem.why}) or problem.why
    return state_sentence(problem)
