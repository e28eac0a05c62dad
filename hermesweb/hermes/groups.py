"""What kind of thing lies where in a profile, as a table. For the picture of sizes on the overview.

Patterns are relative to the profile's folder; `*` stays within one part of a path, a `/` at the end means
all below. The first that fits counts. What fits none is "unknown", and never passed over in silence.
"""

import re
from functools import cache
from typing import Literal, get_args

Group = Literal[
    "memory",
    "memory_copies",
    "conversations",
    "conversation_copies",
    "logs_and_caches",
    "snapshots_and_backups",
    "skills_and_settings",
    "work",  # boards, plans, files the agent worked on
    "credentials",
    "program",  # Hermes itself and its tools, where the installer put them into the home
    "unknown",
]
GROUPS: tuple[Group, ...] = get_args(Group)

_TABLE: tuple[tuple[Group, str], ...] = (
    ("memory", "memories/MEMORY.md memories/USER.md"),
    ("logs_and_caches", "memories/*.lock"),
    ("memory_copies", "pending/memory/"),
    ("memory_copies", "memories/*MEMORY.md* memories/*USER.md* memories/.mem_* memories/ARCHIVE.jsonl*"),
    ("memory_copies", "memory_store.db* retaindb_queue.db* byterover/ hindsight/data/ mem0_qdrant/"),
    ("conversations", "state.db state.db-wal state.db-shm state.db-journal"),
    ("logs_and_caches", "state.db.*.lock state.db.repair-attempts.json"),
    ("conversation_copies", "state.db.malformed-backup-* state.db.retired-wal-*/ state.db.pre-update-*"),
    ("conversation_copies", "sessions/ session-exports/ pending_messages/ .hermes_history pastes/ images/"),
    ("conversation_copies", "spawn-trees/ moa-traces/ hook_outputs/ cache/delegation/ delegation_cache/"),
    ("conversation_copies", "response_store.db* verification_evidence.db* processes.json trajectory*.jsonl"),
    ("conversation_copies", "state/rich_sent_index.json gateway/discord_message_recovery.db* cron/output/"),
    ("conversation_copies", "cron/executions.db* cron/deliveries.db* cron/notepad.db* cron/suggestions.json"),
    ("snapshots_and_backups", "state-snapshots/ backups/ checkpoints/ config.yaml.* skills/.archive/"),
    ("snapshots_and_backups", "skills/.curator_backups/ .curator_backups/ auth.json.corrupt"),
    (
        "credentials",
        ".env .env.* .env_* .op.env auth.json auth.lock auth/ .anthropic_oauth.json google_*.json",
    ),
    ("credentials", "shared/ mcp-tokens/ cache/bws_cache.json cache/op_cache.json vault/ slack_tokens.json"),
    ("credentials", "google_chat_user_tokens/ honcho.json mem0.json supermemory.json hindsight/ weixin/"),
    (
        "credentials",
        "platforms/whatsapp/ platforms/matrix/ whatsapp/ matrix/ chrome-debug/ browser-profile*/",
    ),
    ("work", "kanban.db* kanban/ projects.db* workspace/ plans/ sandboxes/ home/ browser_recordings/ tmp/"),
    ("work", "modal_snapshots.json singularity_snapshots.json platforms/whatsapp_cloud/ whatsapp_cloud/"),
    ("logs_and_caches", "logs/ cache/ interrupt_debug.log .skills_prompt_snapshot.json disk-cleanup/"),
    (
        "logs_and_caches",
        "image_cache/ audio_cache/ video_cache/ document_cache/ browser_screenshots/ web_cache/",
    ),
    ("logs_and_caches", "temp_vision_images/ temp_video_files/ piper_voices_cache/ telemetry/ runtime/"),
    ("logs_and_caches", "terminal-sessions/ models_dev_cache.json context_length_cache.yaml .update_check"),
    ("logs_and_caches", "provider_models_cache.json sticker_cache.json gateway.lock gateway.pid *.lock"),
    ("logs_and_caches", "gateway_state.json spawn-ledger.json .update_* .restart_* .drain_request.json"),
    ("logs_and_caches", ".gateway-* gateway/ feishu_seen_message_ids.json *_thread*.json cron/.* state/"),
    ("logs_and_caches", "gateway_voice_mode.json google_chat_bot_id.json plugins/hermes-achievements/*.json"),
    ("skills_and_settings", "skills/ pending/skills/ skill-bundles/ hooks/ scripts/ plugins/ skins/ pets/"),
    (
        "skills_and_settings",
        "dashboard-themes/ SOUL.md config.yaml gateway.json profile.yaml distribution.yaml",
    ),
    (
        "skills_and_settings",
        "active_profile shell-hooks-allowlist.json onboarding.seen cron/jobs.json pairing/",
    ),
    ("skills_and_settings", "platforms/pairing/ channel_directory.json channel_aliases.json discord_*.json"),
    ("skills_and_settings", "feishu_comment_*.json webhook_subscriptions.json teams_pipeline_store.json"),
    ("program", "hermes-agent/ bin/ node/ venv/ .venv/ lsp/"),
)


def group_of(path: str) -> Group:
    """The group of the file at `path`, relative to the profile's folder."""
    first, _, _ = path.partition("/")
    for pattern, group in _rules_for(first):
        if pattern.match(path):
            return group
    return "unknown"


@cache
def _rules() -> tuple[tuple[str, re.Pattern[str], Group], ...]:
    rows = ((group, pattern) for group, patterns in _TABLE for pattern in patterns.split())
    return tuple((pattern.partition("/")[0], _compiled(pattern), group) for group, pattern in rows)


@cache
def _rules_for(first: str) -> tuple[tuple[re.Pattern[str], Group], ...]:
    """Those rules that can fit a path beginning with `first`: most of the table never needs a look."""
    return tuple((rule, group) for start, rule, group in _rules() if _compiled(start).match(first))


def _compiled(pattern: str) -> re.Pattern[str]:
    below = pattern.endswith("/")
    parts = "[^/]*".join(re.escape(piece) for piece in pattern.split("*"))
    return re.compile(parts if below else rf"{parts}\Z", re.DOTALL)
