"""What Robin Sample, who does not exist, asks the assistant of the household on the telephone."""

import json

from hermesweb.demo.talk import Talk, asks, says

_TELEGRAM = {
    "user_id": "1000142",
    "chat_id": "1000142",
    "chat_type": "dm",
    "session_key": "agent:main:telegram:dm:1000142",
    "display_name": "Robin Sample",
    "origin_json": json.dumps({"platform": "telegram", "chat_name": "Robin Sample", "chat_id": "1000142"}),
}


def talks() -> list[Talk]:
    """The conversations, in no order."""
    return [
        Talk(
            "cake",
            149,
            (
                asks("Cake for eight on Saturday, something with lemon?", platform_message_id="211"),
                says(
                    "Lemon drizzle: 225 g each of butter, sugar and flour, four eggs, two lemons. No hazelnuts in it."
                ),
                asks("Perfect. And coffee for me please 😄", platform_message_id="213"),
                says("I put coffee on the list."),
            ),
            source="telegram",
            ended="idle",
            columns=_TELEGRAM,
        ),
        Talk(
            "rolls",
            41,
            (
                asks(
                    "Kannst du für morgen Brötchen auf die Liste setzen? Acht Stück, zwei mit Käse.",
                    platform_message_id="302",
                ),
                says("Erledigt: sechs Brötchen und zwei Käsebrötchen für morgen früh."),
                asks("Süß von dir, danke!", platform_message_id="304"),
                says("Gern."),
            ),
            source="telegram",
            ended="session_reset",
            columns=_TELEGRAM,
        ),
        Talk(
            "present",
            2.3,
            (
                asks(
                    "Is Sam hiding something in the workshop? There is a kiln on the bank statement.",
                    platform_message_id="377",
                ),
                says("I would rather not say. Perhaps ask Sam."),
            ),
            source="telegram",
            ended=None,
            columns=_TELEGRAM,
        ),
    ]
