import json
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser
from django.db import DatabaseError
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from hermesweb.activity.log import record_command
from hermesweb.activity.models import Action
from hermesweb.hermes.errors import HermesError
from hermesweb.hermes.homes import DEFAULT, Profile
from hermesweb.terminal import (
    NOTHING_DONE,
    ChangingCommand,
    NothingDone,
    chosen_profile,
    refuse_unless_asked,
    refuse_unless_named,
)
from sessions import left_over_work
from sessions.deletion_outcome import exit_code
from sessions.deletion_refusal import refusal
from sessions.left_over_places import places
from sessions.left_over_result import lines_of
from sessions.residue import look
from sessions.scrubbing_report import as_json as plain
from sessions.space import space_needed


class Command(ChangingCommand):
    help = (
        "Remove the words that deleted messages left in state.db, whoever deleted them, and look. No message changes. "
        "Exit 0: nothing is left over."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--profile", default=DEFAULT, help="default (which it is without this), or a name"
        )
        parser.add_argument("--dry-run", action="store_true", help="only say what is left over")
        parser.add_argument("--yes", action="store_true", help="do not ask")
        super().add_arguments(parser)

    def change(self, options: dict[str, Any]) -> int:
        profile = chosen_profile(options["home"], options["profile"])
        try:
            if options["dry_run"]:
                self.say_what_is_left_over(profile, as_json=options["json"])
                return NOTHING_DONE
            self.ask(profile, options)
            outcome = left_over_work.run_here(
                profile, while_running=options["while_running"], ours=settings.WORK_FOLDER
            )
        except HermesError as problem:
            raise NothingDone(refusal(problem)) from None
        with suppress(DatabaseError):  # there may be no database of ours
            record_command(Action.LEFT_OVER_REMOVED, about=outcome["result"])
        if options["json"]:
            self.stdout.write(json.dumps(outcome, indent=2))
        else:
            for line in lines_of(outcome):
                self.stdout.write(line)
        return exit_code(outcome)

    def ask(self, profile: Profile, options: dict[str, Any]) -> None:
        if options["yes"]:
            return
        refuse_unless_asked()
        self.say_what_is_left_over(profile, as_json=False)
        refuse_unless_named(profile, _("Type the name of the profile to remove it: "))

    def say_what_is_left_over(self, profile: Profile, *, as_json: bool) -> None:
        before = look(profile.folder)
        if as_json:
            self.stdout.write(json.dumps({"result": "nothing", "before": plain(before)}, indent=2))
            return
        for each in places(plain(before)):
            self.stdout.write(f"{each.name}: {each.before}")
        # SQLite's copy goes into our own folder; for a look none is made.
        space = space_needed(profile.folder, profile.folder)
        self.stdout.write(
            _("Room that it needs for a moment: %(size)s")
            % {"size": filesizeformat(space.needed_here + space.needed_temporary)}
        )
