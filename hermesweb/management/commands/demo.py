import csv
import io
import os
import sys
import time
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.translation import gettext as _

from hermesweb import environment
from hermesweb.demo.home import MARK, NotADemo, build_home, is_demo
from hermesweb.hermes.errors import BadHomesSetting
from hermesweb.management.commands import serve
from hermesweb.sentences import bad_homes_setting

# What would lead the demo to a person's own homes, accounts or database.
NOT_PASSED_ON = ("DATABASE_URL", "HERMES_HOME")


class Command(serve.Command):
    help = "The same as serve, on a made-up home, with a database and accounts of its own."

    def add_arguments(self, parser: Any) -> None:
        super().add_arguments(parser)
        parser.add_argument("--keep", action="store_true", help="keep the made-up home of the last time")

    def handle(self, *args: Any, address: str, port: int, **options: Any) -> None:
        folder = settings.DATA_FOLDER / "demo"
        home = folder / "home"
        self.build(folder, home, keep=options["keep"])
        self.say(_("Everything you will see is made up. The demo lies in %(folder)s.") % {"folder": folder})
        manage = str(settings.BASE_DIR / "manage.py")
        command = [sys.executable, manage, "serve", "--address", address, "--port", str(port)]
        # A new process, because settings are read once: these have a data folder of their own.
        os.execve(sys.executable, command, demo_environment(folder, home))  # noqa: S606

    def build(self, folder: Path, home: Path, *, keep: bool) -> None:
        try:
            serve.refuse_inside_a_home(folder)
            environment.make_private(settings.DATA_FOLDER)
            environment.make_private(folder)
            if not (keep and is_demo(home)):
                build_home(home, now=time.time())
        except BadHomesSetting as problem:
            raise CommandError(bad_homes_setting(problem)) from None
        except NotADemo as problem:
            raise CommandError(
                _(
                    "%(path)s is not a demo: it has no %(mark)s. Move it away, or set HERMESWEB_DATA to another folder."
                )
                % {"path": problem.path, "mark": MARK}
            ) from None
        except OSError as problem:
            raise CommandError(
                _("The demo cannot be built in %(folder)s: %(why)s. Set HERMESWEB_DATA to another one.")
                % {"folder": folder, "why": problem.strerror}
            ) from None


def demo_environment(folder: Path, home: Path) -> dict[str, str]:
    """This environment, with the made-up home in the place of every other."""
    passed_on = {name: value for name, value in os.environ.items() if name not in NOT_PASSED_ON}
    own = {"HERMESWEB_DATA": str(folder / "data"), "HERMESWEB_HOMES": quoted(f"Demo={home}")}
    return {**passed_on, **own, "HERMESWEB_DEMO": "1"}


def quoted(part: str) -> str:
    """One part of HERMESWEB_HOMES, whatever characters its path has."""
    line = io.StringIO()
    csv.writer(line, lineterminator="").writerow([part])
    return line.getvalue()
