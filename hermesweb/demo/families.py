"""Conversations that consist of several sessions, or of messages that are not all live any more."""

from hermesweb.demo.talk import Talk, asks, calls, compacted, says, taken_back

JOB = "5a3e1c09d7b2"
"""The scheduled job of the household, as in cron/jobs.json."""
WEEKLY_PROMPT = "Once a week: the week at a glance, with birthdays, bins and what Robin can eat at school."

_SUMMARY = "[CONTEXT COMPACTION] What was said before, in short: "


def talks() -> list[Talk]:
    """The conversations, parents before their children."""
    return [*_bathroom(), *_heat_pump(), *_printers(), _undone(), _long(), *_weeks()]


def _bathroom() -> list[Talk]:
    """One conversation in three sessions, compressed twice."""
    return [
        Talk(
            "bathroom",
            118,
            (
                asks("We renovate the bathroom. Budget 9,000, no step into the shower."),
                says("Then the floor comes first: the drain decides how high everything else gets."),
                asks("The plumber is Example Plumbing. They can come in week 34."),
                says("Good. Order the tiles for week 33 then, they need a day to get used to the room."),
                asks("Green or white?"),
                says("White at the walls, green at the floor: the room is narrow."),
            ),
            title="Bathroom renovation",
            ended="compression",
        ),
        Talk(
            "bathroom-2",
            117.6,
            (
                asks(
                    _SUMMARY
                    + "bathroom, 9,000, level shower, Example Plumbing in week 34, white and green tiles."
                ),
                says("Understood. What is next?"),
                asks("The offer is 1,150 over budget."),
                says("Keep the old window and the old door: that saves 1,300.", thinks="1,150 has to go."),
            ),
            title="Bathroom renovation #2",
            ended="compression",
            parent="bathroom",
        ),
        Talk(
            "bathroom-3",
            117.3,
            (
                asks(_SUMMARY + "bathroom within budget since window and door stay. Week 34."),
                says("Shall I write to Example Plumbing that they can start?"),
                asks("Yes, and tell them where the spare key is."),
                says("Written. I did not put the place of the key into the mail, tell them by telephone."),
            ),
            title="Bathroom renovation #3",
            parent="bathroom-2",
        ),
    ]


def _heat_pump() -> list[Talk]:
    """A conversation and a branch of it, which copies what was said."""
    said = (
        asks("Small or large heat pump for a house of 110 square metres?"),
        says("The small one, if the radiators upstairs are changed. It runs longer and lasts longer."),
    )
    return [
        Talk("pump", 84, said, title="Which heat pump", ended="branched"),
        Talk(
            "pump-branch",
            83.9,
            (
                *said,
                asks("And if we never change the radiators?"),
                says("Then the large one, at 15 % more a year."),
            ),
            title="Which heat pump #2",
            parent="pump",
            mark="_branched_from",
        ),
    ]


def _printers() -> list[Talk]:
    """A conversation that hands a task to a subagent."""
    goal = {"goal": "Find a label printer for 62 mm rolls", "context": "Sam Sample, workshop, grey rolls"}
    return [
        Talk(
            "printers",
            20,
            (
                asks("I need a label printer for the workshop. Compare some for me."),
                *calls(
                    "delegate_task",
                    goal,
                    {"status": "completed", "summary": "Model A prints 62 mm and is quiet."},
                ),
                says("Model A: 62 mm, quiet, no account needed. I put it on your list."),
            ),
            title="Label printer",
        ),
        Talk(
            "printers-task",
            19.99,
            (
                asks(f"{goal['goal']}. {goal['context']}."),
                *calls(
                    "web_search", {"query": "label printer 62 mm"}, {"results": ["https://print.example/a"]}
                ),
                says("Model A prints 62 mm and is quiet."),
            ),
            source="subagent",
            ended="agent_close",
            parent="printers",
            mark="_delegate_from",
        ),
    ]


def _undone() -> Talk:
    """Two turns were taken back with /undo. They are still in the file."""
    return Talk(
        "undone",
        48,
        (
            asks("Where did I say the spare key is?"),
            says("Under the blue flowerpot."),
            *taken_back(
                asks("The new place is behind the loose brick, third row."),
                says("Noted: behind the loose brick, third row."),
            ),
            asks("Forget the key altogether, please."),
            *calls(
                "memory",
                {"action": "remove", "target": "memory", "old_text": "spare key"},
                {"success": True, "target": "memory", "message": "Entry removed."},
            ),
            says("Removed from memory."),
        ),
        title="Spare key",
        columns={"rewind_count": 1},
    )


def _long() -> Talk:
    """Compacted in one session: the old turns are summarised away, and still there."""
    return Talk(
        "server",
        59,
        (
            *compacted(
                asks("teapot does not come up after the update."),
                *calls(
                    "terminal",
                    {"command": "ssh teapot systemctl --failed"},
                    {"output": "mnt-photos.mount", "exit_code": 0},
                ),
                says("The disk with the photographs is not mounted. Its name changed."),
                asks("How do I make it keep its name?"),
                says("Use the UUID in /etc/fstab instead of /dev/sdb1."),
            ),
            asks(
                _SUMMARY
                + "teapot did not start since the disk with the photographs changed its name; UUID in fstab."
            ),
            says("Understood."),
            asks("Done, it starts. And backups?"),
            says("Every night at three to the disk at Robin's sister."),
        ),
        title="teapot does not start",
        columns={"cwd": "/home/sample"},
    )


def _weeks() -> list[Talk]:
    """What the schedule started, the newest four."""
    return [
        Talk(
            f"week-{week}",
            3.1 + 7 * week,
            (
                asks(WEEKLY_PROMPT),
                says(
                    f"Week {4 - week} of 4. Bins on Thursday, lesson on Wednesday, school lunch without hazelnuts."
                ),
            ),
            source="cron",
            ended="cron_complete",
        )
        for week in range(4)
    ]
