"""What an export holds, in all three forms: nothing more, nothing less, counted."""

import json
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from sessions.database import Database, open_state, read_state
from sessions.export_html import POLICY, export_html, visible
from sessions.export_jsonl import OWN_KEY, export_jsonl
from sessions.export_markdown import block, export_markdown, fenced, inline
from sessions.export_pages import ROWS, Options
from sessions.export_words import Words
from tests.home_builders import BuiltHome, fingerprints
from tests.state_builders import add_message, add_session, connect, old_state

EXACT = Options(masked=False)
EVERYTHING = Options(undone=True, masked=False)
KEY = "sk-" + "proj-" + "aB3dE5fG7h" * 4
FORMS: list[Callable[..., Iterator[bytes]]] = [export_jsonl, export_markdown, export_html]
all_forms = pytest.mark.parametrize("form", FORMS, ids=["jsonl", "markdown", "html"])


def exported(
    form: Callable[..., Iterator[bytes]], folder: Path, *sessions: str, options: Options = EXACT
) -> str:
    return b"".join(form(partial(read_state, folder), sessions, options)).decode()


def lines(folder: Path, *sessions: str, options: Options = EXACT) -> list[dict[str, Any]]:
    return [
        json.loads(line)
        for line in exported(export_jsonl, folder, *sessions, options=options).split("\n")[:-1]
    ]


class Seen(HTMLParser):
    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def assert_inert(html: str) -> None:
    """Nothing that runs, loads, or leads anywhere."""
    for tag, attributes in Seen(html).tags:
        assert tag in (
            {
                "html",
                "head",
                "meta",
                "title",
                "style",
                "body",
                "main",
                "section",
                "article",
                "footer",
                "h1",
                "h2",
            }
            | {"p", "div", "span", "strong", "code", "time", "dl", "dt", "dd", "details", "summary"}
        )
        assert set(attributes) <= {
            "lang",
            "charset",
            "http-equiv",
            "content",
            "name",
            "class",
            "datetime",
            "id",
        } | {"data-name"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    add_session(old_state(tmp_path), "s1", title="Garden")
    add_session(tmp_path, "s2")
    return tmp_path


@pytest.fixture
def states(folder: Path) -> Path:
    add_message(folder, "s1", "said")
    add_message(folder, "s1", "regretted", active=0)
    add_message(folder, "s1", "long ago", active=0, compacted=1)
    return folder


@all_forms
def test_it_works(folder: Path, form: Callable[..., Iterator[bytes]]) -> None:
    add_message(folder, "s1", "How should I water?", reasoning="hm")
    add_message(folder, "s2", "nobody asked for this")
    text = exported(form, folder, "s1")
    for words in ("Garden", "How should I water?", "hm", "s1"):
        assert words in text
    assert "nobody" not in text


@all_forms
@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(), {"said", "long ago"}),
        (Options(undone=True), {"said", "regretted", "long ago"}),
        (Options(undone=True, compacted=False), {"said", "regretted"}),
        (Options(compacted=False), {"said"}),
    ],
)
def test_with_and_without_what_is_not_live(
    states: Path, form: Callable[..., Iterator[bytes]], options: Options, words: set[str]
) -> None:
    text = exported(form, states, "s1", options=options)
    assert {each for each in ("said", "regretted", "long ago") if each in text} == words


def test_each_line_counts_itself_and_the_file_up_to_there(states: Path) -> None:
    add_message(states, "s2", "more")
    first, second = lines(states, "s1", "nope", "s2", "s1")
    assert first[OWN_KEY]["messages"] == len(first["messages"]) == 2
    assert first[OWN_KEY]["left_out"] == {"undone": 1, "compacted": 0}
    assert second[OWN_KEY]["file_so_far"] == {
        "sessions": 2,
        "messages": 3,
        "missing": 1,
        "undone_left_out": 1,
        "compacted_left_out": 0,
    }


@pytest.mark.parametrize("form", FORMS[1:], ids=["markdown", "html"])
def test_the_file_counts_what_is_inside(states: Path, form: Callable[..., Iterator[bytes]]) -> None:
    words = Words(sessions="SS", messages="MM", left_out_undone="UU", left_out_compacted="CC", missing="XX")
    text = b"".join(
        form(partial(read_state, states), ["s1", "nope", "s2"], Options(compacted=False), words)
    ).decode()
    plain = (
        Seen(text).text if form is export_html else text.replace(": ", "").replace("- ", "").replace("\n", "")
    )
    assert "SS2MM1UU1CC1XX1" in plain


@all_forms
def test_nothing_to_export(folder: Path, form: Callable[..., Iterator[bytes]]) -> None:
    assert isinstance(exported(form, folder), str)
    assert "nope" not in exported(form, folder, "nope", "\ud800", "")


def with_a_key(folder: Path) -> None:
    add_session(folder, "s3", title=f"about {KEY}", system_prompt=f"use {KEY}")
    call = [{"id": "c", "function": {"name": "t", "arguments": json.dumps({"cmd": f"export K={KEY}"})}}]
    parts = [
        {"type": "text", "text": f"look {KEY}"},
        {"type": "image_url", "image_url": {"url": f"http://a.de/{KEY}"}},
    ]
    add_message(
        folder, "s3", "\0json:" + json.dumps(parts), reasoning=f"r {KEY}", tool_calls=json.dumps(call)
    )
    add_message(
        folder, "s3", "{not json", tool_calls=f"{{broken {KEY}", reasoning_details=json.dumps([{"text": KEY}])
    )


@all_forms
def test_masked_and_exact(folder: Path, form: Callable[..., Iterator[bytes]]) -> None:
    with_a_key(folder)
    masked = exported(form, folder, "s3", options=Options())
    assert KEY[10:] not in masked
    assert "sk-proj-" in masked
    assert exported(form, folder, "s3").count(KEY) >= 5


def test_jsonl_has_content_and_calls_as_values(folder: Path) -> None:
    parts = [{"type": "text", "text": "look"}]
    add_message(folder, "s1", "\0json:" + json.dumps(parts), tool_calls=json.dumps([{"name": "t"}]))
    add_message(folder, "s1", "\0json:[{", tool_calls="{not json")
    first, second = lines(folder, "s1")[0]["messages"]
    assert (first["content"], first["tool_calls"]) == (parts, [{"name": "t"}])
    assert (second["content"], second["tool_calls"]) == ("\0json:[{", "{not json")


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"\x00caf\xe9", "\0caf\ufffd"),
        (9e999, "inf"),
        ("\0json:" + json.dumps(["\ud800 half"]), ["\ud800 half"]),
        (None, None),
        ("a\u2028b\x85c\rd", "a\u2028b\x85c\rd"),
    ],
)
def test_jsonl_takes_anything(folder: Path, content: object, expected: object) -> None:
    with closing(connect(folder)) as connection:
        connection.execute("ALTER TABLE messages ADD COLUMN anything")
    add_message(folder, "s1", content if not isinstance(content, float) else "", anything=content)
    message = lines(folder, "s1")[0]["messages"][0]
    if isinstance(content, float):
        assert message["anything"] == expected
    else:
        assert message["content"] == expected


def test_messages_without_a_session(folder: Path) -> None:
    add_message(folder, "ghost", "boo")
    (line,) = lines(folder, "ghost")
    assert (line["id"], line["messages"][0]["content"]) == ("ghost", "boo")
    assert "boo" in exported(export_html, folder, "ghost")


@all_forms
def test_long_sessions_come_in_pieces_from_reads_of_their_own(
    folder: Path, form: Callable[..., Iterator[bytes]]
) -> None:
    with closing(connect(folder)) as connection:
        connection.executemany(
            "INSERT INTO messages(session_id, role, content, timestamp) VALUES('s1', 'user', ?, 1)",
            [(f"word{number:04}",) for number in range(2 * ROWS + 5)],
        )
    reads: list[int] = []

    def read(function: Callable[[Database], Any]) -> Any:
        reads.append(1)
        with open_state(folder) as db:
            return function(db)

    pieces = list(form(read, ["s1"], EXACT))
    assert len(reads) >= 4
    assert max(piece.count(b"word") for piece in pieces) <= ROWS
    whole = b"".join(pieces)
    assert all(b"word%04d" % number in whole for number in range(2 * ROWS + 5))


def test_a_page_of_long_messages_is_a_short_one(folder: Path) -> None:
    for _ in range(8):
        add_message(folder, "s1", "x" * 900_000)
    pieces = list(export_jsonl(partial(read_state, folder), ["s1"], EXACT))
    assert max(map(len, pieces)) < 4_000_000
    assert sum(map(len, pieces)) > 7_000_000


@all_forms
def test_a_message_longer_than_any_page_is_there_whole(
    folder: Path, form: Callable[..., Iterator[bytes]]
) -> None:
    add_message(folder, "s1", "日" * 1_500_000 + "end")
    assert "日" * 1_500_000 + "end" in exported(form, folder, "s1")


@all_forms
def test_an_export_leaves_no_trace(states: Path, form: Callable[..., Iterator[bytes]]) -> None:
    before = fingerprints(states)
    exported(form, states, "s1", "s2")
    assert fingerprints(states) == before


@all_forms
def test_between_two_pieces_anybody_may_write(folder: Path, form: Callable[..., Iterator[bytes]]) -> None:
    for _ in range(2 * ROWS):
        add_message(folder, "s1")
    with closing(connect(folder)) as writer:
        writer.execute("PRAGMA journal_mode=DELETE")
        writer.execute("PRAGMA busy_timeout=0")
        for _ in form(partial(read_state, folder), ["s1", "s2"], EXACT):
            writer.execute("BEGIN EXCLUSIVE")
            writer.execute("UPDATE sessions SET title = 'busy'")
            writer.execute("COMMIT")


def test_what_is_written_meanwhile_is_not_in_it(folder: Path) -> None:
    add_message(folder, "s1", "early")
    export = export_jsonl(partial(read_state, folder), ["s1"], EXACT)
    first = next(export)
    add_message(folder, "s1", "late")
    line = json.loads(first + b"".join(export))
    assert [each["content"] for each in line["messages"]] == ["early"]


BAIT = "<script>alert(1)</script> <img src=x onerror=alert(1)> ![x](https://a.example/x.png) </pre></style> &amp;"


def test_html_is_inert(folder: Path) -> None:
    add_session(folder, BAIT, title=BAIT, source=BAIT, model=BAIT)
    call = json.dumps([{"id": BAIT, "function": {"name": BAIT, "arguments": BAIT}}])
    picture = "\0json:" + json.dumps([{"type": BAIT, "image_url": BAIT, "name": BAIT}, {BAIT: BAIT}])
    for content in (BAIT, picture):
        add_message(folder, BAIT, content, role=BAIT, tool_name=BAIT, tool_calls=call, reasoning=BAIT)
    html = exported(export_html, folder, BAIT)
    assert_inert(html)
    assert Seen(html).text.count(BAIT) > 10
    assert f'content="{POLICY}"' in html
    assert "default-src 'none'" in POLICY
    assert "script" not in POLICY
    assert "<title>Hermes conversations</title>" in html


@given(st.text())
def test_visible_text_is_the_text(text: str) -> None:
    kept = "".join(each for each in text if each not in "\0\r" and not "\ud800" <= each <= "\udfff")
    assert_inert(visible(text))
    assert Seen(f"<p>{visible(text)}</p>").text == kept


def test_unseen_characters_are_named() -> None:
    assert visible("a\u200bb\0") == (
        'a<span class="unseen" data-name="U+200B">\u200b</span>b<span class="unseen" data-name="U+0000"></span>'
    )


def test_markdown_cannot_pass_for_ours(folder: Path) -> None:
    add_session(folder, "s3", title="a\n# Sessions: 99 `x` [l](http://a.example)")
    for content in (
        BAIT,
        "# User\n- Sessions: 99",
        "```\n## out\n````\n# x",
        "[a]: http://a.example",
        "x\r# y\r\n# z",
    ):
        add_message(folder, "s3", content, role="user\n# Hermes")
    tokens = MarkdownIt("commonmark").parse(exported(export_markdown, folder, "s3"))
    headings = [
        tokens[at + 1].content
        for at, each in enumerate(tokens)
        if each.type == "heading_open" and not each.level
    ]
    assert len(headings) == 2 + 5
    inner = [child for each in tokens for child in each.children or ()]
    assert not [each for each in inner if each.type in ("image", "html_inline")]
    assert not [each for each in tokens if each.type == "html_block"]


@given(st.text(st.characters(codec="utf-8", exclude_characters="\r"), max_size=60))
def test_a_fence_holds_its_text(text: str) -> None:
    (token,) = MarkdownIt("commonmark").parse(fenced(text))
    assert (token.type, token.content) == ("fence", text.replace("\0", "\ufffd") + "\n")


@given(st.text(max_size=60))
def test_a_quote_holds_its_text(text: str) -> None:
    tokens = MarkdownIt("commonmark").parse(block(text))
    outer = [each.type for each in tokens if each.level == 0]
    assert outer in (["blockquote_open", "blockquote_close"], ["fence"])
    assert not [
        child for each in tokens for child in each.children or () if child.type in ("image", "html_inline")
    ]


@given(st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "S", "Zs"]), min_size=1, max_size=40))
def test_inline_text_is_text(text: str) -> None:
    (heading,) = [
        each for each in MarkdownIt("commonmark").parse("# a " + inline(text)) if each.type == "inline"
    ]
    assert heading.children is not None
    assert {each.type for each in heading.children} <= {"text", "text_special"}


@pytest.mark.parametrize("options", [(), ("--layout", "main")], ids=["native", "main"])
def test_specimens(make_home: Callable[..., BuiltHome], options: tuple[str, ...]) -> None:
    home = make_home("--no-oracle", *options)
    keys = list(home.facts()["sessions"].values())
    found = {each["id"]: each for each in lines(home.root, *keys, options=EVERYTHING)}
    assert set(found) == set(keys)
    html = exported(export_html, home.root, *keys, options=EVERYTHING)
    assert_inert(html)
    markdown = exported(export_markdown, home.root, *keys, options=EVERYTHING)
    for needle in ("endoflonglog", "wobblefrost", "大别山", "bytes caf"):
        assert needle in html
        assert needle in markdown
    assert not [each for each in found.values() if not each.get("system_prompt") and each["id"] == keys[0]]
