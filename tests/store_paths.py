"""A path for every place that a store is known to lie at: id, then paths as in Store.patterns."""

ID = "20261130_142304_5e775c"

PROFILE = {
    "memory-md": "memories/MEMORY.md",
    "user-md": "memories/USER.md",
    "memory-locks": "memories/MEMORY.md.lock memories/USER.md.lock",
    "hermesweb-leftovers": (
        "memories/.mem_hermesweb_MEMORY.md_0a1b.tmp skills/a/b/.mem_hermesweb_SKILL.md_1.tmp .mem_hermesweb_x_1.tmp"
        " pending/memory/0a1b2c3d.json.0000000000000000.aaaaaaaaaaaaaaaa.hermesweb_claim"
    ),
    "memory-tmp": "memories/.mem_k3x9.tmp",
    "memory-archive": "memories/ARCHIVE.jsonl memories/ARCHIVE.jsonl.1",
    "memory-drift-bak": "memories/MEMORY.md.bak.1764000000 memories/USER.md.bak.1764000000 memories/USER.md~",
    "memory-pending": "pending/memory/0a1b2c3d.json pending/memory/.0a1b2c3d.json.tmp",
    "skills-pending": "pending/skills/0a1b2c3d.json",
    "soul": "SOUL.md SOUL.md~ SOUL.md.bak",
    "skills-archive": "skills/.archive/old/SKILL.md",
    "skills-curator-backups": "skills/.curator_backups/2026/skills.tar.gz skills/.curator_backups/2026/cron-jobs.json",
    "curator-blobs": ".curator_backups/blobs/0a1b",
    "skills-bundled": "skills/.bundled_manifest skills/.hub/lock.json skills/.hub/taps.json skills/.hub/index-cache/a",
    "skills-usage": (
        "skills/.usage.json skills/.curator_state skills/.curator_suppressed skills/.hub/audit.log"
        " skills/.hub/quarantine/a/SKILL.md skills/.curator_ledger.jsonl skills/.usage_a1b2c3d4.tmp"
    ),
    "skills-locks": "skills/.usage.json.lock skills/.locks/0a1b.lock",
    "skills": "skills/cat/name/SKILL.md skills/name/references/a/b.md",
    "skills-prompt-snapshot": ".skills_prompt_snapshot.json cache/banner_snapshot.json",
    "skill-bundles": (
        "skill-bundles/a.yaml hooks/a.py scripts/a.sh plugins/a/plugin.yaml skins/a.yaml dashboard-themes/a.css pets/a"
    ),
    "curator-reports": "logs/curator/20261129-030000/REPORT.md",
    "state-db": "state.db state.db-wal state.db-shm state.db-journal",
    "state-locks": "state.db.fts_rebuild.lock state.db.repair-attempts.json",
    "state-siblings": (
        "state.db.malformed-backup-20261128_030000 state.db.malformed-backup-20261128_030000-wal"
        " state.db.retired-wal-1-2/state.db-wal state.db.backup-staging-1"
    ),
    "state-backups": "state.db.pre-update-emergency-1.bak state.db.bak state.db.20260101.bak-wal",
    "pending-messages": "pending_messages/a.jsonl",
    "session-json": f"sessions/session_{ID}.json sessions/.session_{ID}_a1b2c3d4.tmp",
    "request-dump": f"sessions/request_dump_{ID}_20261130_142619_960618.json",
    "saved-conversations": "sessions/saved/hermes_conversation_20261129_211500.json",
    "session-exports": "session-exports/readme.md session-exports/manifest.jsonl",
    "sessions-index": "sessions/sessions.json sessions/.sessions_a1b2c3d4.tmp",
    "session-jsonl": f"sessions/{ID}.jsonl sessions/{ID}.json",
    "prompt-history": ".hermes_history",
    "paste-upload-list": "pastes/pending.json pastes/pending.json.tmp",
    "pastes": "pastes/paste_1_141957.txt",
    "clipboard-images": "images/clip_20261130_201101_1.png",
    "interrupt-log": "interrupt_debug.log",
    "agent-log": "logs/agent.log logs/agent.log.1 logs/agent.log.3",
    "gateway-log": "logs/gateway.log logs/gateway.log.2 logs/gateway.error.log logs/gateway-stdio.log",
    "subagent-timeout": f"logs/subagent-timeout-{ID}-1.log",
    "other-logs": (
        "logs/errors.log logs/errors.log.1 logs/gui.log logs/tool_calls.log logs/mcp-stderr.log logs/update.log"
        " logs/action-a.log logs/dashboard-auth.log logs/desktop.log logs/gateway-exit-diag.log"
        " logs/gateway-shutdown-watchdog.log logs/launchd-reload.log logs/container-boot.log"
        " logs/hindsight-embed.log logs/openviking-server.log logs/web_tools_debug_1a2b.json"
    ),
    "delegation-live": "cache/delegation/live/deleg_1/task-0.log delegation_cache/live/deleg_1/manifest.json",
    "delegation-spill": "cache/delegation/subagent-summary-0.txt delegation_cache/subagent-summary-0.txt",
    "spawn-trees": f"spawn-trees/{ID}/20261130T201500.json spawn-trees/{ID}/_index.jsonl",
    "moa-traces": f"moa-traces/{ID}.jsonl",
    "hook-outputs": f"hook_outputs/{ID}/f31e.txt",
    "web-cache": "cache/web/shop.example.md cache/web/browser-snapshot-1.txt web_cache/a.md",
    "processes": "processes.json",
    "verification": "verification_evidence.db verification_evidence.db-wal",
    "response-store": "response_store.db response_store.db-shm",
    "checkpoints": "checkpoints/store/objects/pack/a.pack checkpoints/legacy-1/HEAD checkpoints/.last_prune",
    "disk-cleanup": "disk-cleanup/tracked.json disk-cleanup/tracked.json.bak disk-cleanup/cleanup.log",
    "achievements": "plugins/hermes-achievements/state.json plugins/hermes-achievements/scan_snapshot.json",
    "terminal-sessions": "terminal-sessions/tty-dev-pts-0",
    "cache-images": "cache/images/a.png image_cache/a.png",
    "cache-documents": "cache/documents/doc_1_letter.txt document_cache/a",
    "cache-audio": "cache/audio/a.ogg audio_cache/a.ogg",
    "cache-videos": "cache/videos/a.mp4 video_cache/a.mp4",
    "cache-vision": "cache/vision/a.png temp_vision_images/a.png",
    "cache-video": "cache/video/a.mp4 temp_video_files/a.mp4",
    "screenshots": "cache/screenshots/browser_screenshot_1.png browser_screenshots/a.png",
    "recordings": "browser_recordings/session_1.webm",
    "browser-profile": (
        "chrome-debug/Default/Cookies chrome-debug/launch-stderr.log browser-profiles/a/b browser-profile/a"
    ),
    "workspace": "workspace/draft.txt workspace/meetings/1/transcript.txt workspace/meetings/.active.json plans/a.md",
    "sandboxes": "sandboxes/docker/task/workspace/a",
    "subprocess-home": "home/.bash_history",
    "sandbox-remote-ids": "modal_snapshots.json singularity_snapshots.json",
    "terminal-output": "cache/terminal-output/out-1.log",
    "terminal-files": "cache/terminal/hermes-snap-1.sh",
    "scratch": "cache/scratch/.last_prune cache/scratch/a/b",
    "citations": "cache/citations/a.json",
    "telemetry": "telemetry/shared_metrics/metrics.sqlite3",
    "pet-gen": "cache/pet-gen/a.png",
    "piper-voices": "cache/piper-voices/a.onnx piper_voices_cache/a.onnx",
    "secret-cache": "cache/bws_cache.json cache/op_cache.json cache/.bws_a1b2c3d4",
    "model-caches": (
        "models_dev_cache.json context_length_cache.yaml provider_models_cache.json .update_check"
    ),
    "provider-holographic": "memory_store.db memory_store.db-wal",
    "provider-byterover": "byterover/a/b.md",
    "provider-retaindb": "retaindb_queue.db",
    "provider-honcho": "honcho.json",
    "provider-hindsight": "hindsight/config.json",
    "provider-mem0": "mem0.json",
    "provider-supermemory": "supermemory.json",
    "cron-jobs": "cron/jobs.json cron/.jobs_a1b2c3d4.tmp",
    "cron-output": "cron/output/job/2026.md cron/output/job_1.txt cron/output/misc/a",
    "cron-exec": "cron/executions.db cron/executions.db-wal cron/deliveries.db cron/notepad.db",
    "cron-suggestions": "cron/suggestions.json cron/.sugg_a1b2c3d4",
    "cron-locks": "cron/.tick.lock cron/.jobs.lock",
    "projects": "projects.db projects.db-wal",
    "pairing": "platforms/pairing/telegram-approved.json platforms/pairing/_rate_limits.json pairing/a-pending.json",
    "channel-directory": "channel_directory.json channel_aliases.json .channel_directory_a1b2c3d4.tmp",
    "rich-sent": "state/rich_sent_index.json",
    "sticker-cache": "sticker_cache.json",
    "message-recovery": "gateway/discord_message_recovery.db gateway/discord_message_recovery.db-wal",
    "threads": "discord_threads.json google_chat_thread_counts.json",
    "dedup": (
        "feishu_seen_message_ids.json gateway/dead_targets.json gateway/restart_loop.json gateway_voice_mode.json"
        " google_chat_bot_id.json"
    ),
    "platform-rules": "discord_state.json feishu_comment_rules.json feishu_comment_pairing.json",
    "platform-media": (
        "platforms/whatsapp_cloud/media/a.jpg whatsapp_cloud/media/a.jpg tmp/teams_pipeline/a teams_pipeline_store.json"
    ),
    "platform-sessions": (
        "platforms/whatsapp/session/creds.json whatsapp/session/creds.json platforms/whatsapp/bridge.log"
        " platforms/matrix/store/crypto.db matrix/store/crypto.db weixin/accounts/a.json slack_tokens.json"
        " google_chat_user_token.json google_chat_user_token_a.json google_chat_user_tokens/a.json"
        " google_chat_client_secret.json webhook_subscriptions.json"
    ),
    "update-relay": (
        ".update_pending.json .update_pending.claimed.json .update_prompt.json .update_response .update_output.txt"
        " .restart_notify.json .restart_pending.json .restart_last_processed.json .drain_request.json"
        " .gateway-takeover.json"
    ),
    "gateway-state": "gateway.lock gateway.pid gateway_state.json runtime/active_sessions.json",
    "env": ".env .op.env .env_a1b2c3d4.tmp .env.bak",
    "auth": (
        "auth.json auth.lock auth.json.corrupt .anthropic_oauth.json auth/google_oauth.json google_token.json"
        " google_oauth_pending.json"
    ),
    "mcp-tokens": "mcp-tokens/files.json mcp-tokens/files.client.json mcp-tokens/files.meta.json",
    "vault": "vault/key",
    "config": "config.yaml gateway.json",
    "config-backups": (
        "config.yaml.bak.1764000000 config.yaml.corrupt.1764000000.bak config.yaml.bak-pre-migrate-xai-1"
    ),
    "allowlists": "shell-hooks-allowlist.json onboarding.seen",
    "profile-metadata": "profile.yaml distribution.yaml",
    "root-locks": ".backup.lock .env.lock any.lock",
    "program": "hermes-agent/run_agent.py bin/uv node/bin/node venv/bin/python .venv/bin/python lsp/a",
    "state-snapshots": "state-snapshots/20261130-before/state.db state-snapshots/20261130/.env",
    "backups": "backups/pre-update-1.zip backups/pre-migration-1.zip backups/config/config.yaml.good.1",
}

ROOT = {
    "kanban-db": (
        "kanban.db kanban.db-wal kanban/boards/home/kanban.db kanban/boards/home/board.json"
        " kanban/boards/_archived/home/kanban.db"
    ),
    "kanban-locks": "kanban.db.init.lock kanban/.dispatcher.lock",
    "kanban-files": (
        "kanban/workspaces/1/a kanban/attachments/a.png kanban/logs/1.log kanban/boards/home/logs/1.log"
        " kanban.db.corrupt.0a1b.bak"
    ),
    "shared-auth": "shared/nous_auth.json shared/nous_auth.lock",
    "active-profile": "active_profile",
    "spawn-ledger": "spawn-ledger.json",
    "provider-mem0-data": "mem0_qdrant/collection/a",
}

OUTSIDE = {
    "context-files": "<work>/AGENTS.md <work>/CLAUDE.md <work>/.hermes.md <work>/.cursorrules",
    "trajectories": "<work>/trajectory_samples.jsonl <work>/failed_trajectories.jsonl <work>/sample_1.json",
    "worktrees": "<work>/.worktrees/branch/a.py",
    "user-backups": "~/hermes-backup-2026-11-30.zip ~/default.tar.gz <work>/default.tar.gz",
    "openclaw-leftover": "~/.openclaw/a ~/.clawdbot/a ~/.moltbot/a ~/.openclaw.pre-migration-1/a",
    "tmp-results": "<tmp>/hermes-results/a.txt",
    "tmp-shell": (
        "<tmp>/hermes-snap-1.sh <tmp>/hermes-cwd-1.txt <tmp>/hermes_bg_1.log <tmp>/hermes_bg_1.pid"
        " <tmp>/hermes_bg_1.exit <tmp>/hermes_sandbox_1/a.py <tmp>/hermes_rpc/a <tmp>/hermes-ssh/a"
    ),
    "tmp-voice": (
        "<tmp>/hermes_voice/a.wav <tmp>/vc_listen_1.wav <tmp>/teams-transcript-1 <tmp>/cua_shot_1.png"
        " <tmp>/anthropic_image_1 <tmp>/hermes_shrink_1 <tmp>/hermes_prompt_1.md"
    ),
    "gateway-locks": "~/.local/state/hermes/gateway-locks/a.lock",
    "desktop-app": "~/.config/Hermes/Preferences ~/.cache/hermes/a ~/.local/share/hermes/a",
    "services": "~/.config/systemd/user/hermes-gateway-office.service ~/.local/bin/default",
    "other-clis": "~/.codex/auth.json ~/.claude/.credentials.json ~/.qwen/oauth_creds.json",
    "provider-honcho-outside": "~/.honcho/config.json",
    "provider-hindsight-outside": "~/.hindsight/config.json ~/.hindsight/profiles/a.env",
    "provider-mem0-outside": "~/.hermes/mem0_qdrant/a",
    "provider-openviking": "~/.openviking/ovcli.conf ~/.openviking/ovcli.conf.work <tmp>/openviking_upload_1.zip",
    "hermesweb-database": "<data>/hermesweb.sqlite3 <data>/hermesweb.sqlite3-wal",
    "hermesweb-turns": "<data>/turns/a.lock",
    "hermesweb-temporary": "<data>/scratch/temporary/run/a <data>/scratch/unfinished/run.json",
    "hermesweb-work-copies": "<data>/scratch/home/default/state-copy-1/state.db",
}
