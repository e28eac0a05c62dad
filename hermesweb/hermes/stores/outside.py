"""At fixed places outside the home."""

from hermesweb.hermes.stores.store import Check, Clearing, How, Kind, Store
from hermesweb.hermes.stores.table import row


def _outside(
    identity: str,
    patterns: str | tuple[str, ...],
    kind: Kind,
    clearing: Clearing,
    how: How,
    *,
    survives: str = "",
    hazards: str = "",
    check: Check = "files",
    since: str = "",
    stop_first: bool = False,
) -> Store:
    return row(
        identity, patterns, kind, clearing, how, since, survives=survives, hazards=hazards, check=check,
        stop_first=stop_first, where="outside",
    )  # fmt: skip


STORES = (
    _outside(
        "user-backups", "~/hermes-backup-*.zip ~/{profile}.tar.gz <work>/{profile}.tar.gz",
        "snapshots_and_backups", "yours", "ask", survives="reset delete", check="archives",
        hazards="whole_copies holds_credentials packed no_fixed_place shared",
    ),
    _outside(
        "openclaw-leftover", "~/.openclaw/ ~/.clawdbot/ ~/.moltbot/ ~/.openclaw.pre-migration*/",
        "memory_copies", "yours", "ask", survives="reset delete", hazards="moved_only shared",
    ),
    _outside(
        "tmp-results", "<tmp>/hermes-results/", "conversation_copies", "default", "delete",
        survives="delete", hazards="shared",
    ),
    _outside(
        "tmp-shell",
        "<tmp>/hermes-snap-*.sh <tmp>/hermes-cwd-*.txt <tmp>/hermes_bg_*.log <tmp>/hermes_bg_*.pid"
        " <tmp>/hermes_bg_*.exit <tmp>/hermes_sandbox_*/ <tmp>/hermes_rpc/ <tmp>/hermes-ssh/",
        "conversation_copies", "default", "delete", hazards="environment shared", stop_first=True,
    ),
    _outside(
        "tmp-voice",
        "<tmp>/hermes_voice/ <tmp>/vc_listen_*.wav <tmp>/teams-transcript-* <tmp>/cua_shot_*.png"
        " <tmp>/anthropic_image_* <tmp>/hermes_shrink_* <tmp>/hermes_prompt_*.md <tmp>/agent-browser-*/",
        "conversation_copies", "default", "delete", hazards="shared",
    ),
    _outside(
        "gateway-locks", "~/.local/state/hermes/gateway-locks/", "logs_and_caches", "keep", "keep",
        hazards="breaks_locking elsewhere_too", check="none",
    ),
    _outside(
        "desktop-app",
        (
            "~/.config/Hermes/",
            "~/.cache/hermes/",
            "~/.local/share/hermes/",
            "~/Library/Application Support/Hermes/",
            "~/Library/Caches/*hermes*/",
            "~/Library/Logs/*hermes*/",
            "~/Library/WebKit/*hermes*/",
            "~/Library/HTTPStorages/*hermes*/",
            "~/Library/Saved Application State/*hermes*/",
        ),
        "credentials", "credentials", "delete", hazards="app_open logs_out shared", since="later",
        survives="delete",
    ),
    _outside(
        "services",
        "~/.config/systemd/user/hermes-gateway*.service ~/Library/LaunchAgents/*hermes*gateway*.plist"
        " ~/.local/bin/{profile}",
        "program", "keep", "report", check="none", hazards="shared",
    ),
    _outside(
        "other-clis",
        "~/.codex/auth.json ~/.claude/.credentials.json ~/.qwen/oauth_creds.json"
        " ~/.config/github-copilot/hosts.json ~/.minimax/credentials.json",
        "credentials", "out_of_reach", "report", hazards="holds_credentials shared", check="none",
    ),
    _outside(
        "worktrees", "<work>/.worktrees/", "work", "yours", "report", hazards="no_fixed_place",
    ),
    _outside("containers", "", "work", "out_of_reach", "report", check="none", hazards="no_fixed_place"),
    _outside("remote-sandboxes", "", "work", "out_of_reach", "report", check="none", hazards="no_fixed_place"),
    _outside(
        "os-level", "", "conversation_copies", "out_of_reach", "report", check="none", survives="reset delete",
        hazards="no_fixed_place",
    ),
)  # fmt: skip
