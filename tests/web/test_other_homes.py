"""The pages on homes of other releases, on a generated one, and on what no Hermes would have left."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from django.http import HttpResponse
from django.test import Client

from hermesweb.homes import configured
from tests.home_builders import BuiltHome
from tests.web.pages import elements

pytestmark = pytest.mark.django_db

Show = Callable[..., list[HttpResponse]]


@pytest.fixture
def look(owner_client: Client, monkeypatch: pytest.MonkeyPatch) -> Show:
    """look(folder) -> the list of homes, then the overview and the memory of a profile of the home there."""

    def make(folder: Path, profile: str = "default") -> list[HttpResponse]:
        monkeypatch.setenv("HERMES_HOME", str(folder))
        (home,) = configured()
        part = f"/homes/{home.key}/{profile}/"
        answers = [owner_client.get(address) for address in ("/homes/", part, part + "memory/")]
        for answer in answers:
            assert answer.status_code == 200
            assert {tag for tag, _ in elements(answer).tags} & {"img", "iframe", "style"} == set()
        return answers

    return make


def words(answer: HttpResponse) -> str:
    return " ".join(" ".join(text for _, text in elements(answer).texts).split())


@pytest.fixture
def small(tmp_path: Path) -> Path:
    folder = tmp_path / "small" / ".hermes"
    (folder / "memories").mkdir(parents=True)
    (folder / "memories" / "MEMORY.md").write_text("first\n§\nsecond")
    return folder


def test_a_home_that_is_a_link_says_where_it_leads(look: Show, small: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(small)
    homes, _overview, memory = look(tmp_path / "link")
    assert f"{tmp_path}/link , a link to {small}" in words(homes)
    assert "first" in words(memory)
    assert "a link to" not in words(look(small)[0])


@pytest.mark.parametrize("profile", ["default", "office"])
def test_a_home_of_022(profile: str, look: Show, home_022: BuiltHome) -> None:
    _, overview, memory = look(home_022.root, profile)
    assert "written by Hermes 0.22" in words(overview)
    assert "Blocked by the rules of 0.22" in words(memory)


@pytest.mark.parametrize("profile", ["default", "work"])
def test_a_generated_home_with_bait_everywhere(profile: str, look: Show, generated_home: BuiltHome) -> None:
    _, overview, _ = look(generated_home.root, profile)
    html = overview.content.decode()
    for bait in generated_home.facts(profile)["xss"]:
        assert bait not in html


def test_a_folder_with_an_odd_name(look: Show, small: Path, tmp_path: Path) -> None:
    odd = tmp_path / "my höme\nof <b>things</b> &amp;"
    shutil.move(small, odd)
    homes, overview, memory = look(odd)
    assert "<b>things" not in homes.content.decode() + overview.content.decode()
    assert "second" in words(memory)


def test_two_hundred_profiles(look: Show, small: Path) -> None:
    for number in range(200):
        (small / "profiles" / f"p{number}").mkdir(parents=True)
    homes, *_ = look(small, "p199")
    assert words(homes).count("Can be read and written") == 201


@pytest.mark.parametrize(
    ("config", "sentence"),
    [
        (b"- a\n- b\n", "config.yaml does not hold settings"),
        (b"\xff\xfe\0binary", "config.yaml is not valid UTF-8"),
        (b"a: [", "config.yaml is not valid YAML"),
        (b"a: &a [x]\nb: &b [*a, *a]\nc: [" + b"*b, " * 50_000 + b"]\n", ""),
        (b"x: y\n" * 10_000_000, "config.yaml is too large"),
        (b"[" * 100_000, "config.yaml is nested too deeply"),
    ],
)
def test_a_configuration_that_is_none(config: bytes, sentence: str, look: Show, small: Path) -> None:
    (small / "config.yaml").write_bytes(config)
    _, overview, _ = look(small)
    assert sentence in words(overview)


@pytest.mark.parametrize(
    "name", ["memories/MEMORY.md", "memories/USER.md", "config.yaml", "state.db", "pending"]
)
def test_a_pipe_or_a_loop_where_a_file_should_be(name: str, look: Show, small: Path) -> None:
    place = small / name
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    look(small)
    place.unlink()
    place.symlink_to(place)
    look(small)
    place.unlink()
    place.mkdir()
    look(small)


def test_a_home_that_vanishes_is_said_to_be_gone(look: Show, small: Path, owner_client: Client) -> None:
    look(small)
    shutil.rmtree(small)
    overview = owner_client.get("/homes/hermes/default/")
    assert overview.status_code == 200
    assert "is not there any more" in words(overview)
    assert owner_client.get("/homes/hermes/default/memory/").status_code == 200
    assert "No Hermes home found" in words(owner_client.get("/homes/"))
    assert not small.exists()


def test_an_empty_home_says_what_to_do_next(look: Show, tmp_path: Path) -> None:
    folder = tmp_path / ".hermes"
    folder.mkdir()
    (folder / "config.yaml").write_text("")
    _, overview, memory = look(folder)
    assert "There is no state.db" in words(overview)
    assert "When Hermes remembers something, it appears here." in words(memory)
