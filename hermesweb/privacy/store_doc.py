"""docs/stores.md, written from the catalogue."""

from collections.abc import Iterator
from itertools import groupby

from hermesweb.hermes.stores.catalogue import stores
from hermesweb.hermes.stores.store import Store
from hermesweb.privacy.store_words import CLEARED, CLEARED_BECAUSE, HAZARDS, KINDS, METHODS, WHERE, words_of

_HEAD = """\
# Stores

Every place where Hermes, or hermesweb itself, keeps something about a person. `manage.py stores_doc` writes this
page from the catalogue in `hermesweb/hermes/stores/`.

A path is relative to the folder of a profile, to the home's own folder for stores that all profiles share. `*`
stands for any name or a part of one, `/` at the end for everything below, `{session}` for the id of a conversation,
`{profile}` for the name of a profile, `<work>` for a folder the agent worked in, `<tmp>` for the temporary folder,
`<data>` for the data folder of hermesweb. A database stands for its `-wal`, `-shm` and `-journal` too, and what a
writer that was stopped left beside a file belongs to the store of that file. A file that fits no row is shown as
unknown.

Folders the agent worked in are those that `state.db` names (`cwd`, `git_repo_root`), up to 300 for each profile. Only
the files of the table are looked at there, of the home's owner and of hermesweb's own user; no link is followed, not on
the way to such a folder either, and a disk of another machine is left alone unless the home is on it too. What was not
looked into is said. Where the agent worked without noting it, nothing is looked for.

“Survives” says what does not remove it: a memory reset (reset), which is `hermes memory reset` and removes `MEMORY.md`
and `USER.md` and nothing else; the deletion of the conversation (delete).
“Since” is the oldest release of Hermes that was looked into and has it; “later” was only seen in a later text; nothing
means that this was not looked into.
"""


def stores_doc() -> str:
    """The page, in English."""
    return "\n".join([_HEAD, *_classes(), *_tables(), *_hazards()]) + "\n"


def _classes() -> Iterator[str]:
    yield "## What is cleared\n\n| word | meaning |\n| --- | --- |"
    for code, word in CLEARED.items():
        yield f"| {word} | {CLEARED_BECAUSE[code]} |"
    yield ""


def _tables() -> Iterator[str]:
    order = list(WHERE)
    by_place = sorted(stores(), key=lambda each: (order.index(each.where), list(KINDS).index(each.kind)))
    for where, group in groupby(by_place, key=lambda each: each.where):
        yield f"## {WHERE[where]}\n"
        for kind, rows in groupby(group, key=lambda each: each.kind):
            yield f"### {KINDS[kind]}\n"
            yield "| id | name | path | what is in it | cleared | how | survives | since | mind |"
            yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
            yield from map(_row, rows)
            yield ""


def _row(store: Store) -> str:
    words = words_of(store.id)
    survives = [
        word
        for word, it_does in (("reset", store.after_reset), ("delete", store.after_session_delete))
        if it_does
    ]
    cleared = f"{CLEARED[store.clearing]}{', Hermes stopped' if store.stop_first and store.clearing != 'live' else ''}"
    since = store.since + (f", until {store.until}" if store.until else "")
    cells = (
        f"`{store.id}`", words.name, _place(store), words.holds, cleared, f"`{store.how}`", ", ".join(survives),
        since, ", ".join(f"`{code}`" for code in store.hazards),
    )  # fmt: skip
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _place(store: Store) -> str:
    if store.table:
        return f"table `{store.table}` of state.db"
    if store.inside:
        return f"in `{store.inside}`"
    return ", ".join(f"`{pattern}`" for pattern in store.patterns)


def _hazards() -> Iterator[str]:
    yield "## How it is cleared\n\n| code | meaning |\n| --- | --- |"
    yield from (f"| `{code}` | {words} |" for code, words in METHODS.items())
    yield "\n## What to mind\n\n| code | meaning |\n| --- | --- |"
    yield from (f"| `{code}` | {words} |" for code, words in HAZARDS.items())
