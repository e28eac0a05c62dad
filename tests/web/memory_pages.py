"""The memory pages as a browser without scripts uses them: it sends exactly the fields of the form it was shown."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path

from django.http import HttpResponse
from django.test import Client

from hermesweb.activity.models import Activity
from tests.addresses import path_of
from tests.kernel_builders import NOBODY
from tests.memory_builders import MemoryHome
from tests.web.pages import VOID, elements

OLD = "_config_version: 33\n"  # 0.19 wrote this home


@dataclass
class Form:
    """One form of a page. `boxes`: ticks that are not set; `buttons`: label, name and value of each."""

    action: str
    fields: list[tuple[str, str]] = field(default_factory=list)
    boxes: list[tuple[str, str]] = field(default_factory=list)
    buttons: list[tuple[str, str, str]] = field(default_factory=list)


class Forms(HTMLParser):
    """Every form of a page, with the fields that belong to it by their place or by their `form` attribute."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.forms: list[Form] = []
        self.by_id: dict[str | None, Form] = {}
        self.open: Form | None = None
        self.texts: list[str] | None = None
        self.attributes: dict[str, str | None] = {}
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        if tag == "form":
            self.open = Form(attributes.get("action") or "")
            self.forms.append(self.open)
            self.by_id[attributes.get("id")] = self.open
        if tag in ("textarea", "button"):
            self.texts, self.attributes = [], attributes
        form = self.form_of(attributes)
        if tag == "input" and form:
            pair = attributes["name"] or "", attributes.get("value") or ""
            ticked = attributes.get("type") != "checkbox" or "checked" in attributes
            (form.fields if ticked else form.boxes).append(pair)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self.open = None
        if tag not in ("textarea", "button") or self.texts is None:
            return
        text, self.texts = "".join(self.texts), None
        name, form = self.attributes.get("name") or "", self.form_of(self.attributes)
        if form and tag == "textarea":
            # A browser drops the line break behind the tag, and sends the others as Windows writes them.
            form.fields.append((name, text.removeprefix("\n").replace("\n", "\r\n")))
        elif form:
            form.buttons.append((" ".join(text.split()), name, self.attributes.get("value") or ""))

    def form_of(self, attributes: dict[str, str | None]) -> Form | None:
        return self.by_id[attributes["form"]] if "form" in attributes else self.open

    def handle_data(self, data: str) -> None:
        if self.texts is not None:
            self.texts.append(data)


@dataclass
class MemorySite:
    """The memory page of a small home, and somebody who may see it. `last`: what was answered last."""

    home: MemoryHome
    client: Client
    profile: str = "default"
    last: HttpResponse = field(default_factory=HttpResponse)

    def path(self, name: str = "memory", /, **values: object) -> str:
        return path_of(name, home="hermes", profile=self.profile, **values)

    def get(self, query: str = "", name: str = "memory", **values: object) -> str:
        """The page at an address, as HTML."""
        self.last = self.client.get(self.path(name, **values) + query)
        return self.html

    def post(self, name: str, data: object = None, /, **values: object) -> HttpResponse:
        self.last = self.client.post(self.path(name, **values), data or {})
        return self.last

    def form(self, label: str) -> Form:
        """The form with the button called `label`."""
        return next(f for f in Forms(self.html).forms for b in f.buttons if b[0] == label)

    def press(self, label: str, ticks: int = 0, **typed: str) -> HttpResponse:
        """Press the button called `label` of the page that was shown last, with the first `ticks` boxes
        ticked and texts typed into the fields."""
        found = [(f, b) for f in Forms(self.html).forms for b in f.buttons if b[0] == label]
        assert found, f"no button {label!r} in {self.buttons}"
        form, (_, name, value) = found[0]
        pairs = [(key, typed.get(key, text)) for key, text in form.fields] + form.boxes[:ticks]
        data: dict[str, list[str]] = {}
        for key, text in [*pairs, *([(name, value)] if name else [])]:
            data.setdefault(key, []).append(text)
        self.last = self.client.post(form.action or self.last.wsgi_request.path, data)
        return self.last

    def follow(self) -> str:
        """Where the last answer leads, as HTML."""
        assert self.last.status_code in (302, 303), (self.last.status_code, self.notices)
        self.last = self.client.get(self.last.headers["Location"])
        return self.html

    @property
    def html(self) -> str:
        return self.last.content.decode()

    @property
    def text(self) -> str:
        """All the words of the page on one line."""
        return " ".join(" ".join(text for _, text in elements(self.last).texts).split())

    @property
    def buttons(self) -> list[str]:
        return [label for form in Forms(self.html).forms for label, _, _ in form.buttons]

    @property
    def links(self) -> list[str]:
        return [attributes.get("href") or "" for tag, attributes in elements(self.last).tags if tag == "a"]

    @property
    def notices(self) -> list[str]:
        """What was said about an act: notices and problems of a field."""
        return self.texts_in("notice") + self.texts_in("problem")

    @property
    def records(self) -> list[str]:
        return self.texts_in("record")

    def texts_in(self, wanted: str) -> list[str]:
        """The text of each element with this class, without its tags."""
        return list(Inside(self.html, wanted).found)

    def typed(self) -> list[str]:
        """What stands in the open editors."""
        return [text for form in Forms(self.html).forms for key, text in form.fields if key == "content"]

    def bytes(self, name: str = "MEMORY.md") -> bytes:
        return (self.home.folder / "memories" / name).read_bytes()

    def lines(self) -> list[tuple[str, str]]:
        """The activity but for mere visits, newest last."""
        visits = ("signed_in", "viewed_memory")
        return [(a.action, a.about) for a in Activity.objects.order_by("id") if a.action not in visits]

    def confirm(self, password: str) -> None:
        self.client.post("/account/confirm/", {"password": password})


class Inside(HTMLParser):
    """The texts of all elements with one class."""

    def __init__(self, html: str, wanted: str) -> None:
        super().__init__(convert_charrefs=True)
        self.wanted, self.depth, self.found = wanted, 0, list[str]()
        self.feed(html)
        self.close()
        self.found = [" ".join(text.split(" ")).strip() for text in self.found]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in VOID:
            return
        if self.depth:
            self.depth += 1
        elif self.wanted in (dict(attrs).get("class") or "").split():
            self.depth = 1
            self.found.append("")

    def handle_endtag(self, tag: str) -> None:
        self.depth -= self.depth > 0 and tag not in VOID

    def handle_data(self, data: str) -> None:
        if self.depth:
            self.found[-1] += data


@contextmanager
def without_rights(folder: Path) -> Iterator[None]:
    """Nobody but its owner may write below `folder`, and this process is not its owner. Root ignores modes."""
    paths = [folder, *folder.rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    was = os.geteuid()
    if was == 0:
        os.seteuid(NOBODY)
    try:
        assert not os.access(folder, os.W_OK, effective_ids=True)
        yield
    finally:
        os.seteuid(was)
        for path in paths:
            path.chmod(0o755 if path.is_dir() else 0o644)


def as_it_is(path: Path) -> tuple[int, ...]:
    """What a write would change about a file; reading changes only when it was read last."""
    about = path.lstat()
    return about.st_ino, about.st_mode, about.st_uid, about.st_size, about.st_mtime_ns, about.st_ctime_ns
