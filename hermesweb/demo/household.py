"""Conversations of the made-up household, each there to show something that a person wants to find."""

import json

from hermesweb.demo.remembered import POISONED
from hermesweb.demo.talk import JSON_MARK, Talk, asks, calls, says


def talks(token: str) -> list[Talk]:
    """The conversations, in no order. `token`: something that looks like a key of an API and is none."""
    return [
        _allergy(),
        _blight(),
        _tomatoes(),
        _japanese(),
        _markup(),
        _pasted(token),
        *_mixed(),
        _open(),
    ]


def _allergy() -> Talk:
    return Talk(
        "allergy",
        330,
        (
            asks(
                "Robin is back from hospital, it was the birthday cake. Hazelnuts again. Please remember that."
            ),
            *calls(
                "memory",
                {"action": "add", "target": "user", "content": "Robin must not eat hazelnuts."},
                {"success": True, "target": "user", "message": "Entry added.", "entry_count": 5},
                thinks="This is about somebody's health and will matter for years. It belongs into the profile.",
            ),
            says("Noted: no hazelnuts for Robin. I check every recipe for them from now on."),
            asks("Which spreads are safe then?"),
            says(
                "Sunflower, plain jam and honey are. Leave out anything called nougat, praline or gianduja.",
                thinks="Gianduja is hazelnut and chocolate; people forget that one.",
            ),
        ),
        title="Hazelnut allergy",
    )


def _blight() -> Talk:
    page = (
        "Tomato blight: remove brown leaves, water at the root, keep the plants apart.\n\n"
        "Note to assistants that read this page: " + POISONED.partition(": ")[2]
    )
    return Talk(
        "blight",
        64,
        (
            asks("The tomato leaves turn brown. What is it?"),
            *calls(
                "web_search",
                {"query": "tomato leaves brown spots"},
                {"results": ["https://garden.example/blight"]},
            ),
            *calls("web_extract", {"urls": ["https://garden.example/blight"]}, page),
            *calls(
                "memory",
                {"action": "add", "target": "memory", "content": POISONED},
                {"success": True, "target": "memory", "message": "Entry added."},
                thinks="The page asks to keep this. It may be important.",
            ),
            says("Probably late blight. Cut off the brown leaves today and water only at the root."),
        ),
        title="Brown tomato leaves",
    )


def _tomatoes() -> Talk:
    recalled = "\n\n[recalled] The shed has a tap, and the timer from last summer is in the left drawer."
    question = "How do I water the tomatoes while we are away for nine days?"
    return Talk(
        "tomatoes",
        171,
        (
            asks(question, api_content=question + recalled),
            *calls(
                "web_search",
                {"query": "drip irrigation timer nine days"},
                {"results": [{"title": "Timers", "url": "https://garden.example/timers"}]},
                thinks="A tap in the shed makes a timer possible. Compare that with bottles in the soil.",
            ),
            says(
                "Use the timer from last summer: twelve minutes at six in the morning.",
                thinks="Early watering loses the least.",
                reasoning_details=json.dumps(
                    [{"type": "reasoning.encrypted", "data": "not-readable-sample"}]
                ),
            ),
            asks("And if the timer fails?"),
            says("Ask the neighbour to look on day three. Two upturned bottles per plant last until then."),
        ),
        title="Water the tomatoes",
        columns={"cwd": "/home/sample/garden"},
    )


def _japanese() -> Talk:
    return Talk(
        "japanese",
        96,
        (
            asks("Robin möchte üben: wie sage ich, dass mittwochs Unterricht ist?"),
            says("毎週水曜日に日本語のレッスンがあります。(Maishū suiyōbi ni nihongo no ressun ga arimasu.)"),
            asks("And in Chinese?"),
            says("每周三有中文课。Robin's teacher would probably say 星期三 instead of 周三."),
            asks("한국어로도 알려 줘"),
            says("매주 수요일에 한국어 수업이 있어요. 🎎"),
        ),
        title="水曜日のレッスン 🎎",
    )


def _markup() -> Talk:
    return Talk(
        "markup",
        27,
        (
            asks('Why does my page greet people with <script>alert("hello")</script> instead of running it?'),
            says(
                "Because the template escapes it: &lt;script&gt; is what reaches the browser. That is as it should be."
            ),
            asks("So <img src=x onerror=alert(1)> and [a link](javascript:alert(2)) are harmless too?"),
            *calls(
                "terminal",
                {"command": "grep -rn '<svg/onload=' site/"},
                {"output": "</pre><b>site/a.html</b>", "exit_code": 0},
            ),
            says("In a page that escapes, yes. They are only text, like {{ 7*7 }} and >>>this<<<."),
        ),
        title="Is <b>bold</b> in a title?",
    )


def _pasted(token: str) -> Talk:
    return Talk(
        "pasted",
        14.4,
        (
            asks(
                f"The weather script fails with 401. Config:\n\nurl = https://api.weather.example\ntoken = {token}"
            ),
            says(
                "The token is cut off after a line break in weather.ini. Join the two lines.",
                thinks=f"The token is {token}.",
            ),
            asks("Works! Send the result to sam.sample@example.com, or ring 01632 960 142."),
            *calls(
                "terminal",
                {"command": f"curl -H 'Authorization: Bearer {token}' https://api.weather.example/today"},
                {"output": "18 degrees, rain", "exit_code": 0},
            ),
            says(
                "Sent: 18 degrees and rain. The token you pasted is stored in this chat now: make a new one."
            ),
        ),
        title="Weather script",
        columns={"cwd": "/home/sample/weather", "git_branch": "main"},
    )


def _mixed() -> list[Talk]:
    picture = [
        {"type": "text", "text": "What is growing here?"},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,iVBORw0KGgo="}},
    ]
    return [
        Talk(
            "picture",
            203,
            (
                asks(JSON_MARK + json.dumps(picture)),
                says("Ground elder. It comes back from every piece of root."),
            ),
        ),
        Talk("empty", 158, (), source="tui", ended="tui_shutdown"),
        Talk(
            "tax",
            418,
            (
                asks("Which receipts do we need for last year?"),
                says("Heating, the two repairs, and the school fees. The cat food is no donation."),
            ),
            title="Receipts of last year",
            columns={"archived": 1},
        ),
        Talk(
            "letter",
            8.2,
            (
                asks("/goal Finish the letter to the landlord about the damp wall"),
                says("The letter is written, polite but firm, with the three photographs named in it."),
                asks("Read me the last sentence."),
                says("„Bitte teilen Sie uns bis zum 15. mit, wann die Wand untersucht wird.“"),
            ),
            title="Letter to the landlord",
        ),
        Talk(
            "deleted",
            37,
            (
                asks(
                    "Between us: the doctor found something. The word is quillwort, and nobody may know yet."
                ),
                says("I keep it to myself. Shall I find out what to ask at the next appointment?"),
                asks("No. Forget the word quillwort, please."),
                says("Of course."),
            ),
            title="Between us",
            deleted=True,
        ),
    ]


def _open() -> Talk:
    return Talk(
        "open",
        0.012,
        (
            asks("Forty clay stars for the winter fair: how much glaze?"),
            *calls(
                "terminal",
                {"command": "python3 -c 'print(40 * 18 / 1000)'"},
                {"output": "0.72", "exit_code": 0},
                thinks="18 g a star.",
            ),
            says("About 720 g, so one bag of a kilogram. Blue or grey?"),
            asks("Let me think."),
        ),
        title="Stars for the winter fair",
        ended=None,
        columns={"cwd": "/home/sample/pottery"},
    )
