"""How long the views of a long queue take to build. Run: python tests/bench/bench_pending.py

A home with full stores, eighty skills, 150 waiting writes to memory and 50 to skills, some of them large. Prints
the time of each part, of the whole page as the server makes it, and of approving all of them.
"""

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from memory.approval import approve_all
from memory.pending import PendingQueue, read_pending
from memory.proposal import Proposal, proposal_view
from memory.skill_approval import approve_skills
from memory.skill_files import find_skills
from memory.skill_proposal import SkillProposal, skill_view
from tests.approval_builders import decision, memory_of, skill, states, wants, wants_skill
from tests.memory_builders import SEPARATOR, MemoryHome, memory_home, write

if TYPE_CHECKING:
    from django.test import Client

Value = TypeVar("Value")
ENTRIES = [f"Entry {number} about the {number}th thing that somebody told the agent" for number in range(30)]
LINES = [f"- step {number}: do the {number}th thing with care\n" for number in range(1_500)]


def build(folder: Path) -> MemoryHome:
    home = memory_home(folder)
    home.config("memory: {memory_char_limit: 100000}")
    home.memory(SEPARATOR.join(ENTRIES))
    for number in range(80):
        write(home.folder / f"skills/group-{number % 8}/skill-{number}/SKILL.md", skill(body="".join(LINES)))
    for number in range(150):
        kind = number % 3
        if kind == 0:
            wants(home, f"{number:08x}", action="add", content=f"New thing {number} " + "words " * 30)
        elif kind == 1:
            entry = ENTRIES[number % 10]
            wants(
                home, f"{number:08x}", action="patch", old_text="told", content="said to", matched_entry=entry
            )
        else:
            operations = [
                {"action": "add", "content": f"Batch {number}"},
                {
                    "action": "remove",
                    "old_text": ENTRIES[10 + number % 20],
                    "matched_entry": ENTRIES[10 + number % 20],
                },
            ]
            wants(home, f"{number:08x}", action="batch", operations=operations)
    for number in range(50):
        changed = "".join(
            line.replace("care", "haste") if row % 50 == 0 else line for row, line in enumerate(LINES)
        )
        name = f"skill-{number}"
        wants_skill(home, f"{number:08x}", action="edit", name=name, content=skill(name, body=changed))
    return home


def timed(name: str, work: Callable[[], Value]) -> Value:
    began = time.perf_counter()
    value = work()
    print(f"{name:<42} {(time.perf_counter() - began) * 1000:8.1f} ms")
    return value


def memory_views(home: MemoryHome, queue: PendingQueue) -> list[Proposal]:
    now = states(home.profile, home.read_config(), "0.22")
    return [proposal_view(record, now) for record in queue.memory]


def skill_views(home: MemoryHome, queue: PendingQueue) -> list[SkillProposal]:
    skills = find_skills(home.profile)
    return [skill_view(record, home.profile, "0.22", skills) for record in queue.skills]


def signed_in(home: MemoryHome, data: Path) -> "Client":
    """A browser of an owner, in this process, with a database of its own."""
    os.environ.update(
        DJANGO_SETTINGS_MODULE="hermesweb.settings",
        HERMESWEB_DATA=str(data),
        HERMESWEB_HOMES=f"Bench={home.profile.home.root}",
    )
    data.mkdir()
    import django

    django.setup()
    from django.core.management import call_command
    from django.test import Client

    from hermesweb.accounts.models import Person

    call_command("migrate", verbosity=0)
    call_command("createcachetable", verbosity=0)
    Person.objects.create_superuser("bench", password="not a secret here")
    client = Client(headers={"host": "localhost"})
    assert client.post("/sign-in/", {"login": "bench", "password": "not a secret here"}).status_code == 302
    return client


def page(client: "Client") -> bytes:
    response = client.get("/homes/bench/default/pending/")
    assert response.status_code == 200, response.status_code
    return bytes(response.content)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = build(Path(folder) / "home")
        client = signed_in(home, Path(folder) / "data")
        page(client)  # the templates are compiled once
        size = len(timed("the whole page of 200 proposals", lambda: page(client)))
        print(f"{'its HTML':<42} {size / 1000:8.1f} KB")
        queue = timed("read the queue (200)", lambda: read_pending(home.profile))
        memory = timed("views of 150 writes to memory", lambda: memory_views(home, queue))
        skills = timed("views of 50 changes of skills (70 KB)", lambda: skill_views(home, queue))
        timed("approve 150 writes to memory", lambda: approve_all(memory_of(home), map(decision, memory)))
        timed("approve 50 changes of skills", lambda: approve_skills(home.profile, map(decision, skills)))


if __name__ == "__main__":
    main()
