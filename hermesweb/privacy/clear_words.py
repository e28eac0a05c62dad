"""What the wizard says: its steps, how Hermes is known to run, and how it is stopped."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.remote_place import RemotePlace
from hermesweb.hermes.running import Running
from hermesweb.hermes.stopping import Stop
from hermesweb.privacy.clear_draft import Draft
from hermesweb.sentences import evidence_sentence

Words = str | Promise

# The names of the pages in their order.
STEPS: Final[dict[str, Words]] = {
    "clear_start": _("Profile"),
    "clear": _("What is there"),
    "clear_choose": _("Choose"),
    "clear_remote": _("Out of reach"),
    "clear_hermes": _("Hermes"),
    "clear_export": _("Export"),
    "clear_confirm": _("Confirm"),
}
_SIGNS: Final[dict[str, Words]] = {
    "gateway_lock": "gateway.lock",
    "cron_lock": "cron/.tick.lock",
    "board_lock": "kanban/.dispatcher.lock",
    "gateway_pid": "gateway.pid",
    "served_by_root": "gateway_state.json",
    "open_chat": "active_sessions.json",
    "spawned": "spawn-ledger.json",
    "open_database": _("Open files"),
    "open_log": _("Open files"),
    "process": _("Processes"),
}
HOW: Final[dict[str, Words]] = {
    "systemd_user": _("A service of its user. It would start again by itself if only its process were ended."),
    "systemd": _("A service of the machine. It would start again by itself if only its process were ended."),
    "launchd": _("A service of macOS. It would start again by itself if only its process were ended."),
    "container": _("It runs in a container."),
    "gateway": _("The gateway, by Hermes’ own command."),
    "process": _("A chat or another program: leave the chat with /exit, or end its process."),
}  # fmt: skip


@dataclass(frozen=True)
class Step:
    """`state`: "done", "now", "next". `name` is that of the page; `address` "" where it cannot be gone to yet."""

    title: str
    name: str
    state: str
    address: str


def steps(profile: Profile, draft: Draft, current: str) -> list[Step]:
    """Steps before this one are done; those after it can be gone to once they were reached."""
    names = list(STEPS)
    here = names.index(current)
    reached = max(here, names.index("clear_remote") if draft.chosen else 0)
    return [
        Step(
            str(STEPS[name]),
            name,
            "now" if number == here else "done" if number < here else "next",
            address(profile, name) if number <= reached and number != here else "",
        )
        for number, name in enumerate(names)
    ]


def address(profile: Profile, name: str) -> str:
    return reverse(name) if name == "clear_start" else reverse(name, args=[profile.home.key, profile.name])


def after(name: str) -> str:
    names = list(STEPS)
    return names[names.index(name) + 1]


def before(name: str) -> str:
    names = list(STEPS)
    return names[names.index(name) - 1]


def signs(running: Running) -> Iterator[tuple[str, str, bool]]:
    """Where it was seen, what was seen, and whether the first is a file's name."""
    told = set()
    for each in running.evidence:
        sentence = evidence_sentence(each)
        if sentence not in told:
            told.add(sentence)
            yield (
                str(_SIGNS.get(each.code, _("Not to be seen"))),
                sentence,
                "." in str(_SIGNS.get(each.code, "")),
            )


def stops(found: Sequence[Stop]) -> list[dict[str, Any]]:
    return [{"stop": each, "how": HOW[each.kind]} for each in found]


def upload_commands(places: Sequence[RemotePlace], profile: Profile) -> list[str]:
    """Hermes' own command for each upload that it can take back."""
    option = "" if profile.name == "default" else f"-p {profile.name} "
    return [
        f"hermes {option}debug delete {place.address}"
        for place in places
        if place.delete_at == "debug_delete" and place.address
    ]
