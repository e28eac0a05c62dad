"""The page of the activity: who reads which lines, filters, paging, the file."""

import csv
import io
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from hermesweb.accounts.models import Person, ProfileAccess
from hermesweb.activity.chain import append
from hermesweb.activity.filters import GROUPS, group_of
from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.homes import Profile
from tests.addresses import path_of
from tests.web.people import HOME
from tests.web.test_activity_chain import behind_our_back

pytestmark = pytest.mark.django_db

PAGE = "/activity/"
FILE = "/activity/file/"


def line(person: Person | None, action: Action = Action.VIEWED_MEMORY, **values: object) -> Activity:
    where = {"home": HOME, "profile": "office", "address": "192.0.2.7"} | values
    return append(
        action=action, person_id=person and person.pk, name=person.username if person else "", **where
    )


def body(client: Client, query: str = "") -> str:
    answer = client.get(PAGE + query)
    assert answer.status_code == 200
    return answer.content.decode().partition("<table")[2]


def rows(client: Client, query: str = "") -> list[dict[str, str]]:
    answer = client.get(FILE + query)
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode())))


def test_it_works(owner_client: Client, owner: Person) -> None:
    line(owner)
    assert "Read the memory entries" in body(owner_client)
    assert "192.0.2.7" in body(owner_client)
    assert Activity.objects.latest("number").action == Action.VIEWED_ACTIVITY


def test_this_machine_is_called_so(owner_client: Client, owner: Person) -> None:
    for address in ("::1", "127.0.0.1", "::ffff:127.0.0.1"):
        line(owner, address=address)
    assert body(owner_client).count("this machine") > 2
    assert "127.0.0.1" not in body(owner_client)
    assert {"::1", "::ffff:127.0.0.1"} <= {row["address"] for row in rows(owner_client)}


def test_homes_are_called_as_everywhere(owner_client: Client, owner: Person, profile: Profile) -> None:
    line(owner)
    line(owner, home="gone-by-now")
    assert f"</strong> on {profile.home.label}</td>" in body(owner_client)
    assert "</strong> on gone-by-now</td>" in body(owner_client)
    assert f"office ({profile.home.label})" in owner_client.get(PAGE).content.decode()


def test_an_owner_reads_all_and_others_their_own(
    owner_client: Client, owner: Person, make_member: Callable[..., Person], signed_in: Callable[..., Client]
) -> None:
    joan, ruth = make_member("joan"), make_member("ruth")
    line(joan, address="192.0.2.1")
    line(ruth, address="192.0.2.2")
    assert "192.0.2.1" in body(owner_client)
    assert "192.0.2.2" in body(owner_client)
    client = signed_in(joan)
    assert "192.0.2.1" in body(client)
    for text in (body(client), client.get(FILE).getvalue().decode()):
        assert "192.0.2.2" not in text
        assert "ruth" not in text
        assert "mara" not in text


def test_a_member_reads_what_others_did_to_their_profile_since_it_is_theirs(
    owner: Person, member: Person, signed_in: Callable[..., Client]
) -> None:
    line(owner, address="192.0.2.1")
    line(owner, address="192.0.2.2", profile="default")
    line(owner, action=Action.SIGNED_IN, address="192.0.2.3", home="", profile="")
    ProfileAccess.objects.update(since=timezone.now())
    line(owner, Action.OPENED_WITH_NOTICE, address="192.0.2.4")
    client = signed_in(member)
    text = body(client)
    assert "192.0.2.4" in text
    assert not any(f"192.0.2.{number}" in text for number in (1, 2, 3))
    assert [row["address"] for row in rows(client) if row["who"] == "mara"] == ["192.0.2.4"]


def test_a_reviewer_does_not_read_what_others_did(
    owner: Person, reviewer: Person, signed_in: Callable[..., Client]
) -> None:
    line(owner, address="192.0.2.1")
    assert "192.0.2.1" not in body(signed_in(reviewer))


def test_it_is_filtered(owner_client: Client, owner: Person, make_member: Callable[..., Person]) -> None:
    joan = make_member("joan")
    line(joan, Action.EXPORTED, address="192.0.2.1")
    line(owner, Action.MEMORY_REMOVED, address="192.0.2.2", profile="default")
    line(None, Action.SIGN_IN_FAILED, address="192.0.2.3", home="", profile="")
    expected = {
        f"?who={joan.pk}": "1",
        "?what=looked": "1",
        "?what=removed": "2",
        "?what=signed": "3",
        f"?profile={HOME}/default": "2",
        f"?profile={HOME}/office&what=removed": "",
        f"?who={joan.pk}&what=looked&profile={HOME}/office": "1",
    }
    for query, shown in expected.items():
        for text in (body(owner_client, query), str(rows(owner_client, query))):
            assert [n for n in "123" if f"192.0.2.{n}" in text] == list(shown), query


def test_days_are_those_of_who_reads(owner_client: Client, owner: Person) -> None:
    line(owner, address="192.0.2.1")
    today = timezone.localdate()
    inside = [f"?since={today}", f"?until={today}", f"?since={today}&until={today}", "?until=9999-12-31"]
    for query in inside:
        assert "192.0.2.1" in body(owner_client, query)
    for query in (f"?since={today + timedelta(days=1)}", f"?until={today - timedelta(days=1)}"):
        assert "192.0.2.1" not in body(owner_client, query)


@pytest.mark.parametrize(
    "query",
    ["?who=x", "?who=99999999999999999999", "?what=nothing", "?profile=x", "?profile=%00/%00", "?since=2026-13-40",
     "?until=0001-01-01", "?before=-1", "?before=99999999999999999999", "?since=0001-01-01"],
)  # fmt: skip
def test_what_cannot_be_asked_for_is_no_fault(query: str, owner_client: Client, owner: Person) -> None:
    line(owner)
    assert owner_client.get(PAGE + query).status_code == 200
    assert owner_client.get(FILE + query).status_code == 200


def test_pages_go_on_where_the_last_ended(owner_client: Client, owner: Person) -> None:
    for number in range(230):
        line(owner, about=f"{number}", address=f"10.0.0.{number}")
    seen: list[str] = []
    query = f"?profile={HOME}/office"
    while query:
        answer = owner_client.get(PAGE + query).content.decode()
        line(owner, address="192.0.2.99", home="", profile="")  # what comes meanwhile shifts nothing
        seen += [part.partition("<")[0] for part in answer.split('<td class="muted">')[1:]]
        _before, found, rest = answer.partition('rel="next" href="')
        query = rest.partition('"')[0].replace("&amp;", "&") if found else ""
    assert [each for each in seen if each.startswith("10.")] == [f"10.0.0.{n}" for n in range(229, -1, -1)]


def test_the_file_holds_no_formula(owner_client: Client, make_member: Callable[..., Person]) -> None:
    for name in ("=1+1", "+1", "-1", "@SUM(A1)", "\tx"):
        append(action=Action.SIGNED_IN, name=name)
    found = [row["who"] for row in rows(owner_client) if row["action"] == "signed_in"]
    assert {"'=1+1", "'+1", "'-1", "'@SUM(A1)", "'\tx"} <= set(found)
    assert not [
        text for row in rows(owner_client) for text in row.values() if text.startswith(tuple("=+-@\t\r"))
    ]


def test_taking_it_along_is_noted(owner_client: Client) -> None:
    rows(owner_client)
    assert Activity.objects.latest("number").action == Action.ACTIVITY_SAVED


def test_an_owner_checks_it(owner_client: Client, owner: Person) -> None:
    line(owner)
    answer = owner_client.post(path_of("check_activity"), follow=True)
    assert b"Unbroken: " in answer.content
    behind_our_back("UPDATE activity_activity SET name = 'ruth' WHERE number = 2")
    answer = owner_client.post(path_of("check_activity"), follow=True)
    assert b"Line 2 was changed" in answer.content


def test_a_line_about_somebody_names_them_while_they_are_there(
    owner_client: Client, owner: Person, make_member: Callable[..., Person]
) -> None:
    joan = make_member("joan")
    line(owner, Action.PERSON_INVITED, home="", profile="", about=f"person {joan.pk}")
    assert "<strong>joan</strong>" in body(owner_client)
    joan.delete()
    assert "Invited somebody" in body(owner_client)


def test_every_action_is_in_a_group() -> None:
    assert {group_of(action) for action in Action.values} == set(GROUPS)
    assert group_of("second_factor_reset") == "people"
    assert group_of("second_factor_removed") == "signed"
    assert group_of("memory_added") == "changed"


def test_no_line_is_about_words_of_a_home(owner_client: Client, profile: Profile) -> None:
    for address in ("memory/", "pending/", "sessions/", "findings/"):
        owner_client.get(f"/homes/{HOME}/office/{address}")
    assert {each.about for each in Activity.objects.all()} <= {"", "password", "history"}
