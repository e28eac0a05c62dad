"""The pages about people and sign-in in the states they can be in, asked for with Django's own client."""

from collections.abc import Callable

from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.http import HttpResponse
from django.test import Client

from hermesweb.accounts.models import Household, Notice, Person, ProfileAccess, SignInLink
from tests.addresses import path_of
from tests.web.people import HOME, PASSWORD, confirm

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"
STATES = {
    "join": 200, "join_spent": 410, "invitation": 200, "open_with_notice": 200, "closed": 403, "only_reading": 403,
    "notice": 200, "no_profile": 200, "sign_in_code": 200, "wrong_code": 200, "no_passkey": 200, "factor_missing": 200,
    "factors": 200, "last_owner": 422, "activity_checked": 200, "reviewed": 200, "invite_taken": 422,
}  # fmt: skip


def give_factors(person: Person) -> None:
    TOTP.activate(person, SECRET)
    RecoveryCodes.activate(person)
    Authenticator.objects.create(user=person, type="webauthn", data={"name": "Laptop", "credential": {}})


def asking_page(name: str, owner: Person, client: Client) -> HttpResponse:
    """A page behind “Confirm it is you”."""
    joan = Person.objects.create_user("joan")
    values: dict[str, object] = {"person": joan.pk, "home": HOME, "profile": "office"}
    if name not in ("mfa_activate_totp", "mfa_add_webauthn") and name.startswith("mfa_"):
        give_factors(owner)
        values["pk"] = Authenticator.objects.get(type="webauthn").pk
    if name == "new_link":
        joan.set_unusable_password()
        joan.save()
    return confirm(client).get(path_of(name, **values))


def state_page(state: str, owner: Person, client: Client, signed_in: Callable[..., Client]) -> HttpResponse:
    joan = Person.objects.create_user("joan", password=PASSWORD)
    guest = Client(raise_request_exception=False)
    if state in ("join", "join_spent"):
        return guest.get(path_of("join", token=SignInLink.make(joan) if state == "join" else "spent"))
    if state == "no_passkey":
        return guest.post(path_of("mfa_login_webauthn"), {"credential": ""})
    if state in ("sign_in_code", "wrong_code"):
        give_factors(joan)
        Authenticator.objects.filter(type="webauthn").delete()
        guest.post("/sign-in/", {"login": "joan", "password": PASSWORD})
        address = path_of("mfa_authenticate")
        return guest.get(address) if state == "sign_in_code" else guest.post(address, {"code": "000000"})
    return signed_in_state(state, owner, joan, client, signed_in)


def signed_in_state(
    state: str, owner: Person, joan: Person, client: Client, signed_in: Callable[..., Client]
) -> HttpResponse:
    door = path_of("open_with_notice", home=HOME, profile="office")
    overview = path_of("overview", home=HOME, profile="office")
    level = "reviewer" if state in ("only_reading", "reviewed") else "member"
    if state != "no_profile":
        ProfileAccess.objects.create(person=joan, home=HOME, profile="office", level=level)
    if state == "invitation":
        return confirm(client).post(path_of("invite"), {"username": "ruth", "days": "3"})
    if state == "invite_taken":
        return confirm(client).post(path_of("invite"), {"username": "joan", "days": "3"})
    if state == "open_with_notice":
        return confirm(client).get(door)
    if state == "closed":
        return client.post(overview + "measure/")
    if state == "last_owner":
        return confirm(client).post(path_of("person", person=owner.pk), {"whole": "1"})
    if state == "activity_checked":
        return client.post(path_of("check_activity"), follow=True)
    if state == "factors":
        give_factors(owner)
        return client.get(path_of("mfa_index"))
    if state == "factor_missing":
        Household(pk=1, second_factor_required=True).save()
        return client.get(path_of("mfa_index"))
    if state == "notice":
        for kind in Notice.Kind:
            Notice.objects.create(person=joan, kind=kind, by="mara", home=HOME, profile="office")
        return signed_in(joan).get(path_of("homes"))
    if state == "only_reading":
        return signed_in(joan).post(overview + "copy/remove/")
    return signed_in(joan).get(overview if state == "reviewed" else path_of("homes"))
