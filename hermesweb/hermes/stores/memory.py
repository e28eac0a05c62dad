"""Memory, staged writes, persona and skills (tools/memory_tool.py, tools/write_approval.py, tools/skill_*.py)."""

from typing import Final

from hermesweb.hermes.stores.table import row

_COPIES: Final = "memory_copies"
_SKILLS: Final = "skills_and_settings"

STORES = (
    row(
        "memory-md", "memories/MEMORY.md", "memory", "default", "lock_and_delete", "0.13.0",
        hazards="open_chat_keeps provider_not_told",
    ),
    row(
        "user-md", "memories/USER.md", "memory", "default", "lock_and_delete", "0.13.0",
        hazards="open_chat_keeps provider_not_told",
    ),
    row(
        "memory-locks", "memories/*.lock", "logs_and_caches", "keep", "keep", "0.13.0",
        hazards="breaks_locking", check="none",
    ),
    row(
        "hermesweb-leftovers", "**/.mem_hermesweb_* pending/*/*.hermesweb_claim", _COPIES, "default", "delete",
        "", survives="reset",
    ),
    row(
        "memory-tmp", "memories/.mem_*", _COPIES, "default", "lock_and_delete", "0.13.0", survives="reset",
    ),
    row(
        "memory-archive", "memories/ARCHIVE.jsonl*", _COPIES, "default", "delete", "later", survives="reset",
    ),
    row(
        "memory-drift-bak", "memories/*MEMORY.md* memories/*USER.md*", _COPIES, "default", "delete", "0.15.2",
        survives="reset",
    ),
    row(
        "memory-pending", "pending/memory/", _COPIES, "default", "delete", "0.17.0", survives="reset",
        hazards="adds_again",
    ),
    row(
        "skills-pending", "pending/skills/", _SKILLS, "default", "delete", "0.17.0",
        hazards="adds_again",
    ),
    row(
        "soul", "SOUL.md", _SKILLS, "yours", "ask", "0.13.0", survives="reset delete",
        hazards="stock_text provider_not_told",
    ),
    row(
        "context-files", "<work>/AGENTS.md <work>/CLAUDE.md <work>/.hermes.md <work>/.cursorrules", _SKILLS,
        "yours", "report", "", survives="reset delete", hazards="no_fixed_place", where="outside",
    ),
    row(
        "personality-config", "", _SKILLS, "yours", "ask", "", survives="reset delete", inside="config",
    ),
    row(
        "skills-archive", "skills/.archive/", "snapshots_and_backups", "default", "delete", "",
        survives="reset",
    ),
    row(
        "skills-curator-backups", "skills/.curator_backups/", "snapshots_and_backups", "default", "delete",
        "0.13.0", survives="reset delete", hazards="packed", check="archives",
    ),
    row(
        "curator-blobs", ".curator_backups/", "snapshots_and_backups", "default", "delete", "0.22",
        survives="reset delete",
    ),
    row(
        "skills-bundled",
        "skills/.bundled_manifest* skills/.hub/lock.json skills/.hub/taps.json skills/.hub/index-cache/",
        _SKILLS, "keep", "keep", "", check="none",
    ),
    row(
        "skills-usage",
        "skills/.usage.json skills/.usage_*.tmp skills/.curator_state skills/.curator_suppressed*"
        " skills/.curator_ledger.jsonl skills/.hub/",
        _SKILLS, "default", "delete", "",
    ),
    row(
        "skills-locks", "skills/.locks/ skills/*.lock", "logs_and_caches", "keep", "keep", "",
        hazards="breaks_locking", check="none",
    ),
    row(
        "skills", "skills/", _SKILLS, "yours", "ask", "0.13.0", survives="reset delete", hazards="moved_only",
    ),
    row(
        "skills-prompt-snapshot", ".skills_prompt_snapshot.json cache/banner_snapshot.json", "logs_and_caches",
        "default", "delete", "",
    ),
    row(
        "skill-bundles",
        "skill-bundles/ hooks/ scripts/ plugins/ skins/ dashboard-themes/ pets/", _SKILLS, "yours", "ask",
        "", survives="reset delete",
    ),
    row("curator-reports", "logs/curator/", "logs_and_caches", "default", "delete", ""),
)  # fmt: skip
