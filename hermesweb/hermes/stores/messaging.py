"""Messaging platforms: who may talk to the agent, their chats and logins (gateway/)."""

from hermesweb.hermes.stores.table import row

STORES = (
    row(
        "pairing", "platforms/pairing/ pairing/", "contacts", "contacts", "delete", "", stop_first=True,
        hazards="pair_again together ids_stay comes_back",
    ),
    row(
        "channel-directory", "channel_directory.json channel_aliases.json", "contacts", "contacts", "delete",
        "", stop_first=True, hazards="rewritten remote_copies_stay",
    ),
    row(
        "rich-sent", "state/rich_sent_index.json", "conversation_copies", "default", "delete", "0.17.0",
        survives="delete",
    ),
    row("sticker-cache", "sticker_cache.json", "logs_and_caches", "default", "delete", "", stop_first=True),
    row(
        "message-recovery", "gateway/discord_message_recovery.db", "conversation_copies", "default",
        "database_delete", "0.19.0", survives="delete", stop_first=True, hazards="never_unlink",
        check="sql_and_bytes",
    ),
    row(
        "threads", "*_threads.json google_chat_thread_counts.json", "logs_and_caches", "default", "delete",
        "", stop_first=True,
    ),
    row(
        "dedup",
        "feishu_seen_message_ids.json gateway/dead_targets.json gateway/restart_loop.json gateway_voice_mode.json"
        " google_chat_bot_id.json",
        "logs_and_caches", "default", "delete", "", stop_first=True,
    ),
    row(
        "platform-rules", "discord_*.json feishu_comment_rules.json feishu_comment_pairing.json", "contacts",
        "contacts", "delete", "", stop_first=True, hazards="pair_again",
    ),
    row(
        "platform-media",
        "platforms/whatsapp_cloud/media/ whatsapp_cloud/media/ tmp/teams_pipeline/ teams_pipeline_store.json",
        "work", "default", "delete", "", survives="delete", stop_first=True,
    ),
    row(
        "platform-sessions",
        "platforms/whatsapp/ whatsapp/ platforms/matrix/ matrix/ weixin/ platforms/whatsapp_cloud/"
        " whatsapp_cloud/ slack_tokens.json google_chat_user_token*.json google_chat_user_tokens/"
        " *_client_secret.json webhook_subscriptions.json",
        "credentials", "credentials", "ask", "", stop_first=True, hazards="logs_out holds_credentials",
    ),
    row(
        "update-relay",
        ".update_pending.json .update_pending.claimed.json .update_prompt.json .update_response"
        " .update_output.txt .restart_notify.json .restart_pending.json .restart_last_processed.json"
        " .drain_request.json .gateway-*.json",
        "logs_and_caches", "default", "delete", "", stop_first=True,
    ),
    row(
        "gateway-state", "gateway.lock gateway.pid gateway_state.json runtime/", "logs_and_caches", "live",
        "keep", "", hazards="breaks_locking rewritten",
    ),
    row(
        "spawn-ledger", "spawn-ledger.json", "logs_and_caches", "live", "keep", "0.22", where="root",
    ),
)  # fmt: skip
