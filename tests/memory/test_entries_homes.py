"""Both real homes, against what their own Hermes said about them when they were made."""

import json
import tarfile
from pathlib import Path
from typing import Any

import pytest

from hermesweb.hermes.config import read_config
from hermesweb.hermes.homes import find_profile, home_at
from memory.entries import FILE_NAMES, read_store
from memory.limits import TARGETS, Rules, Target, usage_text
from memory.pending import read_pending

HOMES = Path(__file__).parents[1] / "homes"


@pytest.fixture(scope="module", params=["0.19", "0.22"])
def real_home(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Any, Any, Any]:
    """The root of an extracted home, its manifest, and the release that wrote it."""
    folder = tmp_path_factory.mktemp(f"hermes-{request.param}")
    with tarfile.open(HOMES / f"hermes-{request.param}-home.tar.gz") as archive:
        archive.extractall(folder, filter="tar")
    manifest = json.loads((HOMES / f"hermes-{request.param}-home.json").read_text())
    return folder / "sam" / ".hermes", manifest["facts"]["profiles"], request.param


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("name", ["default", "office"])
def test_entries_counts_limits_and_findings(real_home: Any, name: str, target: Target) -> None:
    root, facts, release = real_home
    fact = facts[name]["memory"][FILE_NAMES[target]]
    profile = find_profile(home_at(root), name)
    store = read_store(profile, target, read_config(profile.folder, root=root), release)
    assert store.problem is None
    seen = [
        {
            "text": entry.text,
            "chars": entry.characters,
            "loaded": entry.duplicate_of is None,
            "findings_strict": [*entry.blocked, *entry.would_find],
            "starts_with_blocked": not entry.scanned,
        }
        for entry in store.entries
    ]
    assert seen == [
        entry | {"findings_strict": sorted(entry["findings_strict"])} for entry in fact["entries"]
    ]
    assert store.raw_characters == fact["file_chars"]
    assert store.used == fact["chars_loaded"]
    assert store.limit.value == fact["char_limit"]
    assert (len(store.entries), len(store.kept)) == (fact["entries_in_file"], fact["entries_loaded"])
    if not any(entry.blocked for entry in store.kept):
        assert usage_text(store.used, fact["char_limit"]) in fact["system_prompt_block"]


@pytest.mark.parametrize("name", ["default", "office"])
def test_pending_writes(real_home: Any, name: str) -> None:
    root, facts, _ = real_home
    queue = read_pending(find_profile(home_at(root), name))
    for subsystem, records in facts[name]["pending"].items():
        seen = {
            record.id: (record.action, record.origin, record.summary, sorted(record.payload))
            for record in queue.records
            if record.subsystem == subsystem and record.problem is None
        }
        told = {
            record["id"]: (record["action"], record["origin"], record["summary"], record["payload_keys"])
            for record in records
        }
        assert {key: value[:2] for key, value in seen.items()} == {
            key: value[:2] for key, value in told.items()
        }
        for key, (_, _, summary, keys) in told.items():
            assert seen[key][2].startswith(summary.strip()[:100])
            assert seen[key][3] == keys


def test_the_manifest_of_each_release_is_read_by_its_own_rules(real_home: Any) -> None:
    root, facts, release = real_home
    other: Rules = "0.22" if release == "0.19" else "0.19"
    profile = find_profile(home_at(root), "default")
    config = read_config(profile.folder, root=root)
    mine, theirs = (read_store(profile, "memory", config, rules) for rules in (release, other))
    assert [entry.blocked_by for entry in mine.entries] == [entry.blocked_by for entry in theirs.entries]
    assert facts["default"]["memory"]["MEMORY.md"]["entries_in_file"] == len(theirs.entries)
