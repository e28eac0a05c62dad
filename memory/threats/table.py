"""The rules, one by one, in the words they react to.

They say what `tools/threat_patterns.py` of Hermes 0.19 and 0.22 does with its "strict" set, the one used for
memory. All are written in small letters; `|` means "or", a blank any white space.
"""

from memory.threats.joints import Close, SameLine, Stretch, Words
from memory.threats.rules import rule

OLD = ("0.19",)
NEW = ("0.22",)

INVISIBLE = (
    *("\u200b", "\u200c", "\u200d", "\u2060", "\u2062", "\u2063", "\u2064", "\ufeff"),
    *("\u202a", "\u202b", "\u202c", "\u202d", "\u202e"),
    *("\u2066", "\u2067", "\u2068", "\u2069"),
)

_GAP = Words(0, 8)
_LINE = SameLine(2048)
_COMMENT = Close(512, ">")
_CHANGE = "update|modify|edit|write|change|append|add to"
_QUOTED = r"""(?:api[_-]?+key|token|secret|password)\s*+[=:]\s*+["'][a-z0-9+/=_-]{20,}+"""
_VARIABLE_NAME = r"""["'][A-Z][A-Z0-9]*+(?:_[A-Z0-9]++)++["']"""
_VARIABLE_OLD = r"\$\{?+\w*?(?:key|token|secret|password|credential|api)"
_VARIABLE_NEW = r"\$\{?+\w*?(?:key|token|secret|password|credential)s?+\b"
_SSH = r"(?:\$home|~)/\.ssh"


def _new(*words: str) -> str:
    """Say that any of these words starts a word. It comes first, as `\\b` before it is searched slowly."""
    return "(?:" + "|".join(rf"{word}(?<!\w{word})" for word in words) + ")"


_WRITERS = (
    *("echo", "cat", "cp", "mv", "dd", "tee", "install", "printf", "rsync", "scp", "ln", "append", "add"),
    *("write", "sed", "chmod", "chown", "truncate", "rm", "touch", "curl", "wget", "git"),
)
_FRAMEWORKS = "sliver", "havoc", "mythic", "metasploit", "brainworm"


TABLE = (
    rule("prompt_injection", "ignore", _GAP, "previous|all|above|prior", _GAP, "instructions"),
    rule("sys_prompt_override", "system prompt override"),
    rule("disregard_rules", "disregard", _GAP, "your|all|any", _GAP, "instructions|rules|guidelines"),
    rule(
        "bypass_restrictions",
        *("act as (?:if|though)", _GAP, "you", _GAP, "have no|don't have", _GAP, "restrictions|limits|rules"),
    ),
    rule(
        "html_comment_injection",
        *("<!--", _COMMENT, "ignore|override|system|secret|hidden", _COMMENT, "-->"),
    ),
    rule("hidden_div", r"""<\s*+div style\s*+=\s*+["']""", Close(2048, ">"), r"display\s*+:\s*+none"),
    rule(
        "translate_execute",
        *("translate", Stretch(512), "into", Stretch(512), "and (?:execute|run|eval)"),
        releases=OLD,
    ),
    rule(
        "translate_execute",
        *("translate", Stretch(512), "into", Words(1, 3, r"\s-"), r"and (?:execute|run|eval)\b"),
        releases=NEW,
    ),
    rule("deception_hide", "do not", _GAP, "tell", _GAP, "the user"),
    rule("role_hijack", "you are", _GAP, r"now (?:an?|the)\s"),
    rule("role_pretend", "pretend", _GAP, r"(?:you are|to be)\s"),
    rule("leak_system_prompt", "output", _GAP, "(?:system|initial) prompt"),
    rule(
        "remove_filters",
        *("(?:respond|answer|reply) without", _GAP, "restrictions|limitations|filters|safety"),
    ),
    rule("fake_update", "you have been", _GAP, "(?:updated|upgraded|patched) to"),
    rule("identity_override", _new("name") + r" yourself \w++"),
    rule("c2_node_registration", r"register (?:as )?+(?:a\s*+)?+node"),
    rule("c2_heartbeat", r"(?:heartbeat|beacon|check[\s-]?+in) (?:to|with)\s"),
    rule("c2_task_pull", r"pull (?:down )?+(?:new )?+task(?:s|ing)?+\b"),
    rule("c2_network_connect", r"connect to the network\b"),
    rule("forced_action", "you must", Words(0, 3), r"(?:register|connect|report|beacon)\b"),
    rule("anti_forensic_oneliner", r"only use one[\s-]?+liners?+\b"),
    rule("anti_forensic_disk", "never", _GAP, "create|write", _GAP, "script|file", _GAP, "disk"),
    rule("env_var_unset_agent", r"unset \w*?(?:claude|codex|hermes|agent|openai|anthropic)\w*+"),
    rule("known_c2_framework", rf"(?:{_new('cobalt')}\s*+strike|{_new(*_FRAMEWORKS)})\b"),
    rule("c2_explicit", _new("c2") + r" (?:server|channel|infrastructure|beacon)\b"),
    rule("c2_explicit_long", _new("command") + r" and control\b"),
    rule("exfil_curl", "curl", _LINE, _VARIABLE_OLD, releases=OLD),
    rule("exfil_curl", "curl", _LINE, _VARIABLE_NEW, releases=NEW),
    rule("exfil_wget", "wget", _LINE, _VARIABLE_OLD, releases=OLD),
    rule("exfil_wget", "wget", _LINE, _VARIABLE_NEW, releases=NEW),
    rule("read_secrets", "cat", _LINE, r"\.env|credentials|\.netrc|\.pgpass|\.npmrc|\.pypirc"),
    rule("send_to_url", "send|post|upload|transmit", Stretch(2048), "(?:to|at) https?://"),
    rule(
        "context_exfil",
        *("include|output|print|share", _GAP),
        "conversation|chat history|previous messages|full context|entire context",
    ),
    rule("ssh_backdoor", "authorized_keys"),
    rule("ssh_access", _SSH, releases=OLD),
    rule("ssh_access", rf"{_new(*_WRITERS)}\b|{_new('open')}\s*+\(|>", Close(512, "\n"), _SSH, releases=NEW),
    rule("hermes_env", r"(?:\$home|~)/\.hermes/\.env"),
    rule("agent_config_mod", _CHANGE, _LINE, r"agents\.md|claude\.md|\.cursorrules|\.clinerules"),
    rule("hermes_config_mod", _CHANGE, _LINE, r"\.hermes/(?:config\.yaml|soul\.md)"),
    rule("hardcoded_secret", _QUOTED, releases=OLD),
    rule("hardcoded_secret", _QUOTED, releases=NEW, unless=_VARIABLE_NAME),
)
