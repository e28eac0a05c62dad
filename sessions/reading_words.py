"""Codes of the reading page as words for people."""

from datetime import UTC, datetime
from typing import Any

from django.contrib.humanize.templatetags.humanize import intcomma
from django.template.defaultfilters import date, filesizeformat
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from hermesweb.record import shown
from hermesweb.sentences import state_sentence
from sessions.errors import StateError, StateMissing, StateNeedsCopy
from sessions.parts import Part, Problem
from sessions.readable import Picture

KINDS = {
    "image": gettext_lazy("Image"),
    "audio": gettext_lazy("Sound"),
    "video": gettext_lazy("Film"),
    "file": gettext_lazy("File"),
    "other": gettext_lazy("Something of another kind"),
}
PROBLEMS = {
    "bad_json": gettext_lazy("Hermes writes this as JSON, and it is none. It is shown as it stands."),
    "cut_json": gettext_lazy("It is longer than what is read of it here, so it is shown as it stands."),
    "not_text": gettext_lazy("There are bytes or a number where a text should be."),
    "bad_time": gettext_lazy("Its time cannot be a time."),
    "odd_call": gettext_lazy("A tool call in it has no name."),
    "too_many": gettext_lazy("It has more parts than are shown. An export has them all."),
}
COLUMNS = {
    "content": gettext_lazy("text"),
    "tool_calls": gettext_lazy("tool calls"),
    "timestamp": gettext_lazy("time"),
    "reasoning": gettext_lazy("reasoning"),
    "reasoning_content": gettext_lazy("reasoning"),
    "reasoning_details": gettext_lazy("reasoning"),
    "codex_reasoning_items": gettext_lazy("reasoning"),
    "codex_message_items": gettext_lazy("reasoning"),
    "api_content": gettext_lazy("as sent to the provider"),
    "system_prompt": gettext_lazy("stored system prompt"),
    "title": gettext_lazy("title"),
    "cwd": gettext_lazy("folder"),
    "display_name": gettext_lazy("name of the chat"),
    "model_config": gettext_lazy("settings of the session"),
    "origin_json": gettext_lazy("where the session came from"),
}
DISPLAYS = {
    "hidden": gettext_lazy("Hermes hides this one"),
    "model_switch": gettext_lazy("Written by Hermes: the model was changed"),
    "auto_continue": gettext_lazy("Written by Hermes to go on"),
    "internal_notification": gettext_lazy("Written by Hermes: a notice to itself"),
}
RELATIONS = {
    "continuation": gettext_lazy("Also continued as"),
    "branch": gettext_lazy("Branch"),
    "reset": gettext_lazy("After a reset"),
    "subagent": gettext_lazy("Subagent"),
    "other": gettext_lazy("Started from here"),
}
RELATION_ICONS = {"branch": "branch", "subagent": "tool", "reset": "waiting", "continuation": "branch"}
ABOVE = {
    "branch": gettext_lazy("Branched from"),
    "reset": gettext_lazy("Before the reset"),
    "subagent": gettext_lazy("Started by"),
    "other": gettext_lazy("Started from"),
}


def time_words(at: float | None) -> str:
    """A time to the second in the zone of who reads it; "" for none."""
    if at is None:
        return ""
    try:
        then = localtime(datetime.fromtimestamp(at, UTC))
        return date(then, "DATE_FORMAT") + date(then, ", H:i:s")
    except (ValueError, OverflowError, OSError):
        return ""


def machine_time(at: float | None) -> str:
    """The same for programs."""
    try:
        return "" if at is None else datetime.fromtimestamp(at, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return ""


def medium_words(part: Part) -> str:
    """What stands for a picture, a sound or a file: type and size, never what is in it."""
    size = "" if part.size is None else str(filesizeformat(part.size))
    known = [str(KINDS.get(part.kind, part.kind)), part.media_type, part.name, size, part.address[:300]]
    return ", ".join([*(shown(each) for each in known if each), _("not shown")])


def picture_words(picture: Picture) -> str:
    """The same for a picture in Markdown."""
    size = "" if picture.size is None else str(filesizeformat(picture.size))
    known = [str(KINDS["image"]), picture.text, picture.media_type, size, picture.address[:300]]
    return ", ".join([*(each for each in known if each), _("not shown")])


def problem_words(problem: Problem) -> str:
    column = COLUMNS.get(problem.column)
    return f"{problem.column}: {PROBLEMS[problem.code]}" if column is None else str(PROBLEMS[problem.code])


def display_words(display: str) -> str:
    return str(DISPLAYS.get(display) or _("Hermes notes it as “%(kind)s”") % {"kind": shown(display)})


def length_words(characters: int | None) -> str:
    """How long a text is; None for longer than was read."""
    if characters is None:
        return _("more than is read here")
    count = intcomma(characters)
    return ngettext("%(count)s character", "%(count)s characters", characters) % {"count": count}


def lines_words(lines: int) -> str:
    return ngettext("%(count)s line back", "%(count)s lines back", lines) % {"count": intcomma(lines)}


def state_problem(problem: StateError) -> dict[str, Any]:
    """What a page needs to say why state.db was not read."""
    return {
        "state_problem": state_sentence(problem),
        "state_missing": isinstance(problem, StateMissing),
        "needs_copy": isinstance(problem, StateNeedsCopy),
    }
