"""Every sentence is there in German: in the catalogue, in its compiled form, and on the pages."""

import gettext
import os
import re
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.conf import settings as project
from django.http import HttpResponse
from django.test import Client
from django.utils import translation
from pytest_django import Settings

from hermesweb.accounts.models import Person
from hermesweb.hermes.homes import Profile
from tests.addresses import path_of
from tests.po_reader import Entry, read_po
from tests.web.pages import elements
from tests.web.people import HOME, PASSWORD
from tests.web.test_translatable import shown_as_it_is

CHECKOUT = Path(__file__).parents[2]
FOLDER = CHECKOUT / "hermesweb/locale/de/LC_MESSAGES"
PO, MO = FOLDER / "django.po", FOLDER / "django.mo"
PLACEHOLDER = re.compile(r"%\(\w+\)[a-z]|%%|\{\w+\}|</?\w+>")
HOW = "To renew the German sentences: see CONTRIBUTING.md, “German”."

# Names, and words that German has from English.
SAME_IN_BOTH = {
    *(
        "Name",
        "Hermes",
        "Persona",
        "Skills",
        "Threads",
        "Boards",
        "Snapshots",
        "Backups",
        "System",
        "Session",
    ),
    *("Sessions", "Subagent", "Kanban", "Browser", "Videos", "Film", "Sandboxes", "Passkeys", "Code", "Id"),
    *("OpenViking", "Langfuse", "NeMo", "Spotify", "Google"),
    ", ",
    "%(name)s, %(files)s",
    "%(phrases)s in %(places)s.",
    "Home: %(label)s, %(path)r",
    "Session %(number)s",
    "In config.yaml",
}
MAIN_PAGES = [
    *("homes", "overview", "memory", "memory_history", "memory_settings", "pending:waiting", "all_pending"),
    *("sessions", "search", "conversation", "stored_prompt", "export", "plan_deletion", "findings", "trace"),
    *("stores", "store", "clear", "clear_choose", "clear_remote", "clear_hermes", "reports", "account"),
    *("activity", "people", "account_login", "job:running", "job:done", "404", "no_home", "wrong_password"),
]


@pytest.fixture(scope="module")
def entries() -> list[Entry]:
    return read_po(PO)


def test_nothing_is_empty_or_a_guess(entries: list[Entry]) -> None:
    assert [entry.msgid for entry in entries if not all(entry.forms) or "fuzzy" in entry.flags] == []


def test_every_plural_has_both_forms(entries: list[Entry]) -> None:
    assert [e.msgid for e in entries if len(e.forms) != (1 if e.plural is None else 2)] == []


def test_placeholders_and_elements_are_those_of_the_original(entries: list[Entry]) -> None:
    for entry in entries:
        for original, german in entry.pairs:
            assert sorted(PLACEHOLDER.findall(german)) == sorted(PLACEHOLDER.findall(original)), original
            ends = original[0].isspace(), original[-1].isspace()
            assert (german[0].isspace(), german[-1].isspace()) == ends, original


def test_nothing_was_left_in_english(entries: list[Entry]) -> None:
    assert {e.msgid for e in entries if e.msgid in e.forms} <= SAME_IN_BOTH


def test_quotation_marks_are_german(entries: list[Entry]) -> None:
    assert [form for e in entries for form in e.forms if form.count("„") != form.count("“")] == []
    assert [form for e in entries for form in e.forms if "”" in form or "‘" in form] == []


def test_the_compiled_catalogue_says_what_the_other_does(entries: list[Entry]) -> None:
    with MO.open("rb") as file:
        compiled = gettext.GNUTranslations(file)
    for entry in entries:
        if entry.plural is None:
            assert compiled.gettext(entry.msgid) == entry.forms[0], HOW
        else:
            assert [compiled.ngettext(entry.msgid, entry.plural, n) for n in (1, 2)] == entry.forms, HOW
    assert struct.unpack_from("<I", MO.read_bytes(), 8)[0] == len(entries) + 1, HOW  # and its head


@pytest.mark.gettext
def test_every_sentence_of_the_product_is_in_the_catalogue(entries: list[Entry], tmp_path: Path) -> None:
    """In a copy, so that looking changes nothing."""
    for name in ("hermesweb", "memory", "sessions", "templates"):
        shutil.copytree(CHECKOUT / name, tmp_path / name, ignore=shutil.ignore_patterns("*.pyc", "locale"))
    (tmp_path / "hermesweb/locale").mkdir()
    shutil.copy(CHECKOUT / "manage.py", tmp_path)
    command = [sys.executable, "manage.py", "makemessages", "-l", "de", "--no-location"]
    subprocess.run(command, cwd=tmp_path, env=dict(os.environ), check=True, capture_output=True)
    found = {(e.msgid, e.plural) for e in read_po(tmp_path / PO.relative_to(CHECKOUT))}
    known = {(e.msgid, e.plural) for e in entries}
    assert found - known == set(), f"not there in German. {HOW}"
    assert known - found == set(), f"in the catalogue, and nothing says it any more. {HOW}"


@pytest.fixture
def in_german(settings: Settings) -> Iterator[None]:
    """Whoever is not signed in is answered in German, and so is everybody who did not choose a language."""
    settings.LANGUAGE_CODE = "de"
    yield
    translation.deactivate()


@pytest.mark.django_db
@pytest.mark.parametrize("name", MAIN_PAGES)
@pytest.mark.usefixtures("in_german")
def test_no_english_sentence_is_on_a_page(
    name: str, show: Callable[[str], HttpResponse], entries: list[Entry]
) -> None:
    german = {form for e in entries for form in e.forms}  # "Profile" is the German for "Profiles"
    english = {e.msgid for e in entries if not PLACEHOLDER.search(e.msgid)} - german
    english.remove("English")  # a language is called as its speakers call it
    sentences = [text for text in english if text.count(" ") > 2]
    response = show(name)
    assert b'<html lang="de"' in response.content
    for around, text in elements(response).texts:
        if not shown_as_it_is(around):
            assert text.strip() not in english
            assert [sentence for sentence in sentences if sentence in text] == []


@pytest.mark.django_db
def test_a_person_reads_in_the_language_of_the_account(
    profile: Profile, signed_in: Callable[..., Client]
) -> None:
    client = signed_in(Person.objects.create_superuser("mara", password=PASSWORD, language="de"))
    page = client.get(
        path_of("overview", home=HOME, profile=profile.name), headers={"Accept-Language": "en"}
    ).content.decode()
    translation.deactivate()
    assert "Neueste Unterhaltungen" in page
    assert re.search(r"\d\. November 2026", page), "a day as German writes it"
    assert re.search(r"\d,\d\sKB", page), "a comma in a fraction"


def test_german_is_offered() -> None:
    assert "de" in dict(project.LANGUAGES)
