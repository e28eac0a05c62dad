"""What each threat rule of Hermes reacts to, in words for people."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

WORDS: dict[str, str | Promise] = {
    "prompt_injection": gettext_lazy("Tells the agent to ignore its instructions."),
    "sys_prompt_override": gettext_lazy("Speaks of overriding the system prompt."),
    "disregard_rules": gettext_lazy("Tells the agent to disregard its rules."),
    "bypass_restrictions": gettext_lazy("Tells the agent to act as if it had no restrictions."),
    "html_comment_injection": gettext_lazy("Hides an instruction in an HTML comment."),
    "hidden_div": gettext_lazy("Hides something in an HTML element that is not displayed."),
    "translate_execute": gettext_lazy("Asks to translate something and then to run it."),
    "deception_hide": gettext_lazy("Tells the agent to hide something from you."),
    "role_hijack": gettext_lazy("Gives the agent another role."),
    "role_pretend": gettext_lazy("Asks the agent to pretend to be something else."),
    "leak_system_prompt": gettext_lazy("Asks for the system prompt."),
    "remove_filters": gettext_lazy("Asks for answers without restrictions."),
    "fake_update": gettext_lazy("Claims that the agent was updated."),
    "identity_override": gettext_lazy("Gives the agent another name."),
    "c2_node_registration": gettext_lazy("Tells the agent to register with a network of attackers."),
    "c2_heartbeat": gettext_lazy("Tells the agent to report to somebody at intervals."),
    "c2_task_pull": gettext_lazy("Tells the agent to fetch tasks from somewhere."),
    "c2_network_connect": gettext_lazy("Tells the agent to connect to a network."),
    "forced_action": gettext_lazy("Orders the agent to register, connect or report."),
    "anti_forensic_oneliner": gettext_lazy("Asks for one-line commands only, which leave few traces."),
    "anti_forensic_disk": gettext_lazy("Forbids to write scripts to the disk, which would leave traces."),
    "env_var_unset_agent": gettext_lazy("Removes a variable that marks the agent."),
    "known_c2_framework": gettext_lazy("Names a tool that attackers use."),
    "c2_explicit": gettext_lazy("Speaks of a server that gives orders."),
    "c2_explicit_long": gettext_lazy("Speaks of command and control."),
    "exfil_curl": gettext_lazy("Sends a secret to a web address with curl."),
    "exfil_wget": gettext_lazy("Sends a secret to a web address with wget."),
    "read_secrets": gettext_lazy("Reads a file that holds secrets."),
    "send_to_url": gettext_lazy("Sends text to a web address."),
    "context_exfil": gettext_lazy("Asks for the conversation to be given out."),
    "ssh_backdoor": gettext_lazy("Names the file of keys that may sign in by SSH."),
    "ssh_access": gettext_lazy("Works on the folder of SSH keys."),
    "hermes_env": gettext_lazy("Names the file with the keys of Hermes."),
    "agent_config_mod": gettext_lazy("Changes the instructions of an agent."),
    "hermes_config_mod": gettext_lazy("Changes the settings of Hermes."),
    "hardcoded_secret": gettext_lazy("Holds something that looks like a key or a password."),
}
HIDDEN = "invisible_unicode_"


def words_of(rule: str) -> str:
    """A sentence for *rule*, also for one this version does not know."""
    if rule.startswith(HIDDEN):
        return _("Holds the invisible character %(code)s.") % {"code": rule.removeprefix(HIDDEN)}
    return str(WORDS.get(rule, _("Reacts to a pattern that Hermes does not allow.")))
