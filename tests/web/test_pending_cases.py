"""What people reported about queues, as pages show it: approving without an agent, queues that only grow."""

import pytest

from hermesweb.hermes.ids import encode_id
from tests.addresses import ABOUT_PROFILES, ADDRESSES, SAMPLES
from tests.memory_builders import SEPARATOR, pending_record
from tests.memory_write_builders import state
from tests.web.pending_pages import QueueSite, anchor

pytestmark = pytest.mark.django_db


def test_approving_needs_neither_an_agent_nor_a_file(queue: QueueSite) -> None:
    queue.wants()
    assert "Add an entry to MEMORY.md" in queue.show()
    assert queue.press_and_follow("Approve proposal 1") == "1 proposal was approved."
    assert queue.bytes() == b"Likes maps"
    assert queue.waiting() == []
    assert queue.noted() == [("approved", "memory ab12cd34")]


def test_the_limit_is_the_one_of_the_configuration(queue: QueueSite) -> None:
    queue.home.config("memory:\n  memory_char_limit: 3200\n")
    queue.home.memory("m" * 2_500)
    queue.wants(content="n" * 200)
    assert "After it: 84% — 2,703/3,200 chars." in queue.show()
    queue.press_and_follow("Approve proposal 1")
    assert queue.entries() == ["m" * 2_500, "n" * 200]


def test_a_refused_addition_stays(queue: QueueSite) -> None:
    queue.home.memory("m" * 2_195)
    queue.wants(content="n" * 200)
    text = queue.show()
    assert "Would not apply now" in text
    assert "MEMORY.md would come to 2,398 of 2,200 characters" in text
    assert "Approve proposal 1" not in queue.buttons
    said = queue.press_and_follow("Approve all shown here")
    assert said.startswith("1 was not carried out: MEMORY.md would come to 2,398 of 2,200 characters")
    assert queue.waiting() == ["ab12cd34.json"]
    assert queue.bytes() == b"m" * 2_195
    assert queue.noted() == []


@pytest.mark.parametrize("verb", ["Approve", "Reject"])
def test_a_second_click_does_nothing_and_says_so(queue: QueueSite, verb: str) -> None:
    queue.home.memory("Has a dog")
    queue.wants()
    queue.show()
    shown = queue.last
    queue.press(f"{verb} proposal 1")
    queue.last = shown
    said = queue.press_and_follow(f"{verb} proposal 1")
    done = "approved" if verb == "Approve" else "rejected"
    assert said == (  # the page that the first click leads to was never seen
        f"1 proposal was {done}. 1 was not carried out: It does not wait any more: it was "
        "decided elsewhere, by a second click or in a chat."
    )
    assert queue.entries() == (["Has a dog", "Likes maps"] if verb == "Approve" else ["Has a dog"])
    assert len(queue.noted()) == 1


BROKEN = ["replaces", "removes0", "unreadab", "nopayloa"]


@pytest.fixture
def five(queue: QueueSite) -> QueueSite:
    """One that applies and four that do not."""
    queue.home.memory(SEPARATOR.join(["Likes coffee with milk", "Likes coffee black"]))
    queue.wants("00000001")
    queue.wants("replaces", action="replace", old_text="tea", content="Likes cocoa")
    queue.wants("removes0", action="remove", old_text="coffee")
    queue.home.pending(b"{not json", "unreadab.json")
    queue.home.pending(pending_record("nopayloa", payload=...), "nopayloa.json")
    return queue


def test_the_badge_is_on_every_page(five: QueueSite) -> None:
    of_profiles = [name for name in ABOUT_PROFILES if ADDRESSES[name].get == "page" and name != "job"]
    seen = set()
    for name in of_profiles:
        arguments = {key: SAMPLES[key] for key in ADDRESSES[name].arguments if key in SAMPLES}
        five.get(name=name, **arguments)
        if five.last.status_code == 200:  # in the small home there is no conversation to look at
            assert five.texts_in("badge") == ["5 proposals waiting"], name
            seen.add(name)
    assert seen >= {
        "overview",
        "memory",
        "memory_history",
        "memory_settings",
        "pending",
        "sessions",
        "search",
    }
    for name in ("homes", "all_pending", "activity", "account", "account_change_password"):
        five.get(name=name)
        assert five.texts_in("badge") == ["5 proposals waiting"], name


def test_each_reason_is_shown_and_two_matches_side_by_side(five: QueueSite) -> None:
    text = five.show()
    assert "5 proposals are shown; 1 would apply now." in text
    for reason in (
        "No entry holds the text that it is about.",
        "2 entries hold the text that it is about: it is not clear which one is meant.",
        "The record is not valid JSON.",
        "The record does not say what it proposes.",
    ):
        assert reason in text
    assert [record for record in five.records if record.startswith("Likes coffee")] == [
        "Likes coffee with milk",
        "Likes coffee black",
    ]


def test_approving_all_applies_one_and_tries_no_other_again(five: QueueSite) -> None:
    five.show()
    said = five.press_and_follow("Approve all shown here")
    assert said.startswith("1 proposal was approved. 4 were not carried out: ")
    assert five.entries()[2:] == ["Likes maps"]
    assert five.waiting() == [f"{name}.json" for name in sorted(BROKEN)]
    assert five.noted() == [("approved", "memory 00000001")]
    before = state(five.home.folder)
    five.show()
    assert state(five.home.folder) == before
    assert five.waiting() == [f"{name}.json" for name in sorted(BROKEN)]


def test_each_can_be_rejected(five: QueueSite) -> None:
    before = five.home.folder.joinpath("memories/MEMORY.md").read_bytes()
    five.show()
    for left in range(5, 0, -1):
        assert len([label for label in five.buttons if label.startswith("Reject proposal")]) == left
        assert five.press_and_follow("Reject proposal 1") == "1 proposal was rejected."
    assert five.waiting() == []
    assert five.bytes() == before
    assert "Nothing is waiting." in five.text
    assert five.texts_in("badge") == []


def test_the_file_name_decides_and_a_path_inside_is_shown_as_wrong(queue: QueueSite) -> None:
    queue.home.memory("Has a dog")
    queue.home.user("Is Sam")
    queue.home.pending(pending_record("../../memories/MEMORY"), "ab12cd34.json")
    text = queue.show()
    assert "The id inside the record is another than the name of its file. The file name counts." in text
    assert "../../memories/MEMORY" not in queue.html
    assert f'id="{anchor()}"' in queue.html
    queue.press_and_follow("Reject proposal 1")
    assert queue.waiting() == []
    assert queue.bytes() == b"Has a dog"
    assert queue.bytes("USER.md") == b"Is Sam"


@pytest.mark.parametrize("name", ["../../memories/MEMORY", "/etc/passwd", "a%2f..%2fb", "a\nb", "", "."])
def test_a_path_for_an_id_finds_nothing(queue: QueueSite, name: str) -> None:
    queue.home.memory("Has a dog")
    queue.wants()
    queue.show()
    seen = queue.decisions()[0].rpartition(".")[2]
    for verb in ("approve", "reject"):
        status = queue.post("decide", {verb: f"memory.{encode_id(name)}.{seen}"}).status_code
        assert status == (303 if name else 400)
    assert queue.bytes() == b"Has a dog"
    assert queue.waiting() == ["ab12cd34.json"]
