"""What state.db knows about today's entries: which stored prompts hold them, and which call they came from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.conf import settings

from hermesweb.hermes.errors import HermesError
from hermesweb.privacy.copies import copy_of
from memory.prompt import parts_of, shown_text
from sessions.database import Database, read_state
from sessions.memory_calls import CallSearch, Origin, Origins, memory_calls, origins
from sessions.prompts import PromptSearch, Standing, search_prompts

if TYPE_CHECKING:
    from memory.page import Files

ON_A_PAGE = 0.8  # seconds for each of the two looks while a page waits
THOROUGH = 8.0


@dataclass(frozen=True)
class History:
    """`problem`: state.db could not be asked, so nothing is known."""

    prompts: PromptSearch | None = None
    calls: CallSearch | None = None
    origins: Origins | None = None
    problem: HermesError | None = None

    def standing(self, shown: str) -> Standing | None:
        return self.prompts.texts.get(shown) if self.prompts else None

    def origin(self, target: str, text: str) -> Origin | None:
        return self.origins.of(target, text) if self.origins else None

    @property
    def complete(self) -> bool:
        return bool(self.prompts and self.prompts.complete and self.calls and self.calls.complete)


def look_into_history(files: "Files", seconds: float = ON_A_PAGE) -> History:
    """Never raises: a page with entries is worth showing without their history."""
    texts = {shown_text(entry, store) for store in files.stores for entry in store.kept}

    def ask(database: Database) -> History:
        prompts = search_prompts(database, texts, parts_of, seconds)
        calls = memory_calls(database, seconds)
        return History(prompts, calls, origins(calls.calls))

    try:
        copy = copy_of(settings.WORK_FOLDER, files.profile)
        return read_state(files.profile.folder, ask, copy=copy)
    except HermesError as problem:
        return History(problem=problem)
