"""A report as its page, its print and its file show it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.utils.dateparse import parse_datetime
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from hermesweb.hermes.remote_place import RemotePlace
from hermesweb.hermes.stores.catalogue import stores
from hermesweb.privacy import wipe_words
from hermesweb.privacy.models import Report
from hermesweb.privacy.store_page import Place, at, place_words
from hermesweb.privacy.store_words import CHECKS, KINDS, words_of
from hermesweb.privacy.wiping.choice import UNKNOWN
from hermesweb.privacy.wiping.database import DATABASE
from hermesweb.privacy.wiping.outcome import TABLES
from hermesweb.privacy.wiping.report import left_to_do

Words = str | Promise

# Meaning, shape and word of each outcome, in the order of the page.
RESULTS: Final[dict[str, tuple[str, str, Words]]] = {
    "wiped": ("removed", "removed", gettext_lazy("wiped")),
    "partly": ("caution", "partly", gettext_lazy("partly")),
    "not_wiped": ("blocked", "not-wiped", gettext_lazy("not wiped")),
    "kept": ("kept", "kept", gettext_lazy("kept")),
    "absent": ("absent", "absent", gettext_lazy("not present")),
    "out_of_reach": ("beyond", "beyond", gettext_lazy("out of reach")),
}
_KEPT_BECAUSE: Final[dict[str, Words]] = {
    "choice": gettext_lazy("Kept by your choice"),
    "shared": gettext_lazy("Shared with other profiles, and not ticked"),
    "outside": gettext_lazy("Outside the home, and not ticked"),
    "needed": gettext_lazy("Nothing about you, or Hermes needs it to start"),
    "ours": gettext_lazy("hermesweb’s own"),
}
_BY_ID: Final = {each.id: each for each in stores()}


@dataclass(frozen=True)
class Line:
    """One store in the report."""

    id: str
    name: str
    kind: str
    paths: tuple[str, ...]
    look: str
    icon: str
    word: str
    why: str
    check: str
    before: int
    after: int
    files_before: int
    files_after: int
    left: tuple[str, ...]
    newest: datetime | None
    copies: tuple[dict[str, Any], ...]
    found: int  # times that a sampled word stands in it
    tables: tuple["Line", ...] = ()  # what became of the parts of state.db that had rows


@dataclass(frozen=True)
class Look:
    """A second look: when, and what had come back."""

    at: datetime | None
    came_back: tuple[dict[str, Any], ...]


def title(content: Mapping[str, Any]) -> str:
    """What came of a run in few words; a backup that stays is no clean end."""
    if not content["complete"] or content["interrupted"]:
        return _("Not everything is gone")
    if content["outcome"] != "clean":
        return _("Everything that was chosen is gone, and something was kept")
    return _("Everything that was chosen is gone")


def report_context(report: Report) -> dict[str, Any]:
    content = report.content
    found: dict[str, int] = {}
    for each in content["looked_for"]["found"]:
        found[each["store"]] = found.get(each["store"], 0) + each["count"]
    rows = [each for each in (*content["stores"], content["unknown"]) if each["id"] not in TABLES]
    named = {each["store"] for each in content.get("remote", [])}
    tables = tuple(
        line(each, found) for each in content["stores"] if each["id"] in TABLES and each.get("rows_before")
    )
    lines = {
        result: [line(each, found, tables) for each in rows if each["outcome"] == result]
        for result in RESULTS
    }
    return {
        "report": report,
        "content": content,
        "title": title(content),
        "began": moment(content.get("began")),
        "ended": moment(content.get("ended")),
        "sums": [(look, icon, len(lines[result]), word) for result, (look, icon, word) in RESULTS.items()],
        "left": [*lines["not_wiped"], *lines["partly"]],
        "wiped": lines["wiped"],
        "kept": kept_groups(lines["kept"], rows),
        "beyond": [each for each in lines["out_of_reach"] if each.id not in named],
        "places": places_of(content),
        "absent": lines["absent"],
        "looked_for": content["looked_for"],
        "words_found": words_found(content["looked_for"]["found"]),
        "looks": [Look(moment(each["at"]), tuple(map(back, each["came_back"]))) for each in content["looks"]],
        "to_finish": len(left_to_do(content).stores) + left_to_do(content).unknown,
        "checksum": " ".join(report.checksum[i : i + 4] for i in range(0, 64, 4)),
    }


def line(each: Mapping[str, Any], found: Mapping[str, int], tables: tuple[Line, ...] = ()) -> Line:
    look, icon, _word = RESULTS[each["outcome"]]
    store, words = _BY_ID.get(each["id"]), words_of(each["id"])
    name = wipe_words.name_of(each["id"])
    copies = tuple({**copy, "at": at(copy["at"])} for copy in each.get("copies", ()))
    return Line(
        id=each["id"],
        name=name,
        kind=str(KINDS[store.kind]) if store else str(words.name),
        paths=store.patterns[:3] if store else (),
        look=look,
        icon=icon,
        word=str(wipe_words.RESULTS[each["outcome"]]),
        why=wipe_words.reason(each["why"]) if each["why"] else "",
        check=checked(each, store.check if store else "files"),
        before=each["bytes_before"],
        after=each["bytes_after"],
        files_before=each["files_before"],
        files_after=each["files_after"],
        left=tuple(each["left"]),
        newest=at(each.get("newest")),
        copies=copies,
        found=found.get(each["id"], 0),
        tables=tables if each["id"] == DATABASE else (),
    )


def checked(each: Mapping[str, Any], check: str) -> str:
    """How it was looked at again."""
    if not each["verified"]:
        return _("Not looked at again.")
    if each.get("rows_before"):
        return ngettext(
            "%(count)d row is gone from state.db.",
            "%(count)d rows are gone from state.db.",
            each["rows_before"],
        ) % {"count": each["rows_before"]}
    if each["why"] == "in_place":
        return _("Looked at again: emptied where it stands.")
    if each["files_before"]:
        said = ngettext(
            "Looked for again: %(count)d file is gone.",
            "Looked for again: %(count)d files are gone.",
            each["files_before"],
        ) % {"count": each["files_before"]}
    else:
        said = _("Looked at again: nothing is there.")
    return f"{said} {CHECKS[check]}" if check in ("archives", "git") else said


def kept_groups(lines: Sequence[Line], rows: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """By reason; copies of others, which somebody should know about, with what is in each."""
    why = {each["id"]: "ours" if each["why"] == "ours_noted" else each["why"] for each in rows}
    groups = []
    for reason in dict.fromkeys([*_KEPT_BECAUSE, *(why[each.id] for each in lines)]):
        some = [each for each in lines if why[each.id] == reason]
        if some:
            groups.append(
                {"title": _KEPT_BECAUSE.get(reason, wipe_words.reason(reason)), "lines": some, "why": reason}
            )
    return groups


def places_of(content: Mapping[str, Any]) -> list[Place]:
    """Where copies went, as it was known before anything was cleared."""
    return [place_words(_place(each)) for each in content.get("remote", [])]


def _place(each: Mapping[str, Any]) -> RemotePlace:
    values: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value
        for key, value in each.items()
        if key in RemotePlace.__dataclass_fields__
    }
    return RemotePlace(**values)


def words_found(found: Iterable[Mapping[str, Any]]) -> list[dict[str, Any]]:
    return [{**each, "name": wipe_words.name_of(each["store"])} for each in found]


def back(each: Mapping[str, Any]) -> dict[str, Any]:
    """What came back of one store, in words."""
    rows = each.get("rows", {})
    if rows.get("sessions") and not rows.get("messages"):
        said = _(
            "An open chat has written its session again, without a message. Leave the chat, then clear it again."
        )
    else:
        said = _("Something has written it since. Stop Hermes, then clear it again.")
    return {
        **each,
        "name": _("Unknown files") if each["id"] == UNKNOWN else wipe_words.name_of(each["id"]),
        "said": said,
    }


def moment(text: str | None) -> datetime | None:
    try:
        return parse_datetime(text) if text else None
    except ValueError:
        return None
