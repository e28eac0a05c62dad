"""Copies at services of others, as far as the files of a profile tell."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hermesweb.hermes.config import Config, read_config
from hermesweb.hermes.remote import RemotePlaces, remote_places
from hermesweb.hermes.remote_config import configured_places
from hermesweb.hermes.remote_place import RemotePlace, without_secrets
from hermesweb.hermes.stores.catalogue import store
from tests.home_builders import recorded_home
from tests.kernel_builders import profile_in, write


def places(root: Path, config: Any = None, **files: Any) -> RemotePlaces:
    write(root, {name: text if isinstance(text, str) else json.dumps(text) for name, text in files.items()})
    return remote_places(profile_in(root), Config(config or {}))


def named(found: RemotePlaces, identity: str) -> list[RemotePlace]:
    return [each for each in found.places if each.store == identity]


def services(found: RemotePlaces, identity: str) -> list[str]:
    return [each.service for each in named(found, identity)]


def test_an_empty_profile_tells_nothing(tmp_path: Path) -> None:
    assert places(tmp_path) == RemotePlaces((), ())


def test_model_providers_wherever_they_are_set(tmp_path: Path) -> None:
    config = {
        "model": {
            "default": "m",
            "provider": "openrouter",
            "base_url": "https://sam:secret@one.example/v1?key=k",
        },
        "fallback_providers": [{"provider": "anthropic", "model": "c"}],
        "auxiliary": {
            "vision": {"provider": "auto"},
            "title_generation": {"base_url": "http://127.0.0.1:8080/v1"},
        },
        "delegation": {"provider": "deepseek"},
        "moa": {
            "presets": {
                "p": {"reference_models": [{"provider": "gemini"}], "aggregator": {"provider": "main"}}
            }
        },
        "custom_providers": [{"name": "mine", "base_url": "https://mine.example"}],
        "providers": {"called": {"base_url": "https://called.example"}},
    }
    found = named(places(tmp_path, config), "model-provider")
    assert {(each.service, each.address, each.delete_at) for each in found} == {
        ("openrouter", "https://one.example/v1", "provider_account"),
        ("anthropic", "", "provider_account"),
        ("title_generation", "http://127.0.0.1:8080/v1", "own_machine"),
        ("deepseek", "", "provider_account"),
        ("gemini", "", "provider_account"),
        ("mine", "https://mine.example", "provider_account"),
        ("called", "https://called.example", "provider_account"),
    }
    assert found[0].what == ("prompts", "turns")


@pytest.mark.parametrize(
    ("name", "identity"),
    [("honcho", "provider-honcho-remote"), ("Mem0", "provider-mem0-remote"), ("my-own", "memory-provider")],
)
def test_memory_provider(tmp_path: Path, name: str, identity: str) -> None:
    (found,) = places(tmp_path, {"memory": {"provider": name}}).places
    assert (found.store, found.service, found.known) == (identity, name, "configured")
    assert store(found.store).where == "remote"


@pytest.mark.parametrize("name", ["", "none", "builtin", "holographic", None, 7, ["honcho"]])
def test_no_memory_provider_elsewhere(tmp_path: Path, name: object) -> None:
    assert places(tmp_path, {"memory": {"provider": name}}).places == ()


def test_a_memory_provider_that_was_used_before(tmp_path: Path) -> None:
    found = places(tmp_path, **{"honcho.json": {}, "retaindb_queue.db": "x", "hindsight/config.json": {}})
    assert {(each.store, each.known) for each in found.places} == {
        ("provider-honcho-remote", "noted"),
        ("provider-retaindb-remote", "noted"),
        ("provider-hindsight-remote", "noted"),
    }


def test_platforms_with_their_chats(tmp_path: Path) -> None:
    directory = {
        "platforms": {"telegram": [{"id": "1", "name": "velname"}, {"id": "2"}], "discord": [], "odd": 7}
    }
    found = places(tmp_path, **{"channel_directory.json": directory})
    assert [(each.service, each.count) for each in found.places] == [("telegram", 2), ("odd", None)]
    assert "velname" not in str(found)


def test_uploaded_reports(tmp_path: Path) -> None:
    entries = [
        {"url": "https://paste.rs/abc", "expire_at": 1_800_000_000},
        {"url": "https://paste.rs/def", "expire_at": "never"},
        {"url": 7},
        "nothing",
    ]
    found = named(places(tmp_path, **{"pastes/pending.json": entries}), "debug-share")
    assert [(each.address, each.until, each.delete_at) for each in found] == [
        ("https://paste.rs/abc", 1_800_000_000, "debug_delete"),
        ("https://paste.rs/def", None, "debug_delete"),
    ]


def test_sandboxes(tmp_path: Path) -> None:
    found = places(
        tmp_path,
        {"terminal": {"backend": "daytona"}},
        **{"modal_snapshots.json": {"direct:a": "im-1", "b": 2}},
    )
    first, second = named(found, "sandbox-cloud")
    assert (first.service, first.count, first.handles, first.known) == ("modal", 2, ("im-1",), "noted")
    assert (second.service, second.known) == ("daytona", "configured")
    assert not places(tmp_path / "other", {"terminal": {"backend": "docker"}}).places


def test_tools_and_media(tmp_path: Path) -> None:
    config = {
        "web": {"backend": "exa", "search_backend": "tavily"},
        "tts": {"provider": "edge"},
        "stt": {"provider": "local"},
        "mcp_servers": {"files": {"command": "x"}, "far": {"url": "https://user:pw@mcp.example/sse"}},
    }
    found = places(tmp_path, config)
    assert services(found, "search-browse") == ["exa", "tavily"]
    assert services(found, "speech-image") == ["edge"]
    assert [(each.service, each.address) for each in named(found, "mcp-servers")] == [
        ("far", "https://mcp.example/sse")
    ]


def test_keys_tell_of_a_service_by_name_only(tmp_path: Path) -> None:
    env = (
        "TELEGRAM_BOT_TOKEN=velsecret\n# DISCORD_BOT_TOKEN=x\nSLACK_BOT_TOKEN=\nexport HF_TOKEN='velsecret'\n"
    )
    found = places(tmp_path, **{".env": env + "HERMES_LANGFUSE_SECRET_KEY=velsecret"})
    assert {(each.store, each.service) for each in found.places} == {
        ("messaging", "telegram"),
        ("hf-traces", "hugging face"),
        ("langfuse", "langfuse"),
    }
    assert {each.known for each in found.places} == {"key"}
    assert "velsecret" not in str(found)


def test_what_was_noted_comes_before_what_is_configured_and_each_once(tmp_path: Path) -> None:
    directory = {"platforms": {"telegram": [{}]}}
    found = places(tmp_path, **{"channel_directory.json": directory, ".env": "TELEGRAM_BOT_TOKEN=1"})
    assert [(each.service, each.known) for each in found.places] == [("telegram", "noted")]


def test_files_that_cannot_be_read_are_named(tmp_path: Path) -> None:
    write(
        tmp_path, {"channel_directory.json": b"\xff", "pastes/pending.json": "[" * 100_000, "secret": "A=1"}
    )
    (tmp_path / ".env").symlink_to(tmp_path / "secret")
    (tmp_path / "modal_snapshots.json").mkdir()
    found = places(tmp_path)
    assert found.places == ()
    assert [(each.file, each.why) for each in found.not_read] == [
        ("channel_directory.json", "broken"),
        ("pastes/pending.json", "broken"),
        ("modal_snapshots.json", "not_a_file"),
        (".env", "link"),
    ]


@pytest.mark.parametrize("release", ["0.19", "0.22"])
def test_recorded_homes(tmp_path: Path, release: str) -> None:
    profile = profile_in(recorded_home(release, tmp_path).root)
    found = remote_places(profile, read_config(profile.folder, root=profile.home.root))
    assert {(each.store, each.service, each.known) for each in found.places} >= {
        ("messaging", "telegram", "noted"),
        ("provider-honcho-remote", "honcho", "noted"),
        ("provider-retaindb-remote", "retaindb", "noted"),
        ("model-provider", "custom", "configured"),
    }
    assert found.not_read == ()


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://a:b@c.example:8/v1/?q=s#f", "https://c.example:8/v1/"),
        ("https://[broken", ""),
        ("plain", "plain"),
        ("", ""),
    ],
)
def test_addresses_without_secrets(url: str, shown: str) -> None:
    assert without_secrets(url) == shown


anything = st.recursive(
    st.none() | st.booleans() | st.floats() | st.text(),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(), below, max_size=3),
    max_leaves=8,
)


@given(
    st.dictionaries(st.sampled_from(["model", "auxiliary", "memory", "web", "mcp_servers", "tts"]), anything)
)
def test_any_configuration_has_an_answer(values: dict[object, object]) -> None:
    for place in configured_places(Config(values)):
        assert len(place.address) <= 500
