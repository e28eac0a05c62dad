"""The settings of Hermes' memory in words: what each key is about, what its value means, how to change it."""

from dataclasses import dataclass

import yaml
from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from hermesweb.hermes.config import MISSING
from hermesweb.record import shown
from memory.remembering import Setting

ABOUT: dict[str, str | Promise] = {
    "memory.memory_enabled": gettext_lazy("Whether MEMORY.md is loaded and written"),
    "memory.user_profile_enabled": gettext_lazy("Whether USER.md is loaded and written"),
    "memory.memory_char_limit": gettext_lazy("How many characters MEMORY.md may have"),
    "memory.user_char_limit": gettext_lazy("How many characters USER.md may have"),
    "memory.write_approval": gettext_lazy("Whether new memory waits for approval"),
    "memory.provider": gettext_lazy("Where else memory is sent"),
    "memory.nudge_interval": gettext_lazy("How often Hermes reviews a conversation for things to remember"),
    "auxiliary.background_review.enabled": gettext_lazy("Whether that review runs at all"),
    "skills.write_approval": gettext_lazy("Whether new skills wait for approval"),
    "agent.disabled_toolsets": gettext_lazy("Whether the agent has its memory tool"),
}


@dataclass(frozen=True)
class Way:
    """One way to change a setting: what it does, and the command or the lines of config.yaml."""

    words: str
    command: str
    lines: str


@dataclass(frozen=True)
class SettingView:
    setting: Setting
    about: str
    written: str
    value: str
    meaning: str
    because: str
    ways: tuple[Way, ...]


def setting_view(setting: Setting) -> SettingView:
    return SettingView(
        setting=setting,
        about=str(ABOUT.get(setting.key, setting.key)),
        written=_("not set") if setting.written is MISSING else shown(as_yaml(setting.written))[:200],
        value=value_words(setting),
        meaning=meaning_words(setting),
        because=_("It has no effect at present, because of %(key)s.") % {"key": setting.because}
        if setting.because
        else "",
        ways=tuple(
            Way(change_words(change.kind), change.shell or "", change.lines) for change in setting.changes
        ),
    )


def as_yaml(value: object) -> str:
    """A value as config.yaml would have it, on one line."""
    try:
        return (
            yaml.safe_dump(value, default_flow_style=True, allow_unicode=True).removesuffix("...\n").strip()
        )
    except yaml.YAMLError:
        return repr(value)


def value_words(setting: Setting) -> str:
    match setting.effective:
        case None:
            return "–"
        case True:
            return _("yes")
        case False:
            return _("no")
        case "":
            return _("nowhere")
        case int(number):
            return intcomma(number)
        case other:
            return shown(other)


def meaning_words(setting: Setting) -> str:
    return {
        "on": _("It is on."),
        "off": _("It is off."),
        "default": _("Hermes uses its default."),
        "configured": _("Hermes uses the number that is set."),
        "as_it_stands": _("Hermes takes this unusual value as it stands."),
        "nothing_loads": _("Hermes cannot use this value and loads no memory at all, without saying so."),
        "saved_at_once": _("What Hermes wants to keep is saved at once."),
        "waits_for_approval": _("What Hermes wants to keep waits until somebody approves it."),
        "built_in": _("Memory stays in the two files."),
        "provider": _("Conversations go to this provider too. Hand edits and approved writes do not."),
        "every_so_many_turns": _(
            "After so many messages of yours, Hermes looks back for things to remember."
        ),
        "never": _("Hermes never looks back by itself."),
        "not_in_this_release": _("This release of Hermes has no such setting."),
        "stops_hermes": _("Hermes does not start with this value."),
    }[setting.meaning]


def change_words(kind: str) -> str:
    return {
        "turn_on": _("Turn it on"),
        "turn_off": _("Turn it off"),
        "to_default": _("Back to the default"),
        "to_number": _("Another number"),
        "choose": _("Choose one"),
    }[kind]
