"""What a person asked of the reading page: which part of a conversation, and how it is shown."""

from dataclasses import dataclass, replace
from typing import Final, Literal
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.ids import encode_id
from sessions.transcript import FIRST, LAST

View = Literal["readable", "exact"]
LONGEST_TOKEN: Final = 3_000  # characters: what is longer is none of ours


@dataclass(frozen=True)
class Edge:
    """Beside a message of the conversation's session number `segment`, from 0. FIRST and LAST will do."""

    message: int
    segment: int

    def __str__(self) -> str:
        name = {FIRST: "start", LAST: "end"}.get(self.message, str(self.message))
        return f"{name}.{self.segment}"


@dataclass(frozen=True)
class ReadAsked:
    """`at`: a message to open at; `before` and `after`: the edge of the page beside. `found`: the sealed words
    of a search that led here. `links`: whether links lead somewhere. `unmasked`: keys and passwords too."""

    session: str
    at: int | None = None
    before: Edge | None = None
    after: Edge | None = None
    view: View = "readable"
    undone: bool = False
    links: bool = False
    unmasked: bool = False
    found: str = ""

    @property
    def goes_on(self) -> bool:
        """Whether it is a further part of something that was opened before."""
        return bool(self.before or self.after)

    def address(self, profile: Profile, name: str = "conversation", *more: object) -> str:
        """The address of it, "" when the session has an id that no address can hold."""
        part = encode_id(self.session)
        if not part:
            return ""
        path = reverse(name, args=[profile.home.key, profile.name, part, *more])
        public = {"at": self.at, "before": self.before, "after": self.after, "found": self.found}
        public |= {"view": "exact" if self.view == "exact" else "", "undone": "1" if self.undone else ""}
        public |= {"links": "1" if self.links else "", "unmasked": "1" if self.unmasked else ""}
        query = urlencode({key: str(value) for key, value in public.items() if value not in (None, "")})
        return f"{path}?{query}" if query else path

    def at_message(self, message: int | None) -> "ReadAsked":
        return replace(self, at=message, before=None, after=None)

    def from_edge(self, *, before: Edge | None = None, after: Edge | None = None) -> "ReadAsked":
        return replace(self, at=None, before=before, after=after)


def read_asked(session: str, data: QueryDict) -> ReadAsked:
    """What an address asks for; what makes no sense in it is passed over."""
    found = data.get("found", "")
    after = edge_of(data.get("after", ""))
    return ReadAsked(
        session=session,
        at=whole_number(data.get("at", "")),
        before=None if after else edge_of(data.get("before", "")),
        after=after,
        view="exact" if data.get("view") == "exact" else "readable",
        undone="undone" in data,
        links="links" in data,
        unmasked="unmasked" in data,
        found=found if len(found) <= LONGEST_TOKEN else "",
    )


def whole_number(text: str) -> int | None:
    """A row id; None for what is none."""
    digits = text.removeprefix("-")
    if not digits.isascii() or not digits.isdecimal() or len(digits) > 19:
        return None
    return int(text)


def edge_of(text: str) -> Edge | None:
    name, _, segment = text.rpartition(".")
    message = {"start": FIRST, "end": LAST}.get(name, whole_number(name))
    if message is None or not segment.isascii() or not segment.isdecimal() or len(segment) > 6:
        return None
    return Edge(message, int(segment))
