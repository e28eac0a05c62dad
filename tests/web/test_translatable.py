"""Every sentence of every page goes through gettext: it stands in ⟦brackets⟧ when gettext puts them there."""

import ast
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.http import HttpResponse
from django.utils import translation
from django.utils.translation import trans_real

from tests.home_builders import BuiltHome
from tests.web.pages import EVERY_PAGE, elements

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).resolve().parents[2]

# Texts of Hermes, names and commands are shown as they are.
AS_THEY_ARE = ("record", "command", "hidden-name", "stored")
ELEMENTS = ("code", "pre", "bdi", "time", "svg", "style", "script", "textarea")
NAMES = {
    "hermesweb",
    "office",
    "default",
    "hermes",
    "MEMORY.md",
    "USER.md",
    "state.db",
    "mara",
    "127.0.0.1",
    "–",
    "?",
    "testserver",
    "joan",
    "ruth",
    "Laptop",
    "UTC",
    "English",
    "Deutsch",
}
NAMES |= {
    "cli",
    "telegram",
    "cron",
    "tool",
    "api_server",
    "discord",
    "delegate",
    "branch",
}  # Hermes' words for sources
FIGURE = re.compile(
    r"[\d.,%/+:\-–— ()·]*((chars|characters|bytes|KB|MB|GB)\b[\d.,%/+:\-–— ()·]*)*"
    r"|[a-z]"  # the letter of a note
    r"|[A-Z]\w+(/[\w +-]+)+"  # a time zone
    r"|\d{1,2} \w+ \d{4}(, \d\d:\d\d(:\d\d)?)?( – \d{1,2} \w+ \d{4})?,?"
)


@pytest.fixture
def brackets(monkeypatch: pytest.MonkeyPatch) -> None:
    real = {name: getattr(trans_real, name) for name in ("gettext", "ngettext", "pgettext", "npgettext")}

    def in_brackets(name: str) -> Callable[..., str]:
        def bracketed(*message: Any) -> str:
            text = real[name](*message)
            return f"⟦{text}⟧" if text.strip() else text

        return bracketed

    for name in real:
        # Where django.utils.translation keeps the functions it has looked up once.
        monkeypatch.setattr(translation._trans, name, in_brackets(name), raising=False)


def outside(texts: list[tuple[tuple[str, ...], str]]) -> list[str]:
    """What stands between the sentences that came from gettext; one can go over several elements."""
    depth, left = 0, []
    for around, text in texts:
        rest = ""
        for character in text:
            depth += (character == "⟦") - (character == "⟧")
            rest += character if depth == 0 and character != "⟧" else "\n" if character == "⟦" else ""
        if not shown_as_it_is(around):
            left += [part.strip() for part in re.split(r" · |\n", rest) if not is_name_or_figure(part)]
    assert depth == 0
    return left


def shown_as_it_is(around: tuple[str, ...]) -> bool:
    names = {element.partition(".")[0] for element in around}
    classes = {name for element in around for name in element.partition(".")[2].split()}
    return bool(names & set(ELEMENTS) or classes & set(AS_THEY_ARE))


def is_name_or_figure(text: str) -> bool:
    bare = text.strip(" :;,.")
    return not bare or bare in NAMES or FIGURE.fullmatch(bare) is not None


@pytest.mark.parametrize("name", EVERY_PAGE)
@pytest.mark.usefixtures("brackets")
def test_every_sentence_can_be_translated(
    name: str, show: Callable[[str], HttpResponse], home: BuiltHome
) -> None:
    found = elements(show(name))
    texts = [
        (around, text.replace(str(home.root), "").replace(str(home.root / "profiles/office"), ""))
        for around, text in found.texts
    ]
    assert outside(texts) == []
    for _, attributes in found.tags:
        for attribute in ("aria-label", "title", "placeholder", "alt", "data-label"):
            text = attributes.get(attribute) or ""
            assert not text or text.startswith("⟦"), (attribute, text)


def test_no_sentence_hides_in_an_f_string() -> None:
    """There gettext's own tools do not find it, and it is never given to a translator."""
    hidden = [
        f"{file}:{call.lineno}"
        for folder in ("hermesweb", "memory", "sessions")
        for file in (ROOT / folder).rglob("*.py")
        for joined in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(joined, ast.JoinedStr)
        for call in ast.walk(joined)
        if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("_", "gettext", "ngettext")
    ]
    assert hidden == []
