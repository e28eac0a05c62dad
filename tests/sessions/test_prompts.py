"""In which stored system prompts a text is, and what else memory once put there."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from sessions import prompts
from sessions.database import read_state
from sessions.prompt_queries import PROMPT_BYTES, Recipient
from sessions.prompts import PromptSearch, search_prompts
from tests.home_builders import BuiltHome, fingerprints
from tests.state_builders import SCHEMA_OF, add, add_message, add_session, connect, old_state

NOW = 1_700_000_000.0


@dataclass(frozen=True)
class Parts:
    """A prompt as these tests write it: entries between | |, the rest around."""

    entries: frozenset[str] = frozenset()
    blocks: frozenset[str] = frozenset()
    pieces: tuple[str, ...] = ()


@dataclass
class Reader:
    asked: list[str] = field(default_factory=list)

    def __call__(self, prompt: str) -> Parts:
        self.asked.append(prompt)
        before, _, rest = prompt.partition("|")
        block, _, after = rest.partition("|")
        return Parts(frozenset(filter(None, block.split("/"))), frozenset([block]), (before, after))


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return old_state(tmp_path)


@pytest.fixture
def shared(state: Path) -> Path:
    """The newer layout: each different prompt once, by its hash."""
    with closing(connect(state)) as connection:
        connection.execute("ALTER TABLE sessions ADD COLUMN system_prompt_hash TEXT")
        connection.execute("CREATE TABLE system_prompts(hash TEXT PRIMARY KEY, prompt TEXT NOT NULL)")
    return state


def search(folder: Path, *texts: str, reader: Reader | None = None, seconds: float = 30) -> PromptSearch:
    return read_state(folder, lambda db: search_prompts(db, texts, reader or Reader(), seconds))


def test_an_entry_in_prompts(state: Path) -> None:
    add_session(state, "old", title="Garden", system_prompt="x|tea/maps|y", ended_at=NOW, model="small")
    add_session(state, "new", system_prompt="x|tea|y", started_at=NOW + 50)
    add_session(state, "none", system_prompt="x||y")
    add_session(state, "without")
    add_message(state, "old", timestamp=NOW + 7)
    found = search(state, "tea", "soup")
    tea = found.texts["tea"]
    assert (tea.sessions, tea.open, tea.elsewhere, tea.unowned) == (2, 1, 0, 0)
    assert [each.id for each in tea.newest] == ["new", "old"]
    old = tea.newest[1]
    assert (old.title, old.source, old.model, old.open) == ("Garden", "cli", "small", False)
    assert (old.started_at, old.last_activity) == (NOW, NOW + 7)
    assert found.texts["soup"].sessions == 0
    assert (found.sessions, found.since, found.complete) == (3, NOW, True)


def test_what_is_gone_from_the_files(state: Path) -> None:
    for number, entries in enumerate(["tea", "tea/maps", "maps/bonn", "maps"]):
        add_session(state, f"s{number}", system_prompt=f"|{entries}|", ended_at=NOW if number else None)
    gone = search(state, "tea").gone
    assert [(each.text, each.sessions, each.open) for each in gone] == [("maps", 3, 0), ("bonn", 1, 0)]
    assert [each.id for each in gone[0].newest] == ["s3", "s2", "s1"]


def test_a_whole_block(state: Path) -> None:
    add_session(state, "s1", system_prompt="x|tea/maps|y")
    assert search(state, "tea/maps").texts["tea/maps"].sessions == 1


def test_text_elsewhere_in_the_prompt_is_a_weaker_sign(state: Path) -> None:
    add_session(state, "s1", system_prompt="Lives at 14 Mill Lane|tea|Lives at 14 Mill Lane, tea")
    add_session(state, "s2", system_prompt="Lives at 14 Mill Lane|Lives at 14 Mill Lane|")
    found = search(state, "Lives at 14 Mill Lane", "tea")
    lane = found.texts["Lives at 14 Mill Lane"]
    assert (lane.sessions, lane.elsewhere, lane.newest[0].id) == (1, 1, "s2")
    assert (found.texts["tea"].sessions, found.texts["tea"].elsewhere) == (1, 0)


def test_shared_prompts(shared: Path) -> None:
    for key, prompt in (("h1", "|tea|"), ("h2", "|maps|"), ("h3", "|tea/soup|")):
        add(shared, "system_prompts", hash=key, prompt=prompt)
    for number, key in enumerate(["h1", "h1", "h2", "gone", None]):
        add_session(shared, f"s{number}", system_prompt_hash=key)
    add_session(shared, "inline", system_prompt="|tea|", system_prompt_hash="h2")
    reader = Reader()
    found = search(shared, "tea", reader=reader)
    assert (found.texts["tea"].sessions, found.texts["tea"].unowned) == (3, 1)
    assert [(each.text, each.sessions, each.unowned) for each in found.gone] == [
        ("maps", 1, 0),
        ("soup", 0, 1),
    ]
    assert len(reader.asked) == 4, "every different text is read once"


def test_recipients_are_who_got_the_prompt(state: Path) -> None:
    with closing(connect(state)) as connection:
        connection.execute(
            "CREATE TABLE session_model_usage(session_id TEXT, model TEXT, billing_provider TEXT,"
            " billing_base_url TEXT, task TEXT NOT NULL DEFAULT '')"
        )
    for model, task in (
        ("big", ""),
        ("big", ""),
        ("review", "background_review"),
        ("namer", "title_generation"),
    ):
        usage = {"session_id": "s1", "model": model, "billing_provider": "p", "billing_base_url": "u"}
        add(state, "session_model_usage", **usage, task=task)
    add_session(state, "s1", system_prompt="|tea|", billing_provider="other")
    add_session(state, "s2", system_prompt="|tea|", billing_provider="old", model="m")
    add_session(state, "s3", system_prompt="|tea|")
    recipients = {each.id: each.recipients for each in search(state, "tea").texts["tea"].newest}
    assert recipients == {
        "s1": (Recipient("big", "p", "u"), Recipient("review", "p", "u")),
        "s2": (Recipient("m", "old", ""),),
        "s3": (),
    }


def test_only_the_newest_are_named(state: Path) -> None:
    with closing(connect(state)) as connection:
        connection.executemany(
            "INSERT INTO sessions(id, source, started_at, system_prompt) VALUES(?, 'cli', 1, '|tea|')",
            [(f"s{number}",) for number in range(250)],
        )
    tea = search(state, "tea").texts["tea"]
    assert (tea.sessions, len(tea.newest), tea.newest[0].id) == (250, prompts.NEWEST, "s249")


def test_time_is_over(state: Path) -> None:
    for number in range(prompts.NEWEST * 10):
        add_session(state, f"s{number}", system_prompt="|tea|", started_at=NOW + number)
    found = search(state, "tea", seconds=-1)
    assert (found.stopped, found.complete) == ("time", False)
    assert 0 < found.sessions < prompts.NEWEST * 10
    assert found.since == NOW + prompts.NEWEST * 10 - found.sessions


def test_too_many_entries_that_are_gone(state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prompts, "GONE_TEXTS", 3)
    add_session(state, "s1", system_prompt="|a/b/c/d/e|")
    found = search(state)
    assert (len(found.gone), found.stopped) == (3, "size")


@pytest.mark.parametrize(
    "values",
    [
        {"system_prompt": b"\xff|tea|\xff"},
        {"system_prompt": "\0|tea|\0"},
        {"system_prompt": "|tea|", "title": b"\xff", "started_at": "soon", "model": 7, "ended_at": "never"},
        {"system_prompt": "|tea|", "started_at": 5e246, "source": b""},
    ],
    ids=["bytes", "nul", "types", "far"],
)
def test_odd_values(state: Path, values: dict[str, object]) -> None:
    add_session(state, "s1", **values)
    found = search(state, "tea")
    assert found.texts["tea"].sessions == 1
    assert found.texts["tea"].newest[0].started_at in (NOW, None)


@pytest.mark.parametrize("prompt", [5, 2.5, b"", "", b"\x00"])
def test_prompts_that_are_none(state: Path, prompt: object) -> None:
    add_session(state, "s1", system_prompt=prompt)
    assert search(state, "tea").texts["tea"].sessions == 0


def test_the_end_of_a_huge_prompt_is_read(state: Path) -> None:
    add_session(state, "s1", system_prompt="é" * PROMPT_BYTES + "|tea|")
    assert search(state, "tea").texts["tea"].sessions == 1


@pytest.mark.parametrize("release", SCHEMA_OF)
def test_every_release(tmp_path: Path, release: str) -> None:
    state = old_state(tmp_path, release)
    add_session(state, "s1", system_prompt="|tea|", billing_provider="p")
    (session,) = search(state, "tea").texts["tea"].newest
    assert session.recipients == (Recipient("", "p", ""),)


def test_databases_without_the_tables(state: Path) -> None:
    with closing(connect(state)) as connection:
        connection.execute("DROP TABLE sessions")
    assert search(state, "tea").sessions == 0
    with closing(connect(state)) as connection:
        connection.execute("CREATE TABLE sessions(id TEXT, system_prompt_hash TEXT)")
    add(state, "sessions", id="s1", system_prompt_hash="h1")
    assert search(state, "tea").texts["tea"].sessions == 0


@pytest.fixture(params=["0.19", "0.22"])
def recorded(request: pytest.FixtureRequest) -> Iterator[BuiltHome]:
    home: BuiltHome = request.getfixturevalue(f"home_{request.param.replace('.', '')}")
    before = fingerprints(home.root)
    yield home
    assert fingerprints(home.root) == before, "reading changed something"


@pytest.mark.parametrize("name", ["default", "office"])
def test_recorded_homes(recorded: BuiltHome, name: str) -> None:
    """What the manifest says the file is today stands in the newest prompts, and the deleted one too."""
    from memory.prompt import parts_of

    facts = recorded.facts(name)["memory"]
    blocks = [facts[file]["system_prompt_block"] for file in ("MEMORY.md", "USER.md")]
    entries = {entry for block in blocks for entry in parts_of(block).entries}
    found = search_real(recorded.profile(name), *entries, *blocks)
    assert found.complete
    assert all(standing.sessions for standing in found.texts.values())
    assert all(each.recipients and each.model for each in found.texts[blocks[0]].newest)
    gone = {each.text.split(" vel")[0]: each.sessions for each in found.gone}
    assert gone == ({"User is seeing Dr": 2, "Works as a baker at": 2} if name == "default" else {})


def search_real(folder: Path, *texts: str) -> PromptSearch:
    from memory.prompt import parts_of

    return read_state(folder, lambda db: search_prompts(db, texts, parts_of))
