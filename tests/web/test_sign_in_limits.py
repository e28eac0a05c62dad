"""Guessing is slowed without locking the right person out; a sign-in ends; browsers are signed out."""

import time
from collections.abc import Callable

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.sessions.models import Session
from django.test import Client
from pytest_django import Settings

from hermesweb.accounts.models import Person
from hermesweb.activity.models import Action, Activity
from hermesweb.hermes.homes import Profile
from hermesweb.homes import place_of
from hermesweb.jobs.models import Job
from tests.addresses import path_of
from tests.web.people import PASSWORD

pytestmark = pytest.mark.django_db

SIGN_IN = "/sign-in/"
ACCOUNT = "/account/"
MINUTE = 60


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Callable[[float], None]:
    """clock(90) -> 90 seconds later."""
    began = time.time()
    moved = [0.0]
    monkeypatch.setattr(time, "time", lambda: began + moved[0])

    def later(seconds: float) -> None:
        moved[0] += seconds

    return later


def guess(password: str = "wrong", name: str = "mara", address: str = "192.0.2.1") -> int:
    form = {"login": name, "password": password}
    return Client(raise_request_exception=False).post(SIGN_IN, form, REMOTE_ADDR=address).status_code


def test_a_thousand_wrong_guesses_are_slowed_and_the_right_person_gets_in_elsewhere(owner: Person) -> None:
    answers = [guess() for _ in range(1_000)]
    assert answers.count(200) == 20
    assert answers.count(429) == 980
    assert guess(PASSWORD) == 429
    assert guess(PASSWORD, address="192.0.2.2") == 302


def test_patience_does_not_help_much(owner: Person, clock: Callable[[float], None]) -> None:
    """Five minutes later an address may try again, but the same account only so often in an hour."""
    tried = 0
    for _ in range(12):
        tried += [guess() for _ in range(25)].count(200)
        clock(5 * MINUTE + 1)
    assert tried <= 60
    assert guess(name="joan") == 200  # another account is not closed by it
    assert guess(PASSWORD, address="192.0.2.2") == 302


def test_guessing_names_from_one_address_is_slowed_too(owner: Person) -> None:
    assert [guess(name=f"name{number}") for number in range(25)].count(200) == 20


def test_the_neighbours_of_one_ipv6_network_are_one_address(owner: Person) -> None:
    assert [guess(address=f"2001:db8::{number:x}") for number in range(1, 26)].count(200) == 20
    assert guess(PASSWORD, address="2001:db8:1::1") == 302


def test_many_addresses_do_not_push_the_limits_of_one_out(owner: Person) -> None:
    assert [guess() for _ in range(21)][-1] == 429
    for number in range(330):
        assert guess(address=f"2001:db8:{number:x}::1") == 200
    assert guess() == 429


def test_unknown_names_cost_the_same_work(
    owner: Person, make_member: Callable[..., Person], monkeypatch: pytest.MonkeyPatch
) -> None:
    off, invited = make_member("joan"), Person(username="ruth")
    Person.objects.filter(pk=off.pk).update(is_active=False)
    invited.set_unusable_password()
    invited.save()
    real, counted = MD5PasswordHasher.encode, []
    monkeypatch.setattr(
        MD5PasswordHasher, "encode", lambda self, *given: counted.append(1) or real(self, *given)
    )
    work = {}
    for name in ("mara", "nobody", "joan", "ruth"):
        counted.clear()
        guess(name=name)
        work[name] = len(counted)
    assert len(set(work.values())) == 1, work


def test_a_sign_in_ends_when_nothing_is_asked(owner_client: Client, clock: Callable[[float], None]) -> None:
    clock(59 * MINUTE)
    assert owner_client.get(ACCOUNT).status_code == 200
    clock(59 * MINUTE)
    assert owner_client.get(ACCOUNT).status_code == 200
    cookie = owner_client.cookies["hermesweb"].value
    clock(61 * MINUTE)
    assert owner_client.get(ACCOUNT).headers["Location"] == f"{SIGN_IN}?next={ACCOUNT}"
    assert Activity.objects.latest("number").action == Action.SIGN_IN_ENDED
    assert not Session.objects.filter(session_key=cookie).exists()


def test_a_sign_in_ends_after_twelve_hours_of_use(
    owner_client: Client, clock: Callable[[float], None]
) -> None:
    for _ in range(12 * 2):
        assert owner_client.get(ACCOUNT).status_code == 200
        clock(30 * MINUTE)
    clock(1)
    assert owner_client.get(ACCOUNT).status_code == 302


@pytest.mark.parametrize("page", ["job", "trace_result"])
def test_a_page_that_asks_again_by_itself_keeps_nobody_signed_in(
    page: str, owner_client: Client, owner: Person, profile: Profile, clock: Callable[[float], None]
) -> None:
    place, asked = place_of(profile), {"profiles": ["office"]}
    found = Job.objects.create(
        kind="trace", home="hermes", profile="office", person=owner, place=place, checkpoint=asked
    )
    job = path_of(page, home="hermes", profile="office", job=found.pk, trace=found.pk)
    assert b'hx-trigger="every' in owner_client.get(job).content
    for _ in range(12):
        clock(5 * MINUTE)
        assert owner_client.get(job, headers={"HX-Request": "true"}).status_code == 200
    clock(MINUTE)
    answer = owner_client.get(job, headers={"HX-Request": "true"})
    assert answer.headers["HX-Redirect"] == SIGN_IN
    assert SESSION_KEY not in owner_client.session


def test_how_long_is_a_setting(
    owner_client: Client, settings: Settings, clock: Callable[[float], None]
) -> None:
    settings.IDLE_SECONDS = 10 * MINUTE
    clock(11 * MINUTE)
    assert owner_client.get(ACCOUNT).status_code == 302


def test_a_post_after_the_end_does_nothing(
    owner_client: Client, profile: Profile, clock: Callable[[float], None]
) -> None:
    clock(2 * 60 * MINUTE)
    answer = owner_client.post("/homes/hermes/office/measure/")
    assert answer.status_code == 403
    assert b"You are signed out" in answer.content
    assert not Job.objects.exists()


# -- browsers


def browser(signed_in: Callable[..., Client], person: Person, agent: str, address: str) -> Client:
    return signed_in(person, headers={"User-Agent": agent}, REMOTE_ADDR=address)


@pytest.fixture
def three(signed_in: Callable[..., Client], owner: Person) -> list[Client]:
    agents = [
        "Mozilla/5.0 (X11; Linux) Firefox/140.0",
        "Mozilla/5.0 (iPhone) Version/18 Safari/605",
        "<b>odd",
    ]
    return [browser(signed_in, owner, agent, f"192.0.2.{n}") for n, agent in enumerate(agents, start=1)]


def test_they_are_listed(three: list[Client]) -> None:
    page = three[0].get(ACCOUNT).content.decode()
    for word in ("Firefox on Linux", "Safari on iPhone", "192.0.2.1", "192.0.2.2", "192.0.2.3", "this one"):
        assert word in page
    assert "<b>odd" not in page


def test_one_is_signed_out(three: list[Client]) -> None:
    page = three[0].get(ACCOUNT).content.decode()
    pk = page.partition("Safari on iPhone")[2].partition('name="browser" value="')[2].partition('"')[0]
    assert three[0].post(path_of("sign_browsers_out"), {"browser": pk}).status_code == 302
    assert [client.get(ACCOUNT).status_code for client in three] == [200, 302, 200]


def test_all_others_are_signed_out(three: list[Client]) -> None:
    three[0].post(path_of("sign_browsers_out"), {"browser": "others"})
    assert [client.get(ACCOUNT).status_code for client in three] == [200, 302, 302]
    assert Activity.objects.filter(action=Action.BROWSERS_SIGNED_OUT).get().about == "2"


def test_all_are_signed_out(three: list[Client]) -> None:
    assert three[0].post(path_of("sign_browsers_out"), {"browser": "all"}).headers["Location"] == SIGN_IN
    assert [client.get(ACCOUNT).status_code for client in three] == [302, 302, 302]


@pytest.mark.parametrize("wanted", ["", "x", "-1", "99999999999999999999", "0"])
def test_those_of_others_are_not(
    wanted: str, three: list[Client], signed_in: Callable[..., Client], member: Person
) -> None:
    joan = signed_in(member)
    page = three[0].get(ACCOUNT).content.decode()
    pk = page.partition("Safari on iPhone")[2].partition('name="browser" value="')[2].partition('"')[0]
    joan.post(path_of("sign_browsers_out"), {"browser": pk})
    joan.post(path_of("sign_browsers_out"), {"browser": wanted})
    assert [client.get(ACCOUNT).status_code for client in [*three, joan]] == [200] * 4


def test_a_new_password_signs_the_others_out(three: list[Client]) -> None:
    form = {"oldpassword": PASSWORD, "password1": "a new long one 8", "password2": "a new long one 8"}
    assert three[0].post(path_of("account_change_password"), form).status_code == 302
    assert [client.get(ACCOUNT).status_code for client in three] == [200, 302, 302]
    assert "192.0.2.2" not in three[0].get(ACCOUNT).content.decode()


# -- language and zone


def test_times_are_in_the_zone_of_who_reads(owner_client: Client, owner: Person) -> None:
    seen = set()
    for zone in ("Pacific/Kiritimati", "Pacific/Honolulu"):
        assert owner_client.post(ACCOUNT, {"language": "", "zone": zone}).status_code == 302
        page = owner_client.get("/activity/").content.decode()
        seen.add(page.partition('<time datetime="')[2].partition('"')[0][-6:])
    assert seen == {"+14:00", "-10:00"}


def test_the_language_is_the_persons_own(owner_client: Client) -> None:
    owner_client.post(ACCOUNT, {"language": "de", "zone": ""})
    answer = owner_client.get(ACCOUNT, headers={"Accept-Language": "en"})
    assert b'<html lang="de">' in answer.content
    assert answer.headers["Content-Language"] == "de"
    assert b'<html lang="en">' in Client().get(SIGN_IN).content  # nothing of it is left for the next


@pytest.mark.parametrize("form", [{"language": "xx"}, {"zone": "Mars/Olympus"}, {"zone": "../../etc/passwd"}])
def test_only_what_is_offered_is_taken(form: dict[str, str], owner_client: Client, owner: Person) -> None:
    assert owner_client.post(ACCOUNT, {"language": "", "zone": ""} | form).status_code == 422
    owner.refresh_from_db()
    assert (owner.language, owner.zone) == ("", "")


def test_a_zone_that_this_machine_does_not_know_is_no_fault(owner_client: Client, owner: Person) -> None:
    for zone in ("Mars/Olympus", "../../etc/passwd", "/etc/passwd"):
        Person.objects.update(zone=zone)
        assert owner_client.get(ACCOUNT).status_code == 200
