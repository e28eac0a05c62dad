"""The queues that wait in the recorded homes, approved from the oldest to the newest."""

import sys
from pathlib import Path
from typing import Any

import pytest

from hermesweb.hermes.homes import Home, Profile
from memory.limits import Rules
from memory.pending import read_pending
from tests.approval_builders import approved, files_of, let_hermes_approve, shown, shown_skill
from tests.home_builders import recorded_home
from tests.memory_builders import SEPARATOR, MemoryHome


def recorded(release: str, folder: Path) -> MemoryHome:
    root = recorded_home(release, folder).root
    return MemoryHome(Profile(Home("home", "Home", root), "default", root))


def case_of(home: MemoryHome) -> dict[str, Any]:
    """The home as the oracle takes it."""
    files = {"config.yaml": (home.folder / "config.yaml").read_text()}
    for folder in ("memories", "skills"):
        for path in (home.folder / folder).rglob("*"):
            if path.is_file() and not path.name.endswith((".lock", ".gz")) and ".bak." not in path.name:
                files[str(path.relative_to(home.folder))] = path.read_bytes().decode(
                    "utf-8", "surrogateescape"
                )
    queue = [
        [record.subsystem, record.path.name, record.path.read_text()]
        for record in read_pending(home.profile).records
    ]
    return {"files": files, "queue": queue}


def compared(files: dict[str, str | None]) -> dict[str, str]:
    return {
        name: content
        for name, content in files.items()
        if content is not None and not name.endswith(".gz") and ".locks" not in name and "curator" not in name
    }


def approve_everything(home: MemoryHome, queue: list[Any], rules: Rules) -> list[str]:
    return [approved(home, subsystem, name.removesuffix(".json"), rules) for subsystem, name, _ in queue]


@pytest.mark.interop
def test_a_home_of_0_19(tmp_path: Path) -> None:
    home = recorded("0.19", tmp_path / "recorded")
    case = case_of(home)
    (answer,) = let_hermes_approve([case], tmp_path / "hermes", sys.executable)
    refused = approve_everything(home, case["queue"], "0.19")
    assert [bool(each) for each in refused] == [bool(step["refused"]) for step in answer["steps"]], refused
    assert compared(files_of(home.folder)) == compared(answer["steps"][-1]["files"])
    assert len(refused) == 11


def test_a_home_of_0_22(tmp_path: Path) -> None:
    """What Hermes 0.22 made of the same queue, when it was asked by hand."""
    home = recorded("0.22", tmp_path / "recorded")
    queue = case_of(home)["queue"]
    for subsystem, name, _ in queue:
        identity = name.removesuffix(".json")
        if subsystem == "memory":
            proposal = shown(home, identity)
            assert (proposal.reason, proposal.pinned_because) == (None, None)
        else:
            assert shown_skill(home, identity, "0.22").steps
    refused = approve_everything(home, queue, "0.22")
    codes = [each.split("'")[1] if each else "" for each in refused]
    assert [code for code, (subsystem, _, _) in zip(codes, queue, strict=True) if subsystem == "memory"] == [
        ""
    ] * 6
    assert codes.count("batch_of_skills") == 1
    memory = (home.folder / "memories/MEMORY.md").read_text().split(SEPARATOR)
    user = (home.folder / "memories/USER.md").read_text().split(SEPARATOR)
    assert memory[-1].startswith("The review thinks of ")
    assert not any("cat" in entry for entry in memory)
    assert [entry.rsplit(" ", 1)[0] for entry in user] == [
        "Lives elsewhere, near",
        "Works as a pilot at",
        "Prefers short",
        "Allergic to nuts, says",
        "Speaks English and some",
        "Maybe plays the oboe with",
        "Perhaps a member of",
    ]
