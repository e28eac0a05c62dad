"""Everyday conversations in numbers, put together from parts, so that lists have pages and searches have hits."""

import random
from collections.abc import Sequence
from typing import Final

from hermesweb.demo.talk import Message, Talk, asks, calls, says

# A title, what it can be about, then questions with their answers.
_Topic = tuple[str, Sequence[str], Sequence[tuple[str, str]]]
_TOPICS: Final[Sequence[_Topic]] = (
    (
        "Dinner with {}",
        ("leeks", "chickpeas", "too many courgettes"),
        (
            ("What can I cook with {} tonight? Half an hour, no hazelnuts.", "A gratin. Start the oven now."),
            ("We have no cream.", "Milk and a spoon of flour do the same."),
            ("Mika does not like it.", "Keep a corner plain and give Mika the cheese."),
            ("How long does it keep?", "Two days in the fridge. It gets better."),
        ),
    ),
    (
        "Train to {}",
        ("Exampleton", "Lake Placeholder", "Port Sample"),
        (
            ("When do we have to leave for {} to be there at noon?", "The 8.14, change once, window seats are free."),
            ("And a later one?", "The 9.02 arrives at 12.40."),
            ("Can the cat come?", "Pixel travels free in a basket. Cats do not count as luggage."),
            ("Remind me to pack the evening before.", "I will, at seven."),
        ),
    ),
    (
        "Backup of {}",
        ("the photographs", "teapot", "Robin's laptop"),
        (
            ("When was the last backup of {}?", "Last night at three, 41 GB, no errors."),
            ("Try to restore one file.", "Restored and compared: the same."),
            ("How full is the disk?", "71 per cent. It lasts until next summer."),
        ),
    ),
    (
        "Words for {}",
        ("the school fair", "a birthday card", "the neighbours"),
        (
            ("I need four lines for {}. No exclamation marks.", "The days get short, the tea gets warm, / come round."),
            ("Less sweet.", "Come round on Friday. There is soup."),
            ("Good. In German too.", "Kommt am Freitag vorbei. Es gibt Suppe."),
        ),
    ),
    (
        "Repair of {}",
        ("the dripping tap", "Mika's bicycle", "the garden gate"),
        (
            ("{} again. What do I need?", "A wrench, ten minutes and something for the knees."),
            ("It still does it.", "Then it is the seal behind it, not the one you changed."),
            ("Where do I get one?", "Example Hardware has it, aisle four, under two."),
            ("Done.", "Good. I note the size in case it comes back."),
        ),
    ),
    (
        "Glaze with {}",
        ("copper", "ash", "a little iron"),
        (
            ("What happens to {} at 1,240 degrees?", "It runs. Leave two centimetres free at the foot."),
            ("And slower cooling?", "More crystals, softer colour, a day longer."),
            ("Write that into glazes.md.", "Written, below the last firing."),
        ),
    ),
    (
        "Homework on {}",
        ("lighthouses", "volcanoes", "the number seven"),
        (
            ("Explain {} to a child of seven.", "Imagine a very patient thing that does one job and never sleeps."),
            ("Is that true?", "Nearly. The true version has more numbers in it."),
            ("Mika asks who built the first one.", "Nobody knows for certain, and that is the honest answer."),
        ),
    ),
    (
        "Bill of {}",
        ("the waterworks", "the telephone", "Example Heating"),
        (
            ("Is the bill of {} right? It is a third higher.", "They counted the old meter twice. Object by the 20th."),
            ("Write to them.", "Written. It is in drafts, with both readings."),
            ("Sent. Tell me if they answer.", "I look every morning."),
        ),
    ),
)  # fmt: skip
_ENDS: Final = {"cli": "cli_close", "tui": "tui_shutdown"}


def talks(random_source: random.Random) -> list[Talk]:
    """One conversation for each topic and thing, on days of the last 14 months, the same for the same source."""
    return [
        _talk(title.format(thing), thing, exchanges, random_source)
        for title, things, exchanges in _TOPICS
        for thing in things
    ]


def _talk(title: str, thing: str, exchanges: Sequence[tuple[str, str]], random_source: random.Random) -> Talk:
    days_ago = random_source.uniform(1, 420)
    source = random_source.choices(tuple(_ENDS), (3, 1))[0]
    messages = _messages(thing, exchanges, random_source)
    return Talk(title, days_ago, messages, source, title, _ENDS[source])


def _messages(
    thing: str, exchanges: Sequence[tuple[str, str]], random_source: random.Random
) -> tuple[Message, ...]:
    messages: list[Message] = []
    for question, answer in exchanges[: random_source.randint(3, len(exchanges))]:
        messages.append(asks(_sentence(question.format(thing))))
        if random_source.random() < 0.3:
            messages += calls("session_search", {"query": thing}, {"results": [], "count": 0})
        messages.append(
            says(answer, thinks="Short, with the result first." if random_source.random() < 0.4 else "")
        )
    return tuple(messages)


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:]
