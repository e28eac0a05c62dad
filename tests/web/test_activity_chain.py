"""The chain of the activity: what somebody does to its table behind our back is found."""

import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection, models
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from hermesweb.accounts.models import Household, Person
from hermesweb.activity.chain import Broken, append, digest_of, verify
from hermesweb.activity.models import Action, Activity, AppendOnly, Chain

pytestmark = pytest.mark.django_db


def write(count: int = 5, **values: object) -> None:
    for number in range(count):
        append(
            action=Action.VIEWED_MEMORY,
            name="joan",
            home="hermes",
            profile="office",
            **values,
            about=str(number),
        )


def behind_our_back(statement: str, *values: object) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def command(*arguments: str) -> str:
    out = StringIO()
    call_command("verify_activity", *arguments, stdout=out)
    return out.getvalue()


def test_it_works() -> None:
    write()
    found = verify()
    assert (found.lines, found.broken) == (5, None)
    assert found.seal == Activity.objects.get(number=5).digest
    assert "Unbroken: 5 lines." in command()
    assert found.seal in command()


def test_an_empty_one_is_unbroken() -> None:
    assert verify().broken is None
    assert "Unbroken: 0 lines." in command()


@pytest.mark.parametrize(
    ("column", "value"),
    [("name", "ruth"), ("action", "exported"), ("profile", "attic"), ("home", "other"), ("address", "192.0.2.1"),
     ("about", "7"), ("person_id", 7), ("at", datetime(2026, 1, 1, tzinfo=UTC)), ("digest", "0" * 64)],
)  # fmt: skip
def test_an_edited_line_is_found(column: str, value: object) -> None:
    write()
    behind_our_back(f"UPDATE activity_activity SET {column} = %s WHERE number = 3", value)
    assert verify().broken == Broken("changed", 3)
    with pytest.raises(CommandError, match="Line 3 was changed") as refusal:
        command()
    assert refusal.value.returncode == 1


def test_an_edited_line_with_a_digest_of_its_own_is_found_by_the_next() -> None:
    write()
    line = Activity.objects.get(number=3)
    line.name = "ruth"
    fitting = digest_of(Activity.objects.get(number=2).digest, line)
    behind_our_back("UPDATE activity_activity SET name = 'ruth', digest = %s WHERE number = 3", fitting)
    assert verify().broken == Broken("changed", 4)


def test_a_removed_line_is_found() -> None:
    write()
    behind_our_back("DELETE FROM activity_activity WHERE number = 3")
    assert verify().broken == Broken("missing", 3)
    with pytest.raises(CommandError, match="Line 3 is missing"):
        command()


def test_removed_lines_at_the_end_are_found() -> None:
    write()
    behind_our_back("DELETE FROM activity_activity WHERE number > 3")
    assert verify().broken == Broken("end", 4)


def test_a_line_that_was_put_at_the_end_is_found() -> None:
    write()
    last = Activity.objects.get(number=5)
    added = Activity(number=6, action="exported", at=timezone.now())
    behind_our_back(
        "INSERT INTO activity_activity (number, at, name, action, home, profile, address, about, digest)"
        " VALUES (6, %s, '', 'exported', '', '', '', '', %s)",
        added.at,
        digest_of(last.digest, added),
    )
    assert verify().broken == Broken("end", 7)


def test_removed_lines_at_the_beginning_are_found() -> None:
    write()
    behind_our_back("DELETE FROM activity_activity WHERE number < 3")
    assert verify().broken == Broken("missing", 1)


def test_a_beginning_that_was_removed_and_covered_up_is_found() -> None:
    write()
    digest = Activity.objects.get(number=2).digest
    behind_our_back("DELETE FROM activity_activity WHERE number < 3")
    behind_our_back("UPDATE activity_chain SET removed = 2, removed_digest = %s", digest)
    assert verify().broken == Broken("beginning", 2)


def test_lines_that_changed_places_are_found() -> None:
    write()
    behind_our_back("UPDATE activity_activity SET number = 99 WHERE number = 2")
    behind_our_back("UPDATE activity_activity SET number = 2 WHERE number = 4")
    behind_our_back("UPDATE activity_activity SET number = 4 WHERE number = 99")
    assert verify().broken == Broken("changed", 2)


def test_a_noted_seal_finds_a_chain_that_was_written_anew() -> None:
    write()
    noted = verify().seal
    assert "Unbroken" in command("--seal", noted)
    write(1)
    assert "Unbroken" in command("--seal", noted)  # lines may come after it
    behind_our_back("DELETE FROM activity_activity")
    behind_our_back("DELETE FROM activity_chain")
    write()
    assert verify().broken is None
    with pytest.raises(CommandError, match="seal you gave"):
        command("--seal", noted)


def test_a_line_stays_as_it_is() -> None:
    write()
    line = Activity.objects.get(number=3)
    refused: list[Callable[[], object]] = [
        line.delete,
        line.save,
        Activity.objects.all().delete,
        lambda: Activity.objects.filter(number=3).update(name="ruth"),
        lambda: Activity.objects.create(action="exported"),
        lambda: Activity.objects.bulk_create([Activity(action="exported")]),
        lambda: Activity.objects.bulk_update([line], ["name"]),
        lambda: Activity(action="exported").save(),
    ]
    for act in refused:
        with pytest.raises(AppendOnly):
            act()
    assert verify().broken is None


def test_removing_a_person_leaves_their_lines(member: Person) -> None:
    append(action=Action.SIGNED_IN, person_id=member.pk, name="joan")
    member.delete()
    assert verify().broken is None
    assert Activity.objects.latest("number").name == "joan"


def at(days: int) -> datetime:
    return timezone.now() - timedelta(days=days)


def test_old_lines_go_when_an_owner_wants_that_and_the_rest_stays_unbroken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    Household(pk=1, activity_days=90).save()
    real = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: real() - timedelta(days=100))
    write(3)
    monkeypatch.setattr(timezone, "now", real)
    write(2)
    assert list(Activity.objects.order_by("number").values_list("number", "action")) == [
        (4, "viewed_memory"),
        (5, "activity_trimmed"),
        (6, "viewed_memory"),
    ]
    assert verify().broken is None
    behind_our_back("DELETE FROM activity_activity WHERE number = 4")
    assert verify().broken == Broken("missing", 4)


def test_old_lines_stay_when_they_are_to_be_kept_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    Household(pk=1, activity_days=0).save()
    real = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: real() - timedelta(days=9_000))
    write(3)
    monkeypatch.setattr(timezone, "now", real)
    write(2)
    assert verify().lines == 5


@pytest.mark.django_db(transaction=True)
def test_lines_written_at_once_get_a_place_each() -> None:
    def some() -> None:
        write(20)
        connection.close()

    threads = [threading.Thread(target=some) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = verify()
    assert (found.lines, found.broken) == (80, None)
    assert Chain.objects.get().number == 80


@pytest.mark.django_db(transaction=True)
def test_lines_of_before_the_chain_are_sealed_by_the_migration() -> None:
    executor = MigrationExecutor(connection)
    try:
        executor.migrate([("activity", "0001_initial")])
        earlier: type[models.Model] = executor.loader.project_state(
            [("activity", "0001_initial")]
        ).apps.get_model("activity", "Activity")
        for number in range(3):
            earlier.objects.create(action="viewed_memory", name=f"joan {number}", about="é")  # type: ignore[attr-defined]
    finally:
        executor.loader.build_graph()
        executor.migrate(executor.loader.graph.leaf_nodes())
    assert verify().broken is None
    assert verify().lines == 3
    write(1)
    assert verify().broken is None
