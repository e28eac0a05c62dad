"""Memory, proposals, persona and skills."""

from django.utils.translation import gettext_lazy as _

NAMES = {
    "memory-md": (_("Memory file"), _("What the agent noted for itself, also about you.")),
    "user-md": (_("User profile"), _("What the agent knows about you: USER.md.")),
    "memory-locks": (
        _("Locks of the memory files"),
        _("Empty files that keep two programs from writing at the same time."),
    ),
    "hermesweb-leftovers": (
        _("Left behind by hermesweb"),
        _("Half-done work of hermesweb that was stopped: parts of a memory file or of a proposal."),
    ),
    "memory-tmp": (
        _("Unfinished memory files"),
        _("Left behind when Hermes was stopped while it saved memory."),
    ),
    "memory-archive": (
        _("Memory archive"),
        _("Entries that were removed from memory or replaced, word for word."),
    ),
    "memory-drift-bak": (
        _("Backups of memory files"),
        _("The whole file as it was when Hermes could not save. A reset leaves them."),
    ),
    "memory-pending": (
        _("Proposals for memory"),
        _("Entries the agent wants to save and that wait for your decision."),
    ),
    "skills-pending": (
        _("Proposals for skills"),
        _("Skills the agent wants to save and that wait for your decision."),
    ),
    "soul": (_("Persona"), _("SOUL.md: how Hermes should behave, often with facts about you.")),
    "context-files": (
        _("Instructions in work folders"),
        _("AGENTS.md and the like in folders the agent works in, written by you or the agent."),
    ),
    "personality-config": (
        _("Personalities and commands"),
        _("Free text in config.yaml: personalities, hints, commands that are always allowed."),
    ),
    "skills-archive": (_("Deleted skills"), _("Hermes’ own delete moves a skill here.")),
    "skills-curator-backups": (
        _("Copies of skills and scheduled jobs"),
        _("All skills and the text of all scheduled jobs, packed. The last five are kept."),
    ),
    "curator-blobs": (_("Copies of texts of skills"), _("Older versions of skills, one file for each text.")),
    "skills-bundled": (_("List of skills that came with Hermes"), _("Which skills belong to Hermes itself.")),
    "skills-usage": (_("Use of skills"), _("Which skill was used, and when.")),
    "skills-locks": (
        _("Locks of the skills"),
        _("Empty files that keep two programs from writing at the same time."),
    ),
    "skills": (_("Skills"), _("Instructions the agent or you wrote. They can hold facts about you.")),
    "skills-prompt-snapshot": (
        _("List of skills for the prompt"),
        _("Names and descriptions of all skills. Hermes makes it again."),
    ),
    "skill-bundles": (_("Extensions you made"), _("Hooks, scripts, plugins, skins and bundles of skills.")),
    "curator-reports": (_("Reviews of skills"), _("What Hermes wrote when it reviewed its skills.")),
}
