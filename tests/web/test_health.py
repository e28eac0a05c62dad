"""/health/: whether the server is up, and nothing else."""

import pytest
from django.core.cache import cache
from django.db import DatabaseError
from django.test import Client

from hermesweb.activity.models import Activity
from hermesweb.jobs import pulse

pytestmark = pytest.mark.django_db


def test_it_works(client: Client) -> None:
    pulse.beat()
    answer = client.get("/health/")
    assert (answer.status_code, answer.content) == (200, b"ok\n")
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert not answer.cookies
    assert not Activity.objects.exists()


def test_no_worker(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    cache.clear()
    answer = client.get("/health/")
    assert (answer.status_code, answer.content) == (503, b"not ok\n")
    assert not caplog.records


def test_a_database_that_cannot_be_asked(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> bool:
        raise DatabaseError("velword")

    monkeypatch.setattr(pulse, "is_heard", refuse)
    answer = client.get("/health/")
    assert (answer.status_code, answer.content) == (503, b"not ok\n")


def test_only_looking_is_allowed(client: Client) -> None:
    assert client.post("/health/").status_code == 405
    pulse.beat()
    assert client.head("/health/").status_code == 200


def test_it_answers_without_tls_where_pages_lead_to_it(client: Client, settings: object) -> None:
    pulse.beat()
    settings.SECURE_SSL_REDIRECT = True  # type: ignore[attr-defined]
    assert client.get("/health/").status_code == 200
    assert client.get("/sign-in/").headers["Location"].startswith("https://")
