"""What is in one message, whatever is stored there."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sessions.content import PREFIX
from sessions.parts import MOST, Part, Passage, Problem, Stored, parts_of, text_of
from sessions.parts_calls import calls_of
from sessions.parts_reasoning import reasoning_of
from sessions.pretty import pretty

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner) | st.dictionaries(st.text() | st.sampled_from(["type", "text", "url"]), inner)
    ),
)
PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64," + "AAAA" * 4}}


def stored(value: object) -> Stored:
    raw = value if isinstance(value, bytes) else str(value).encode("utf-8", "surrogatepass")
    return Stored(value, 0 if value is None else len(raw))


def listed(*parts: object) -> Stored:
    return stored(PREFIX + json.dumps(parts))


def test_it_works_with_plain_text() -> None:
    parts, problems = parts_of(stored("hello"))
    assert parts == (Part("text", Passage("hello", 5)),)
    assert not problems


@pytest.mark.parametrize("value", [None, ""])
def test_nothing(value: object) -> None:
    assert parts_of(stored(value)) == ((), ())


@pytest.mark.parametrize(
    ("value", "text"), [(b"\x00caf\xe9", "\0caf\ufffd"), (42, "42"), (1.5, "1.5"), (b"caf\xe9", "caf\ufffd")]
)
def test_what_is_no_text(value: object, text: str) -> None:
    parts, problems = parts_of(stored(value))
    assert text_of(parts) == text
    assert problems == (Problem("not_text", "content"),)


def test_a_nul_stays() -> None:
    assert text_of(parts_of(stored("a\0b"))[0]) == "a\0b"


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        (PICTURE, Part("image", None, "image/png", 12)),
        (
            {"type": "input_image", "image_url": PICTURE["image_url"]["url"]},
            Part("image", None, "image/png", 12),
        ),
        (
            {"type": "image_url", "image_url": {"url": "https://example.org/x.png"}},
            Part("image", None, "", None, "https://example.org/x.png"),
        ),
        (
            {"type": "image", "source": {"type": "base64", "media_type": "image/webp", "data": "AAAA"}},
            Part("image", None, "image/webp", 3),
        ),
        (
            {"type": "input_audio", "input_audio": {"data": "AAAAAA==", "format": "wav"}},
            Part("audio", None, "wav", 4),
        ),
        (
            {"type": "file", "file": {"filename": "a.pdf", "file_data": "data:application/pdf;base64,AAAA"}},
            Part("file", None, "application/pdf", 3, "", "a.pdf"),
        ),
        ({"type": "file", "file": {"file_id": "file-1"}}, Part("file", None, "", None, "file-1")),
        ({"type": "image", "data": "AAAA", "mimeType": "image/gif"}, Part("image", None, "image/gif", 3)),
        ({"type": "input_image", "image_url": "data:text/plain,hey"}, Part("image", None, "text/plain", 3)),
    ],
)
def test_what_is_no_text_is_a_placeholder(part: object, expected: Part) -> None:
    assert parts_of(listed(part)) == ((expected,), ())


@pytest.mark.parametrize("part", [{"a": 1}, 7, {"type": "unknown", "b": "c"}])
def test_what_is_unknown_is_shown_as_json(part: object) -> None:
    ((found,), problems) = parts_of(listed(part))
    assert (found.kind, found.text, problems) == (
        "other",
        Passage(json.dumps(part), len(json.dumps(part))),
        (),
    )


def test_parts_inside_parts() -> None:
    inner = {"type": "tool_result", "content": [{"type": "text", "text": "in"}, PICTURE]}
    parts, _ = parts_of(listed("one", inner))
    assert [(part.kind, part.text and part.text.text) for part in parts] == [
        ("text", "one"),
        ("text", "in"),
        ("image", None),
    ]


def test_broken_json_is_shown_as_far_as_it_goes() -> None:
    parts, problems = parts_of(stored(PREFIX + '[{"type": "text", "text": "look"}, {"ty'))
    assert text_of(parts) == "look"
    assert problems == (Problem("bad_json", "content"),)


def test_json_that_was_not_read_to_its_end() -> None:
    text = (PREFIX + json.dumps([{"type": "text", "text": "look"}] * 9)).encode()
    parts, problems = parts_of(Stored(text[:60], len(text)))
    assert parts[0].text is not None
    assert parts[0].text.characters is None
    assert parts[0].text.cut
    assert problems == (Problem("cut_json", "content"),)


def test_a_text_that_was_cut_in_the_middle_of_a_character() -> None:
    ((part,), problems) = parts_of(Stored("日本".encode()[:4], 6))
    assert part.text == Passage("日", None)
    assert problems == ()


def test_long_texts_are_cut_and_say_how_long_they_are() -> None:
    ((part,), _) = parts_of(stored("é" * 50), limit=10)
    assert part.text == Passage("é" * 10, 50)
    assert part.text.cut


def test_too_many_parts() -> None:
    parts, problems = parts_of(listed(*["x"] * 1000), limit=10)
    assert len(parts) == MOST
    assert problems == (Problem("too_many", "content"),)
    assert len(parts_of(listed(*["x"] * 1000))[0]) == 1000


@given(
    st.text() | st.binary() | st.integers() | st.none() | JSON.map(lambda value: PREFIX + json.dumps(value))
)
def test_parts_take_anything(value: object) -> None:
    parts_of(stored(value), limit=10)
    parts_of(Stored(str(value).encode("utf-8", "replace")[:7], 10**9))


def call(name: object, arguments: object, **more: object) -> dict[str, object]:
    return {"id": "c1", "type": "function", "function": {"name": name, "arguments": arguments}, **more}


@pytest.mark.parametrize(
    "entry",
    [
        call("terminal", '{"cmd": "ls"}'),
        {"id": "c1", "name": "terminal", "arguments": '{"cmd": "ls"}'},
        {"call_id": "c1", "name": "terminal", "arguments": {"cmd": "ls"}},
        {"id": "c1", "type": "tool_use", "name": "terminal", "input": {"cmd": "ls"}},
    ],
)
@pytest.mark.parametrize("alone", [False, True])
def test_calls_in_every_shape(entry: object, alone: bool) -> None:
    ((found,), problems) = calls_of(stored(json.dumps(entry if alone else [entry])))
    assert (found.id, found.name, problems) == ("c1", "terminal", ())
    assert found.arguments.text == '{\n  "cmd": "ls"\n}'


@pytest.mark.parametrize("arguments", ["{not json", "", "plain", "[1, ", '"text"'])
def test_arguments_that_are_no_object_stand_as_they_are(arguments: str) -> None:
    ((found,), _) = calls_of(stored(json.dumps([call("t", arguments)])))
    assert found.arguments == Passage(arguments, len(arguments))


def test_calls_that_are_no_json_are_shown() -> None:
    ((found,), problems) = calls_of(stored("{not json"))
    assert (found.name, found.arguments.text) == ("", "{not json")
    assert problems == (Problem("bad_json", "tool_calls"),)


@pytest.mark.parametrize("entry", [5, {"name": 3}, {"function": {"arguments": "{}"}}, "text"])
def test_calls_without_a_name_are_shown(entry: object) -> None:
    ((found,), problems) = calls_of(stored(json.dumps([entry])))
    assert found.arguments.text == json.dumps(entry)
    assert problems == (Problem("odd_call", "tool_calls"),)


@given(st.text() | st.binary() | st.none() | JSON.map(json.dumps))
def test_calls_take_anything(value: object) -> None:
    calls_of(stored(value), limit=10)


def test_json_is_laid_out_and_nothing_else() -> None:
    source = '{"a":[1.10,1e400,{}],"a":"\\u65e5 {,}","b":[]}'
    assert (
        pretty(source)
        == '{\n  "a": [\n    1.10,\n    1e400,\n    {}\n  ],\n  "a": "\\u65e5 {,}",\n  "b": []\n}'
    )


@given((st.lists(JSON) | st.dictionaries(st.text(), JSON)).map(json.dumps))
def test_laying_out_keeps_the_value(source: str) -> None:
    laid_out = pretty(source)
    assert laid_out is not None
    assert json.dumps(json.loads(laid_out)) == json.dumps(json.loads(source))


def test_laying_out_stays_small() -> None:
    deep = "[" * 900 + ",".join("1" * 20_000) + "]" * 900
    assert len(pretty(deep) or "") < 60 * len(deep)
    assert pretty("[" * 100_000) is None


def reasoning(**columns: object) -> dict[str, Stored]:
    texts = {name: value if isinstance(value, str) else json.dumps(value) for name, value in columns.items()}
    return {name: stored(text) for name, text in texts.items()}


def test_the_same_reasoning_in_several_columns_is_shown_once() -> None:
    row = reasoning(
        reasoning="Compare.",
        reasoning_content="Compare.",
        reasoning_details=[{"type": "reasoning.text", "text": "Compare."}],
        codex_reasoning_items=[
            {"type": "reasoning", "summary": [{"type": "summary_text", "text": "Compare."}]}
        ],
    )
    ((found,), problems) = reasoning_of(row)
    assert found.text == Passage("Compare.", 8)
    assert found.columns == ("reasoning", "reasoning_content", "reasoning_details", "codex_reasoning_items")
    assert not problems


def test_what_only_the_provider_can_read() -> None:
    row = reasoning(
        reasoning_details=[{"type": "reasoning.encrypted", "data": "gAAAA", "format": "v1"}],
        codex_reasoning_items=[{"id": "rs_1", "encrypted_content": "gAAAAAA", "summary": []}],
    )
    found, _ = reasoning_of(row)
    assert [(each.columns, each.text, each.sealed) for each in found] == [
        (("reasoning_details",), None, 5),
        (("codex_reasoning_items",), None, 7),
    ]


def test_items_of_an_unknown_kind_are_shown() -> None:
    ((found,), _) = reasoning_of(reasoning(codex_message_items=[{"t": "needle"}]))
    assert found.text is not None
    assert "needle" in found.text.text


def test_the_answer_itself_is_no_reasoning() -> None:
    row = reasoning(codex_message_items=[{"content": [{"type": "output_text", "text": "And mulch."}]}])
    assert reasoning_of(row, said="And mulch. ") == ((), ())


@pytest.mark.parametrize("column", ["reasoning_details", "codex_reasoning_items", "codex_message_items"])
def test_items_that_are_no_json_are_shown(column: str) -> None:
    ((found,), problems) = reasoning_of({column: stored("{not json")})
    assert found.text == Passage("{not json", 9)
    assert problems == (Problem("bad_json", column),)


@given(
    st.dictionaries(
        st.sampled_from(["reasoning", "reasoning_details", "codex_reasoning_items"]),
        st.text() | st.binary() | st.integers() | JSON.map(json.dumps),
    )
)
def test_reasoning_takes_anything(row: dict[str, object]) -> None:
    reasoning_of({name: stored(value) for name, value in row.items()}, limit=10)
