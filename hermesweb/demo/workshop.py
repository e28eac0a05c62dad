"""Conversations of the second profile: the pottery in the shed."""

from hermesweb.demo.talk import Talk, asks, calls, says


def talks() -> list[Talk]:
    """The conversations, in no order."""
    return [
        Talk(
            "kiln",
            147,
            (
                asks("When can I open the kiln if it was switched off at eight in the evening?"),
                says("Not before seven in the morning: eleven hours, or the glaze tears."),
            ),
            title="When to open the kiln",
        ),
        Talk(
            "clay",
            139,
            (
                asks("Order clay as always."),
                *calls(
                    "memory",
                    {"action": "add", "target": "memory", "content": "Clay & Sons, 12.5 kg"},
                    {"success": True},
                ),
                says("Four bags from Clay & Sons are in the basket. You pay."),
            ),
            title="Clay",
        ),
        Talk(
            "biscuits",
            61,
            (
                asks("Biscuits to go with the bowls at the fair. Something that keeps for two weeks."),
                says("Oat biscuits. No hazelnuts, since Robin will taste them all."),
            ),
            title="Biscuits for the fair",
        ),
        Talk(
            "labels",
            19,
            (
                asks("Print forty labels: Sample Pottery, Sampletown."),
                *calls(
                    "terminal",
                    {"command": "print-labels 40"},
                    {"output": "paper out after 31", "exit_code": 1},
                ),
                says("31 are printed, then the roll ended. Nine are waiting."),
            ),
            title="Labels",
        ),
        Talk(
            "glazes",
            6,
            (
                asks("Blue or grey for the stars?"),
                says("Blue sold better last year: 22 of 25, grey 9 of 15."),
                asks("Blue then."),
                says("Blue it is. One bag is enough."),
            ),
            title="Glaze of the stars",
            ended=None,
        ),
    ]
