"""The page of what waits, as a browser without scripts uses it."""

from dataclasses import dataclass
from typing import Any

from hermesweb.hermes.ids import encode_id
from tests.approval_builders import waiting, wants, wants_skill
from tests.memory_builders import SEPARATOR
from tests.web.memory_pages import Forms, MemorySite


def anchor(identity: str = "ab12cd34", subsystem: str = "memory") -> str:
    """Where a proposal stands on the page."""
    return f"{subsystem}-{encode_id(identity)}"


@dataclass
class QueueSite(MemorySite):
    """The queue of a small home. The proposals on the page have numbers, oldest first."""

    def wants(self, identity: str = "ab12cd34", **payload: Any) -> str:
        """An addition of `Likes maps`, unless `payload` says otherwise."""
        return wants(self.home, identity, **({"action": "add", "content": "Likes maps"} | payload))

    def wants_skill(self, identity: str = "ab12cd34", **payload: Any) -> str:
        return wants_skill(self.home, identity, **payload)

    def show(self, query: str = "") -> str:
        """The page of the queue; its words on one line."""
        self.get(query, name="pending")
        assert self.last.status_code == 200
        return self.text

    def press_and_follow(self, label: str, ticks: int = 0, **typed: str) -> str:
        """What is said on the page that an act leads to."""
        assert self.press(label, ticks, **typed).status_code == 303
        self.follow()
        return " ".join(self.notices)

    def decisions(self) -> list[str]:
        """The values that the forms of the page send for all that they show."""
        return [text for form in Forms(self.html).forms for key, text in form.fields if key == "shown"]

    def waiting(self, subsystem: str = "memory") -> list[str]:
        return waiting(self.home, subsystem)

    def entries(self, name: str = "MEMORY.md") -> list[str]:
        return self.bytes(name).decode().split(SEPARATOR)

    def noted(self) -> list[tuple[str, str]]:
        """The activity but for visits, newest last."""
        return [line for line in self.lines() if line[0] != "viewed_pending"]
