import json
import os
import sys
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from hermesweb import homes
from hermesweb.hermes.errors import BadHomesSetting, NoSuchHome
from hermesweb.hermes.homes import Home, home_at, is_home
from hermesweb.privacy.audit import audit_home, is_closed, printable, profiles_of
from hermesweb.sentences import bad_homes_setting
from memory.limits import usage_text

NOT_ALL_READ = 2


class Command(BaseCommand):
    help = "Say what Hermes keeps, per home and profile. Reads only; no content unless asked. Exit 2: not all was read."
    requires_system_checks = []
    requires_migrations_checks = False

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--home", type=Path, help="the folder of a Hermes home (default: as `make run` finds it)"
        )
        parser.add_argument("--profile", help="one profile of it (default: all)")
        parser.add_argument("--json", action="store_true", help="JSON, as in docs/commands.md")
        parser.add_argument("--with-content", action="store_true", help="with the text of the entries")

    def handle(self, *args: Any, **options: Any) -> None:
        if hasattr(sys.stdout, "reconfigure"):  # a terminal that lacks a letter gets its number
            sys.stdout.reconfigure(errors="backslashreplace")
        try:
            problems = self.audit(options)
            self.stdout.flush()
        except OSError as problem:
            # Nothing may be left for Python to write at its end.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if isinstance(problem, BrokenPipeError):
                return  # who reads the answer has enough of it
            raise CommandError(
                _("The answer could not be written: %(why)s.") % {"why": problem.strerror}
            ) from None
        for each in problems:
            self.stderr.write(_("Not read: %(problem)s") % {"problem": each})
        if problems:
            sys.exit(NOT_ALL_READ)

    def audit(self, options: dict[str, Any]) -> list[str]:
        """Prints what was found, and gives back what could not be read."""
        found, problems = self.homes(options["home"])
        audits = []
        for home in found:
            profiles = profiles_of(home, options["profile"])
            audit, more = audit_home(home, profiles, with_content=options["with_content"])
            if profiles:
                audits.append(audit)
            problems += more
        if not audits and options["profile"] is not None and found:
            problems.append(_("no profile called %(name)r") % {"name": options["profile"]})
        if options["json"]:
            self.stdout.write(json.dumps({"homes": audits}, indent=2, allow_nan=False))
        else:
            for audit in audits:
                self.show(audit)
        return problems

    def homes(self, path: Path | None) -> tuple[list[Home], list[str]]:
        try:
            if path is not None:
                return [home_at(path)], []
            listed = homes.configured()
        except NoSuchHome as problem:
            return [], [_("no folder at %(path)r") % {"path": printable(problem.path)}]
        except BadHomesSetting as problem:
            return [], [bad_homes_setting(problem)]
        found = [home for home in listed if is_home(home.root) or is_closed(home)]
        if not found:
            return [], [_("no Hermes home found; name one with --home")]
        return found, [
            _("%(label)s: no Hermes home at %(path)r")
            % {"label": printable(home.label), "path": printable(home.root)}
            for home in listed
            if home not in found
        ]

    def show(self, audit: dict[str, Any]) -> None:
        self.stdout.write(f"{audit['label']}: {audit['path']!r}")
        for profile in audit["profiles"]:
            self.show_profile(profile)

    def show_profile(self, profile: dict[str, Any]) -> None:
        certain = "" if profile["release_certain"] else _(" (a guess)")
        running = {"yes": _("running"), "no": _("not running"), "unknown": _("cannot tell whether it runs")}
        self.stdout.write(
            f"  {profile['name']}: Hermes {profile['release']}{certain}, {running[profile['hermes_running']]}"
        )
        for name, store in (
            ("MEMORY.md", profile["memory"]["memory"]),
            ("USER.md", profile["memory"]["user"]),
        ):
            self.stdout.write(f"    {name}: {self.store_line(store)}")
            for number, entry in enumerate(store["entries"], 1):
                if "text" in entry:
                    self.stdout.write(f"      {number}. {entry['text']!r}")
        pending, sessions = profile["pending"], profile["sessions"]
        if pending["memory"] is None:
            self.stdout.write("    " + _("pending: the queue could not be looked into"))
        else:
            self.stdout.write("    " + _("pending: %(memory)s memory, %(skills)s skills") % pending)
        if sessions["sessions"] is not None:
            self.stdout.write(
                "    "
                + _("state.db: %(sessions)s sessions, %(messages)s messages, %(live_messages)s of them live")
                % sessions
            )

    def usage(self, used: int, limit: int | float | None) -> str:
        if limit is None:
            return _("%(used)s chars, and a limit without end") % {"used": f"{used:,}"}
        return usage_text(used, limit)

    def store_line(self, store: dict[str, Any]) -> str:
        if not store["readable"]:
            return _("not readable")
        if store["limit_effect"] == "nothing_loads":
            return _("nothing loads: config.yaml holds a limit that is no number")
        entries = store["entries"]
        number = ngettext("%(count)s entry", "%(count)s entries", len(entries)) % {"count": len(entries)}
        parts = [self.usage(store["used"], store["limit"]), number]
        counts = {
            _("%(count)s blocked"): sum(bool(entry["blocked"]) for entry in entries),
            _("%(count)s not scanned"): sum(not entry["scanned"] for entry in entries),
            _("%(count)s duplicate"): sum(entry["duplicate_of"] is not None for entry in entries),
        }
        parts += [words % {"count": count} for words, count in counts.items() if count]
        if store["over_limit"]:
            parts.append(_("over the limit"))
        return ", ".join(parts)
