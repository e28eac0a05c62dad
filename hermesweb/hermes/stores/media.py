"""Media, the browser and what the agent works on (gateway/platforms/base.py, tools/browser_tool.py)."""

from typing import Final

from hermesweb.hermes.stores.table import row

_CACHE: Final = "logs_and_caches"

STORES = (
    row("cache-images", "cache/images/ image_cache/", _CACHE, "default", "delete", "", survives="delete"),
    row(
        "cache-documents", "cache/documents/ document_cache/", _CACHE, "default", "delete", "",
        survives="delete",
    ),
    row("cache-audio", "cache/audio/ audio_cache/", _CACHE, "default", "delete", "", survives="delete"),
    row("cache-videos", "cache/videos/ video_cache/", _CACHE, "default", "delete", "", survives="delete"),
    row("cache-vision", "cache/vision/ temp_vision_images/", _CACHE, "default", "delete", ""),
    row("cache-video", "cache/video/ temp_video_files/", _CACHE, "default", "delete", ""),
    row(
        "screenshots", "cache/screenshots/ browser_screenshots/", _CACHE, "default", "delete", "",
    ),
    row("recordings", "browser_recordings/", "work", "default", "delete", ""),
    row(
        "browser-profile", "chrome-debug/ browser-profiles/ browser-profile/", "credentials", "credentials",
        "delete", "", stop_first=True, hazards="app_open logs_out holds_credentials",
    ),
    row("workspace", "workspace/ plans/", "work", "yours", "ask", "", survives="delete"),
    row(
        "sandboxes", "sandboxes/", "work", "yours", "ask", "", survives="delete", stop_first=True,
        hazards="elsewhere_too",
    ),
    row(
        "subprocess-home", "home/", "work", "credentials", "ask", "", hazards="holds_credentials logs_out",
    ),
    row(
        "sandbox-remote-ids", "modal_snapshots.json singularity_snapshots.json", "work", "out_of_reach",
        "report", "", hazards="remote_copies_stay",
    ),
    row("terminal-output", "cache/terminal-output/", _CACHE, "default", "delete", "0.22", survives="delete"),
    row("terminal-files", "cache/terminal/", _CACHE, "default", "delete", "", hazards="environment"),
    row("scratch", "cache/scratch/", _CACHE, "default", "delete", "0.22", survives="delete"),
    row("citations", "cache/citations/", _CACHE, "default", "delete", "later"),
    row("telemetry", "telemetry/", _CACHE, "default", "delete", "0.22", check="sql_and_bytes"),
    row("pet-gen", "cache/pet-gen/", _CACHE, "keep", "keep", "", check="none"),
    row(
        "piper-voices", "cache/piper-voices/ piper_voices_cache/", _CACHE, "keep", "keep", "",
        check="none",
    ),
    row(
        "secret-cache", "cache/bws_cache.json cache/op_cache.json cache/.bws_*", "credentials", "default",
        "delete", "", hazards="holds_credentials",
    ),
    # All other JSON files directly in cache/, after the two above.
    row(
        "model-caches",
        "cache/*.json models_dev_cache.json context_length_cache.yaml provider_models_cache.json .update_check",
        _CACHE, "keep", "keep", "",
    ),
)  # fmt: skip
