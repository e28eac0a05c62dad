"""Keys, settings, backups and the program."""

from django.utils.translation import gettext_lazy as _

NAMES = {
    "env": (_("Keys and tokens"), _(".env: keys of services and bots.")),
    "auth": (_("Sign-ins"), _("Accounts Hermes is signed in to.")),
    "shared-auth": (_("Shared sign-ins"), _("Accounts Hermes is signed in to.")),
    "mcp-tokens": (_("Sign-ins of tools"), _("Sign-ins of MCP servers.")),
    "vault": (_("Vault"), _("Saved sign-ins, cards and addresses, encrypted.")),
    "config": (_("Settings"), _("config.yaml. It may hold a key and numbers of chats.")),
    "config-keys": (_("Keys in the settings"), _("Keys, tokens and passwords that stand in config.yaml.")),
    "config-backups": (_("Copies of settings"), _("Older settings, perhaps with keys.")),
    "allowlists": (_("Allowed commands"), _("Commands you allowed once and for all.")),
    "profile-metadata": (_("Description of the profile"), _("What this profile is for.")),
    "active-profile": (_("Profile in use"), _("One name.")),
    "root-locks": (_("Locks"), _("Empty files that keep two programs from writing at the same time.")),
    "program": (_("Hermes itself"), _("The program and its tools.")),
    "state-snapshots": (
        _("Snapshots"),
        _("Whole copies of state.db, settings and keys, made before each update."),
    ),
    "backups": (_("Backups"), _("Zip files with everything, memory too. Your last way back.")),
}
