"""People: invited by a link, given profiles, switched off, removed. Only an owner does that."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from hermesweb.accounts.models import Household, Notice, Person, ProfileAccess, SignInLink
from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.homes import Profile
from tests.addresses import path_of
from tests.web.people import HOME, PASSWORD, confirm

pytestmark = pytest.mark.django_db

OFFICE, DEFAULT = f"access {HOME} office", f"access {HOME} default"


@pytest.fixture
def sure(owner_client: Client) -> Client:
    """An owner who confirmed just now."""
    return confirm(owner_client)


def invite(client: Client, name: str = "joan", days: str = "1") -> str:
    """The path of the link."""
    answer = client.post(path_of("invite"), {"username": name, "days": days})
    assert answer.status_code == 200
    found = re.search(r"http://testserver(/join/[^<]+/)", answer.content.decode())
    assert found
    return found[1]


def test_a_link_that_works_only_here_says_so(sure: Client) -> None:
    elsewhere = sure.post(path_of("invite"), {"username": "joan", "days": "1"}).content
    assert b"works only on this machine" not in elsewhere
    here = sure.post(path_of("invite"), {"username": "ruth", "days": "1"}, headers={"Host": "localhost:8642"})
    assert b"This link works only on this machine." in here.content
    assert b"It begins with localhost, and on a phone" in here.content
    assert b"docs/deploy.md" in here.content


def test_only_who_had_a_password_is_told_that_it_goes(sure: Client) -> None:
    guest, link = Client(), invite(sure)
    assert b"until now" not in guest.get(link).content
    guest.post(link)
    choose(guest)
    again = SignInLink.make(Person.objects.get(username="joan"))
    assert b"the one you had until now is gone then" in Client().get(path_of("join", token=again)).content


def choose(client: Client, name: str = "joan") -> None:
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    assert client.post(path_of("choose_password"), form).status_code == 302


def actions() -> list[str]:
    return list(Activity.objects.order_by("number").values_list("action", flat=True))


def test_from_the_invitation_to_the_profile(sure: Client, profile: Profile) -> None:
    link = invite(sure)
    joan = Person.objects.get(username="joan")
    guest = Client()
    page = guest.get(link)
    assert b"This link is for you alone" in page.content
    assert guest.post(link).headers["Location"] == path_of("choose_password")
    choose(guest)
    assert b"No profile is yours to see yet" in guest.get(path_of("homes")).content
    assert guest.get(path_of("overview", home=HOME, profile="office")).status_code == 404
    assert sure.post(path_of("person", person=joan.pk), {OFFICE: "member"}).status_code == 302
    assert guest.get(path_of("overview", home=HOME, profile="office")).status_code == 200
    assert guest.get(path_of("overview", home=HOME, profile="default")).status_code == 404
    assert {"person_invited", "invitation_used", "password_set", "access_changed"} <= set(actions())


def test_only_post_spends_a_link_and_only_once(sure: Client) -> None:
    link = invite(sure)
    for _ in range(3):
        assert Client().get(link).status_code == 200
        assert Client().head(link).status_code == 200
    assert Client().post(link).status_code == 302
    late = Client()
    assert late.post(link).status_code == 410
    assert late.get(link).status_code == 410
    assert "_auth_user_id" not in late.session


def test_only_a_digest_is_kept(sure: Client) -> None:
    token = invite(sure).removeprefix("/join/").strip("/")
    assert token not in str(list(SignInLink.objects.values()))
    assert not [1 for session in Session.objects.all() if token in str(session.get_decoded())]
    assert not Activity.objects.filter(about__contains=token[:8])


def test_a_link_ends_with_its_time(sure: Client) -> None:
    link = invite(sure, days="3")
    left = SignInLink.objects.get().until - timezone.now()
    assert timedelta(days=2, hours=23) < left <= timedelta(days=3)
    SignInLink.objects.update(until=timezone.now())
    assert Client().get(link).status_code == 410
    assert Client().post(link).status_code == 410


def test_another_link_ends_the_first(sure: Client) -> None:
    first = invite(sure)
    joan = Person.objects.get(username="joan")
    answer = sure.post(path_of("new_link", person=joan.pk), {"days": "1"})
    assert b"/join/" in answer.content
    assert Client().post(first).status_code == 410


def test_a_first_link_and_an_invitation_are_not_taken_for_each_other(sure: Client) -> None:
    token = invite(sure).removeprefix("/join/").strip("/")
    assert Client().post(f"/first/{token}/").status_code == 410
    assert Client().post(f"/join/{SignInLink.make()}/").status_code == 410


def test_a_first_link_made_later_leaves_invitations_alone(sure: Client) -> None:
    link = invite(sure)
    SignInLink.make()
    assert Client().get(link).status_code == 200


def test_who_is_signed_in_as_somebody_else_becomes_the_invited(sure: Client) -> None:
    link = invite(sure)
    assert sure.post(link).status_code == 302
    choose(sure)
    assert b"You are signed in as joan" in sure.get(path_of("account")).content


def test_a_link_gets_a_fresh_session(sure: Client) -> None:
    link, guest = invite(sure), Client()
    planted = guest.session
    planted["planted"] = "1"
    planted.save()
    guest.cookies["hermesweb"] = planted.session_key
    guest.post(link)
    assert guest.session.session_key != planted.session_key
    assert not Session.objects.filter(session_key=planted.session_key).exists()


def test_a_link_for_somebody_switched_off_opens_nothing(sure: Client) -> None:
    link = invite(sure)
    Person.objects.filter(username="joan").update(is_active=False)
    assert Client().post(link).status_code == 410


def test_a_name_that_is_taken_is_refused(sure: Client, member: Person) -> None:
    answer = sure.post(path_of("invite"), {"username": "JOAN", "days": "1"})
    assert answer.status_code == 422
    assert b"Somebody else has this name." in answer.content


def test_an_owner_makes_no_link_for_somebody_with_a_password(sure: Client, member: Person) -> None:
    answer = sure.post(path_of("new_link", person=member.pk), {"days": "1"}, follow=True)
    assert b"No link was made" in answer.content
    assert not SignInLink.objects.exists()


@pytest.mark.parametrize(
    "name", ["invite", "person", "remove_person", "household", "new_link", "switch_person"]
)
def test_what_changes_something_asks_first_who_it_is(name: str, owner_client: Client, member: Person) -> None:
    for ask in (owner_client.get, owner_client.post):
        answer = ask(path_of(name, person=member.pk))
        assert answer.headers["Location"].startswith(path_of("account_reauthenticate"))
    assert actions().count("access_changed") == 0


def test_levels_are_given_changed_and_taken(sure: Client, member: Person, profile: Profile) -> None:
    address = path_of("person", person=member.pk)
    sure.post(address, {OFFICE: "reviewer", DEFAULT: "member"})
    assert set(member.profiles.values_list("profile", "level")) == {
        ("office", "reviewer"),
        ("default", "member"),
    }
    sure.post(address, {DEFAULT: "boss", OFFICE: ""})
    assert not member.profiles.exists()
    about = (
        Activity.objects.filter(action="access_changed").order_by("number").values_list("profile", "about")
    )
    assert list(about) == [
        ("default", f"person {member.pk} member"),
        ("office", f"person {member.pk} reviewer"),
        ("default", f"person {member.pk} none"),
        ("office", f"person {member.pk} none"),
    ]


def test_a_profile_that_is_not_there_now_keeps_its_level(
    sure: Client, member: Person, profile: Profile
) -> None:
    ProfileAccess.objects.create(person=member, home=HOME, profile="attic")
    address = path_of("person", person=member.pk)
    assert b"not there now" in sure.get(address).content
    sure.post(address, {OFFICE: "member", f"access {HOME} attic": "member"})
    assert member.profiles.filter(profile="attic").exists()


def test_no_profile_is_given_that_was_not_offered(sure: Client, member: Person, profile: Profile) -> None:
    sure.post(path_of("person", person=member.pk), {OFFICE: "member", f"access {HOME} cellar": "member"})
    assert not member.profiles.filter(profile="cellar").exists()


def test_a_form_that_lost_a_part_takes_nothing_away(
    sure: Client, owner: Person, member: Person, profile: Profile
) -> None:
    for person in (member, owner):
        assert sure.post(path_of("person", person=person.pk)).status_code == 302
    owner.refresh_from_db()
    assert owner.is_owner
    assert member.profiles.get().level == "member"


def test_members_are_told_who_was_let_in(
    sure: Client, member: Person, make_member: Callable[..., Person], signed_in: Callable[..., Client],
    profile: Profile,
) -> None:  # fmt: skip
    ruth = make_member("ruth")
    sure.post(path_of("person", person=ruth.pk), {OFFICE: "reviewer"})
    client = signed_in(member)
    page = client.get(path_of("account")).content.decode()
    assert "ruth was let into your profile <strong>office</strong>" in page
    assert not ruth.notices.exists()


def test_switching_off_signs_out_at_once(
    sure: Client, member: Person, signed_in: Callable[..., Client]
) -> None:
    client = signed_in(member)
    sure.post(path_of("switch_person", person=member.pk))
    assert client.get(path_of("account")).status_code == 302
    assert Client().post("/sign-in/", {"login": "joan", "password": PASSWORD}).status_code == 200
    sure.post(path_of("switch_person", person=member.pk), {"on": "1"})
    assert Client().post("/sign-in/", {"login": "joan", "password": PASSWORD}).status_code == 302


def test_removing_leaves_the_activity(sure: Client, member: Person, signed_in: Callable[..., Client]) -> None:
    client = signed_in(member)
    assert b"Remove joan" in sure.get(path_of("remove_person", person=member.pk)).content
    assert sure.post(path_of("remove_person", person=member.pk)).headers["Location"] == path_of("people")
    assert client.get(path_of("account")).status_code == 302
    assert not ProfileAccess.objects.exists()
    assert Activity.objects.filter(name="joan", action="signed_in").exists()


@pytest.mark.parametrize("name", ["person", "switch_person", "remove_person"])
def test_the_last_owner_stays(name: str, sure: Client, owner: Person) -> None:
    answer = sure.post(path_of(name, person=owner.pk), {"whole": "1"})
    assert answer.status_code == 422
    assert b"this is the last owner" in answer.content
    owner.refresh_from_db()
    assert (owner.is_owner, owner.is_active) == (True, True)


@pytest.mark.parametrize("name", ["person", "switch_person", "remove_person"])
def test_of_two_owners_one_may_go(name: str, sure: Client, owner: Person, member: Person) -> None:
    sure.post(path_of("person", person=member.pk), {"owner": "on"})
    assert sure.post(path_of(name, person=member.pk), {"whole": "1"}).status_code == 302
    assert not Person.objects.filter(pk=member.pk, is_superuser=True, is_active=True).exists()


def test_an_invited_owner_who_never_came_does_not_count(
    sure: Client, owner: Person, profile: Profile
) -> None:
    invite(sure)
    joan = Person.objects.get(username="joan")
    sure.post(path_of("person", person=joan.pk), {"owner": "on"})
    assert sure.post(path_of("remove_person", person=owner.pk)).status_code == 422


def test_an_owner_who_removes_themselves_is_signed_out(sure: Client, owner: Person, member: Person) -> None:
    sure.post(path_of("person", person=member.pk), {"owner": "on"})
    assert sure.post(path_of("remove_person", person=owner.pk)).headers["Location"] == "/sign-in/"
    assert sure.get(path_of("account")).status_code == 302


def test_the_list_says_who_signs_in_how(sure: Client, member: Person) -> None:
    invite(sure, "newcomer")
    page = sure.get(path_of("people")).content.decode()
    for word in ("mara", "joan", "newcomer", "Invited, not here yet", "Owner: manages people and homes"):
        assert word in page


def test_what_holds_for_everybody_is_changed(sure: Client) -> None:
    answer = sure.post(path_of("household"), {"second_factor_required": "", "activity_days": "90"})
    assert answer.status_code == 302
    assert Household.now().activity_days == 90
    assert sure.post(path_of("household"), {"activity_days": "1"}).status_code == 422
    assert Activity.objects.filter(action=Action.HOUSEHOLD_CHANGED).get().about == "no_factor 90"


def test_notices_are_ones_own(member: Person, reviewer: Person, signed_in: Callable[..., Client]) -> None:
    notice = Notice.objects.create(person=member, kind="opened", by="mara", home=HOME, profile="office")
    other, joan = signed_in(reviewer), signed_in(member)
    assert other.post(path_of("dismiss_notice", notice=notice.pk)).status_code == 404
    assert (
        joan.post(path_of("dismiss_notice", notice=notice.pk), {"next": "//evil.example"}).headers["Location"]
        == "/"
    )
    assert not Notice.objects.exists()
    assert Activity.objects.latest("number").action == Action.NOTICE_READ
