"""Every address, with sample arguments. A new view without a line here fails tests/web/test_addresses.py."""

from dataclasses import dataclass
from typing import Literal

from django.urls import URLPattern, get_resolver, reverse

from hermesweb.hermes.ids import encode_id

Shows = Literal["page", "file", "redirect", "word", "asks", "nothing"]
# What stands for an argument when a test does not say: nothing of it depends on the profile.
SAMPLES = {"target": "user", "name": encode_id("MEMORY.md.bak.1750000000")}
# A conversation of the profile "office" of the recorded home of 0.19, and its answer.
SAMPLES |= {"session": encode_id("20261130_142927_a0b329"), "message": "2", "finding": "1"}
SAMPLES |= {"store": "state-db"}
SAMPLES |= {"report": "00000000-0000-4000-8000-000000000000", "form": "json"}  # none that is there
SAMPLES |= {"trace": SAMPLES["report"]}
SAMPLES |= {"draft": "00000000-0000-4000-8000-000000000000"}
SAMPLES |= {"person": "1", "notice": "1", "pk": "1"}


@dataclass(frozen=True)
class Address:
    """`arguments`: names of values that a test fills in. `get`: what a GET answers to whoever may see it:
    a page, a file, a redirect, a word, a page after "Confirm it is you" (asks), or nothing (only POST is allowed).
    `empty_post`: what an empty POST answers to them, for those that take nothing else."""

    arguments: tuple[str, ...] = ()
    get: Shows = "page"
    empty_post: int = 302

    @property
    def about_profile(self) -> bool:
        """Whether it shows or does something of one profile."""
        return "profile" in self.arguments or "job" in self.arguments


PROFILE = ("home", "profile")
ADDRESSES = {
    "start": Address(get="redirect"),
    "homes": Address(),
    "health": Address(get="word"),
    "activity": Address(),
    "activity_file": Address(get="file"),
    "check_activity": Address(get="nothing"),
    "job": Address(("job",)),
    "cancel_job": Address(("job",), "nothing"),
    "continue_job": Address(("job",), "nothing"),
    "overview": Address(PROFILE),
    "measure": Address(PROFILE, "nothing"),
    "make_copy": Address(PROFILE, "nothing"),
    "remove_copy": Address(PROFILE, "nothing"),
    "memory": Address(PROFILE),
    "memory_history": Address(PROFILE),
    "memory_settings": Address(PROFILE),
    "save_entry": Address(PROFILE, "nothing", 400),
    "save_several": Address(PROFILE, "nothing", 400),
    "count_entry": Address(PROFILE, "nothing", 400),
    "remove_entries": Address(PROFILE, "nothing", 400),
    "undo_removal": Address(PROFILE, "nothing", 400),
    "move_entry": Address(PROFILE, "nothing", 400),
    "clear_memory": Address((*PROFILE, "target"), "redirect"),
    "tidy_memory": Address((*PROFILE, "target")),
    "download_memory": Address((*PROFILE, "target"), "file"),
    "delete_side_file": Address((*PROFILE, "name"), "redirect"),
    "pending": Address(PROFILE),
    "decide": Address(PROFILE, "nothing", 400),
    "all_pending": Address(),
    "sessions": Address(PROFILE),
    "search": Address(PROFILE),
    "conversation": Address((*PROFILE, "session")),
    "stored_prompt": Address((*PROFILE, "session")),
    "message": Address((*PROFILE, "session", "message")),
    "export": Address(PROFILE),
    "export_file": Address(PROFILE, "nothing", 400),
    "plan_deletion": Address(PROFILE, empty_post=400),
    "deletion": Address((*PROFILE, "draft"), "redirect"),
    "left_over": Address(PROFILE, "asks"),
    "finish_deletion": Address(("job",), "nothing", 404),
    "findings": Address(PROFILE),
    "look_for_findings": Address(PROFILE, "nothing"),
    "dismiss_finding": Address(PROFILE, "nothing", 400),
    "unmask": Address((*PROFILE, "finding"), "redirect"),
    "trace": Address(PROFILE, empty_post=422),
    "trace_result": Address((*PROFILE, "trace"), "redirect"),
    "show_hit": Address((*PROFILE, "trace"), "nothing"),
    "name_phrase": Address((*PROFILE, "trace"), "nothing"),
    "forget_trace": Address((*PROFILE, "trace"), "nothing"),
    "stores": Address(PROFILE),
    "store": Address((*PROFILE, "store")),
    "clear_start": Address(),
    "clear": Address(PROFILE),
    "clear_choose": Address(PROFILE),
    "clear_remote": Address(PROFILE),
    "clear_hermes": Address(PROFILE),
    "clear_export": Address(PROFILE),
    "clear_confirm": Address(PROFILE, "redirect"),
    "reports": Address(PROFILE),
    "report": Address((*PROFILE, "report"), "redirect"),
    "report_file": Address((*PROFILE, "report", "form"), "redirect"),
    "check_again": Address((*PROFILE, "report"), "nothing"),
    "finish_clearing": Address((*PROFILE, "report"), "nothing"),
    "delete_report": Address((*PROFILE, "report"), "redirect"),
    "first_link_needed": Address(),
    "first_link": Address(("token",)),
    "join": Address(("token",)),
    "people": Address(),
    "invite": Address(get="asks"),
    "household": Address(get="asks"),
    "person": Address(("person",), "asks"),
    "new_link": Address(("person",), "asks"),
    "switch_person": Address(("person",), "redirect"),
    "remove_person": Address(("person",), "asks"),
    "open_with_notice": Address(PROFILE, "redirect"),
    "dismiss_notice": Address(("notice",), "nothing", 404),
    "account": Address(),
    "sign_browsers_out": Address(get="nothing"),
    "mfa_index": Address(),
    "mfa_activate_totp": Address(get="asks"),
    "mfa_deactivate_totp": Address(get="asks"),
    "mfa_view_recovery_codes": Address(get="asks"),
    "mfa_generate_recovery_codes": Address(get="asks"),
    "mfa_add_webauthn": Address(get="asks"),
    "mfa_remove_webauthn": Address(("pk",), "asks"),
    "mfa_authenticate": Address(get="redirect"),
    "mfa_login_webauthn": Address(get="redirect"),
    "choose_password": Address(),
    "account_change_password": Address(),
    "account_reauthenticate": Address(),
    "account_login": Address(),
    "account_logout": Address(),
}
PAGES = [name for name, address in ADDRESSES.items() if address.get == "page"]
ASKING = [name for name, address in ADDRESSES.items() if address.get == "asks"]
POST_ONLY = [name for name, address in ADDRESSES.items() if address.get == "nothing"]
ABOUT_PROFILES = [name for name, address in ADDRESSES.items() if address.about_profile]


def patterns() -> dict[str, URLPattern]:
    """Every view of the product by the name of its address."""
    found = {}
    for pattern in get_resolver().url_patterns:
        assert isinstance(pattern, URLPattern), "an include() needs a walk of its own here"
        assert pattern.name, f"{pattern} has no name"
        found[pattern.name] = pattern
    return found


def access_of(name: str) -> str:
    """The mark of `hermesweb.accounts.access` that the view carries, "" for none."""
    return getattr(patterns()[name].callback, "access", "")


def path_of(name: str, /, **values: object) -> str:
    """The path of an address; `values` has at least its arguments."""
    values = SAMPLES | values
    return reverse(name, args=[str(values[argument]) for argument in ADDRESSES[name].arguments])
