"""Keys, sign-ins, settings and the program itself (hermes_cli/auth.py, hermes_cli/config.py)."""

from typing import Final

from hermesweb.hermes.stores.table import row

_KEYS: Final = "credentials"
_SETTINGS: Final = "skills_and_settings"

STORES = (
    row(
        "auth",
        "auth.json auth.lock auth.json.corrupt* .anthropic_oauth.json auth/ google_token.json"
        " google_oauth_pending.json",
        _KEYS, _KEYS, "ask", "", hazards="logs_out holds_credentials",
    ),
    # Before the files whose locks they are, which are named with a star.
    row(
        "root-locks", ".*.lock *.lock", "logs_and_caches", "keep", "keep", "",
        hazards="breaks_locking", check="none",
    ),
    row(
        "env", ".env .env.* .op.env .env_*", _KEYS, _KEYS, "ask", "",
        hazards="logs_out holds_credentials",
    ),
    row(
        "shared-auth", "shared/", _KEYS, _KEYS, "ask", "", where="root",
        hazards="shared logs_out holds_credentials elsewhere_too",
    ),
    row("mcp-tokens", "mcp-tokens/", _KEYS, _KEYS, "ask", "", hazards="logs_out holds_credentials"),
    row("vault", "vault/", _KEYS, _KEYS, "ask", "later", hazards="logs_out holds_credentials"),
    row("config", "config.yaml gateway.json", _SETTINGS, "keep", "keep", "", hazards="holds_credentials"),
    row(
        "config-keys", "", _KEYS, _KEYS, "ask", "", survives="reset delete", inside="config",
        hazards="logs_out holds_credentials",
    ),
    row(
        "config-backups", "config.yaml.* .config.yaml* gateway.json.*", "snapshots_and_backups", _KEYS,
        "delete", "", hazards="holds_credentials",
    ),
    row("allowlists", "shell-hooks-allowlist.json onboarding.seen", _SETTINGS, "yours", "ask", ""),
    row("profile-metadata", "profile.yaml distribution.yaml", _SETTINGS, "yours", "ask", ""),
    row("active-profile", "active_profile", _SETTINGS, "keep", "keep", "", where="root", check="none"),
    row(
        "program", "hermes-agent/ bin/ node/ venv/ .venv/ lsp/", "program", "keep", "keep", "",
        check="none",
    ),
)  # fmt: skip
