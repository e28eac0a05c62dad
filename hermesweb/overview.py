"""What the overview page shows, made from one look at the profile."""

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from hermesweb.hermes.homes import Profile, profiles_problem
from hermesweb.hermes.measure import Measure, measure
from hermesweb.homes import place_of
from hermesweb.jobs.models import Job
from hermesweb.lately import lately_running
from hermesweb.picture import rows_of
from hermesweb.privacy.copies import copy_of
from hermesweb.privacy.look import Look, look_at
from hermesweb.record import shown
from hermesweb.sentences import running_words, state_sentence, unreadable_sentence
from memory.presentation import store_view
from memory.switches import provider, write_approval
from sessions.errors import StateMissing, StateNeedsCopy

QUICK = 0.7  # seconds that counting files may take while a page waits

# Each is said by itself; columns that are missing in one sentence, since that is how older releases are.
NOTES = {
    "no_table": gettext_lazy("The table %(name)s is missing."),
    "no_version": gettext_lazy("It does not say which schema it has."),
    "newer_version": gettext_lazy(
        "It has schema %(name)s, newer than this hermesweb knows: read as far as understood."
    ),
    "older_version": gettext_lazy(
        "It has schema %(name)s, older than this hermesweb knows: read as far as understood."
    ),
    "no_word_index": gettext_lazy("It has no full-text index."),
    "no_trigram_index": gettext_lazy("It has no index for Chinese, Japanese and Korean."),
    "index_stale": gettext_lazy("Hermes has marked its full-text index as out of date."),
    "index_unfinished": gettext_lazy("Its full-text index is being built again."),
    "old_index_kept": gettext_lazy(
        "An old full-text index lies in the table %(name)s, with the texts in it."
    ),
}


@dataclass(frozen=True)
class Warning:
    text: str
    page: str = ""


def overview_context(profile: Profile) -> dict[str, Any]:
    copy = copy_of(settings.WORK_FOLDER, profile)
    look = look_at(profile, copy=copy, running=lately_running)
    counted = measure(profile, on_step=None, deadline=time.monotonic() + QUICK)
    complete = last_count(profile) if not counted.complete else None
    return {
        "look": look,
        "stores": [store_view(store, with_entries=False) for store in look.stores],
        "running": running_words(look.running),
        "pending": look.pending,
        "state_problem": state_sentence(look.state.problem) if look.state.problem else "",
        "state_missing": isinstance(look.state.problem, StateMissing),
        "needs_copy": isinstance(look.state.problem, StateNeedsCopy),
        "copy": copy,
        "sizes": state_sizes(profile),
        "counted": counted,
        "rows": rows_of(counted.groups),
        "last_count": complete,
        "warnings": list(warnings_of(look, counted)),
        "provider": provider(look.config),
        "write_approval": write_approval(look.config),
        "read_only": settings.READ_ONLY,
    }


def last_count(profile: Profile) -> Job | None:
    jobs = Job.objects.filter(
        kind="measure",
        home=profile.home.key,
        profile=profile.name,
        place=place_of(profile),
        state=Job.State.DONE,
    )
    return jobs.order_by("-ended").first()


def state_sizes(profile: Profile) -> dict[str, int]:
    """Bytes of state.db and its WAL, by name only: neither is opened."""
    sizes = {}
    for key, name in (("database", "state.db"), ("wal", "state.db-wal")):
        try:
            sizes[key] = (profile.folder / name).lstat().st_size
        except OSError:
            sizes[key] = 0
    return sizes


def warnings_of(look: Look, counted: Measure) -> Iterator[Warning]:
    yield from condition_warnings(look)
    for store in look.stores:
        if store.problem:
            yield Warning(f"{store.path.name}: {unreadable_sentence(store.problem)}", "memory")
        elif store.over_limit:
            over = math.ceil(store.used - (store.limit.value or 0))
            yield Warning(
                ngettext(
                    "%(name)s is %(over)s character over its limit. Hermes cannot save there.",
                    "%(name)s is %(over)s characters over its limit. Hermes cannot save there.",
                    over,
                )
                % {"name": store.path.name, "over": intcomma(over)},
                "memory",
            )
        if store.not_loaded_because:
            yield Warning(
                _("Nothing of %(name)s reaches the prompt: %(because)s cannot be used.")
                % {"name": store.path.name, "because": store.not_loaded_because},
                "memory",
            )
    if look.config.problem:
        yield Warning(config_sentence(look.config.problem))
    if look.pending.problem:
        yield Warning(_("The pending proposals could not all be counted."))
    if counted.readable_by_others_count:
        yield Warning(
            ngettext(
                "%(count)s file can be read by every user of this machine.",
                "%(count)s files can be read by every user of this machine.",
                counted.readable_by_others_count,
            )
            % {"count": intcomma(counted.readable_by_others_count)}
        )
    if counted.unreadable:
        yield Warning(_("Some folders could not be looked into, so the sizes below are too small."))
    if look.state.counts and look.state.counts.damaged:
        yield Warning(_("A part of state.db is damaged. The figures below leave out what could not be read."))
    for note in look.state.notes:
        if sentence := NOTES.get(note.code):
            yield Warning("state.db: " + str(sentence) % {"name": shown(note.name)})
    if lacking := [note.name for note in look.state.notes if note.code == "no_column"]:
        lacks = _("It lacks %(names)s, as older releases do. Everything else is shown.")
        yield Warning("state.db: " + lacks % {"names": ", ".join(lacking)})


def condition_warnings(look: Look) -> Iterator[Warning]:
    folder = repr(str(look.profile.folder))
    if look.condition.state == "missing":
        yield Warning(
            _("The folder %(folder)s is not there any more. Was it moved, or is a disk not mounted?")
            % {"folder": folder}
        )
    elif look.condition.state == "unreadable":
        yield Warning(_("The folder %(folder)s cannot be read by this user.") % {"folder": folder})
    elif settings.READ_ONLY:
        yield Warning(_("Review mode: HERMESWEB_READ_ONLY is set, so nothing that writes is offered."))
    elif not look.condition.writable:
        yield Warning(_("The home cannot be written to by this user, so nothing that writes is offered."))
    if problem := profiles_problem(look.profile.home):
        yield Warning(
            _("The other profiles of this home are not known.") + " " + unreadable_sentence(problem)
        )


def config_sentence(problem: str) -> str:
    return {
        "not_a_mapping": _("config.yaml does not hold settings: it should be a list of names with values."),
        "undecodable": _("config.yaml is not valid UTF-8, so its settings are not known."),
        "broken": _("config.yaml is not valid YAML, so its settings are not known."),
        "too_large": _("config.yaml is too large to be read, so its settings are not known."),
        "too_deep": _("config.yaml is nested too deeply to be read, so its settings are not known."),
    }.get(problem, _("config.yaml cannot be read, so its settings are not known."))
