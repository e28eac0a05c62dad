import json
from contextlib import suppress
from typing import Any, Final

from django.conf import settings
from django.core.management.base import CommandError, CommandParser
from django.db import DatabaseError
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hermesweb.activity.log import record_command
from hermesweb.activity.models import Action
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import DEFAULT, Profile
from hermesweb.privacy.copies import copy_of
from hermesweb.record import shown
from hermesweb.terminal import (
    NOTHING_DONE,
    ChangingCommand,
    NothingDone,
    chosen_profile,
    refuse_unless_asked,
)
from sessions import deletion_work
from sessions.database import read_state
from sessions.deletion_files import counted
from sessions.deletion_outcome import exit_code
from sessions.deletion_plan import plan_deletion
from sessions.deletion_refusal import refusal
from sessions.deletion_result import lines_of
from sessions.deletion_values import DeletionPlan, Unused
from sessions.deletion_words import LEFT_OUT, said

SECONDS: Final = 60  # of one question of the plan


class Command(ChangingCommand):
    help = "Delete conversations so that their words are gone too, and look. Exit 0: all gone and verified."

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
        parser.add_argument("--dry-run", action="store_true", help="only say what would go")
        parser.add_argument("--yes", action="store_true", help="do not ask")
        super().add_arguments(parser)

    def change(self, options: dict[str, Any]) -> int:
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
        refuse_unless_asked()
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
