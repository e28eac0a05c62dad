import os
import socket
import ssl
import sys
from io import StringIO
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import DatabaseError, connection
from django.urls import reverse
from django.utils.translation import gettext as _

from hermesweb import __version__, environment, homes, own_database
from hermesweb.accounts.models import SignInLink, somebody_has_a_password
from hermesweb.alone import alone_with
from hermesweb.hermes import homes as kernel
from hermesweb.hermes import rights
from hermesweb.hermes.errors import BadHomesSetting
from hermesweb.listening import Listening, NotSafe, check_safe
from hermesweb.privacy.copies import remove_all_copies
from hermesweb.sentences import bad_homes_setting, place_sentence
from hermesweb.supervisor import FINISH_WITHIN, Part, Supervisor, answers, free_port, listen


class Command(BaseCommand):
    help = "Prepare our own database, then run the web server and the worker until Ctrl-C."
    requires_system_checks = []

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--address", default=os.environ.get("HERMESWEB_ADDRESS", "127.0.0.1"))
        parser.add_argument("--port", type=int, default=os.environ.get("HERMESWEB_PORT", "8642"))

    def handle(self, *args: Any, address: str, port: int, **options: Any) -> None:
        try:
            homes.configured()
            check_safe(Listening(address, port))
            check_certificate(settings.TLS_FILES)
            listening = Listening(address, free_port(address, port))
            sockets = listen(listening.binds)
        except BadHomesSetting as problem:
            raise CommandError(bad_homes_setting(problem)) from None
        except NotSafe as problem:
            raise CommandError(str(problem)) from None
        except OSError as problem:
            raise CommandError(
                _("Cannot listen on %(address)s, port %(port)s: %(why)s.")
                % {"address": address, "port": port, "why": problem.strerror}
            ) from None
        self.prepare()
        with alone_with(settings.DATA_FOLDER) as alone:
            if alone:
                remove_all_copies(settings.WORK_FOLDER)
            else:
                self.say(_("Another hermesweb runs with this data folder: both share accounts and jobs."))
            if listening.port != port:
                self.say(_("Port %(port)s is taken, so the next free one is used.") % {"port": port})
            try:
                Supervisor(parts(sockets), self.say).run(
                    lambda: answers(connectable(address), listening.port, all(settings.TLS_FILES)),
                    lambda: self.introduce(listening, alone),
                )
            finally:
                if alone:
                    remove_all_copies(settings.WORK_FOLDER)
        self.say(_("Stopped."))

    def prepare(self) -> None:
        """Our own database, key and folders."""
        refuse_inside_a_home(settings.DATA_FOLDER)
        os.umask(0o077)
        try:
            environment.make_private(settings.DATA_FOLDER)
            environment.make_secret_key(settings.DATA_FOLDER)
            refuse_newer_database()
            call_command("migrate", verbosity=0, interactive=False, skip_checks=True)
            call_command("createcachetable", verbosity=0)
        except OSError as problem:
            raise CommandError(
                _("The data folder %(folder)s cannot be used: %(why)s. Set HERMESWEB_DATA to another one.")
                % {"folder": settings.DATA_FOLDER, "why": problem.strerror}
            ) from None
        except DatabaseError as problem:
            raise CommandError(
                _("hermesweb's own database, %(name)s, cannot be used: %(why)s.")
                % {"name": settings.DATABASES["default"]["NAME"], "why": " ".join(str(problem).split())}
            ) from None
        call_command("check", fail_level="ERROR", stdout=StringIO())
        connection.close()

    def introduce(self, listening: Listening, alone: bool) -> None:
        self.say(f"hermesweb {__version__}")
        if settings.READ_ONLY:
            self.say(_("Review mode: nothing that writes is offered."))
        self.name_homes()
        first, *others = listening.addresses()
        path = settings.SUB_PATH.lstrip("/") + "/" if settings.SUB_PATH else ""
        if not somebody_has_a_password():
            path = reverse("first_link", args=[SignInLink.make(keep_others=not alone)]).lstrip("/")
            self.say(_("Nobody has a password yet. This link signs in once:"))
        else:
            self.say(_("Open it in a browser:"))
        self.say(f"  {first}{path}")
        for other in others:
            self.say(_("If your browser does not find that:") + f" {other}{path}")
        self.say(_("Ctrl-C stops it."))
        connection.close()

    def name_homes(self) -> None:
        configured = homes.configured()
        found = [home for home in configured if kernel.is_home(home.root)]
        for home in found:
            self.say(_("Home: %(label)s, %(path)r") % {"label": home.label, "path": str(home.root)})
            if real := kernel.leads_to(home):
                self.say(_("  It is a link to %(path)r.") % {"path": str(real)})
            if not rights.can_make_for(home.root.stat().st_uid):
                self.say(
                    _(
                        "  It belongs to another user, who could not use what is written there. So it can be read and "
                        "not changed: see docs/deploy.md."
                    )
                )
        for home in configured if found else []:
            if home not in found:
                words = {"label": home.label, "path": str(home.root)}
                self.say(_("No Hermes home just now: %(label)s, %(path)r") % words)
        if not found:
            self.say(_("No Hermes home found. Looked for:"))
            for place in homes.looked_at():
                self.say(f"  {place_sentence(place)}")
            self.say(_("Point to it with HERMES_HOME=/path/to/home make run, or try make demo."))

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()


def parts(sockets: list[socket.socket]) -> list[Part]:
    binds = [option for listener in sockets for option in ("--bind", f"fd://{listener.fileno()}")]
    encryption = (
        ["--certfile", settings.TLS_FILES[0], "--keyfile", settings.TLS_FILES[1]]
        if all(settings.TLS_FILES)
        else []
    )
    shared = "/dev/shm" if Path("/dev/shm").is_dir() else str(settings.DATA_FOLDER)  # noqa: S108
    options = ["--config", "python:hermesweb.web_server", "--worker-tmp-dir", shared]
    options += ["--workers", str(settings.WEB_PROCESSES), "--graceful-timeout", str(int(FINISH_WITHIN))]
    web = [sys.executable, "-m", "gunicorn", *options, *binds, *encryption, "hermesweb.wsgi"]
    worker = [sys.executable, str(settings.BASE_DIR / "manage.py"), "worker", "--parent", str(os.getpid())]
    names = ["worker", *(f"worker {number}" for number in range(2, settings.WORKERS + 1))]
    return [Part("web server", web, sockets, overlaps=True), *(Part(name, worker) for name in names)]


def connectable(address: str) -> str:
    """Where to knock for a server that listens on *address*: "all of them" is no address to go to."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(address, address)  # noqa: S104


def check_certificate(files: tuple[str, str]) -> None:
    """Looked at before anything starts: the web server would only find out afterwards, over and over."""
    cert, key = files
    if not (cert and key):
        return
    try:
        # No password is asked for: nobody may be there to type it.
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key, password=lambda: "")
    except (OSError, ValueError) as problem:
        why = getattr(problem, "reason", None) or getattr(problem, "strerror", None) or problem
        raise NotSafe(
            _("HERMESWEB_TLS_CERT and HERMESWEB_TLS_KEY cannot be used: %(why)s.") % {"why": why}
        ) from None


def refuse_newer_database() -> None:
    """An older version would show a newer database wrongly, or damage it."""
    if steps := own_database.unknown_steps():
        raise CommandError(
            _(
                "hermesweb's own database was changed by a newer version (%(steps)s). Nothing was touched. Start that "
                "version again, or put back the copy that was made before the upgrade: see docs/deploy.md."
            )
            % {"steps": ", ".join(steps[:3])}
        )


def refuse_inside_a_home(folder: Path) -> None:
    """Our own files inside a Hermes home would be backed up, cloned and read by the agent."""
    for home in homes.configured():
        if kernel.is_home(home.root) and Path(os.path.realpath(folder)).is_relative_to(
            os.path.realpath(home.root)
        ):
            raise CommandError(
                _(
                    "The data folder %(folder)s is inside the Hermes home %(home)s. Set HERMESWEB_DATA to another one."
                )
                % {"folder": folder, "home": home.root}
            )
