"""The pages of clearing in the states they can be in, asked for with Django's own client."""

import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from hermesweb.hermes.homes import Profile
from hermesweb.hermes.running import Running
from hermesweb.hermes.signs import Evidence
from hermesweb.homes import place_of
from hermesweb.jobs.models import Job
from hermesweb.privacy import clear_confirm, clear_views, look
from hermesweb.privacy.clearing import Wish
from hermesweb.privacy.models import Report
from hermesweb.privacy.wiping.choice import choose
from hermesweb.privacy.wiping.order import in_order
from hermesweb.privacy.wiping.perform import Order, perform
from hermesweb.privacy.wiping.survey import Outside
from tests.addresses import path_of
from tests.web.people import HOME, confirm

SIGNS = (
    Evidence("gateway_lock", {"pid": 2141}),
    Evidence("open_database", {"pid": 30977, "program": "hermes"}),
)
NOT_RUNNING, RUNNING = Running("no", ()), Running("yes", SIGNS)
ABOUT: dict[str, Any] = {
    "product": "0.1.0", "release": "0.19", "release_certain": True, "home": "Made", "profile": "office", "by": "mara",
    "address": "127.0.0.1", "began": "2026-11-30T14:33:00+00:00", "ended": "2026-11-30T14:36:00+00:00",
    "remote": [], "remote_complete": True,
}  # fmt: skip
CLEARING = ["wizard:running", "wizard:wrong_name", "report", "reports:some", "clearing:running"]
CLEARING += ["clearing:done", "clearing:failed", "clearing:cancelled", "checked", "delete_report"]


class Wizard:
    """The wizard of one profile for one person."""

    def __init__(self, client: Client, profile: str = "default") -> None:
        self.client, self.where = client, {"home": HOME, "profile": profile}

    def path(self, name: str) -> str:
        return path_of(name, **self.where)

    def get(self, name: str) -> str:
        answer = self.client.get(self.path(name))
        assert answer.status_code == 200
        return answer.content.decode()

    def post(self, step: str, /, **form: Any) -> Any:
        return self.client.post(self.path(step), form)

    def ticked(self) -> set[str]:
        boxes = re.findall(r'name="store" value="([\w-]+)"( checked)?', self.get("clear_choose"))
        return {name for name, checked in boxes if checked}

    def to_confirm(self, *stores: str) -> None:
        self.post("clear_choose", store=stores, go="next")
        self.post("clear_remote", seen="1")
        self.post("clear_hermes", **{"while": "running"})


def hermes(monkeypatch: pytest.MonkeyPatch, running: Running) -> None:
    """What is seen of Hermes from now on."""
    for module in (clear_confirm, clear_views, look):
        monkeypatch.setattr(module, "is_running", lambda profile: running)
    monkeypatch.setattr("hermesweb.privacy.clearing.is_running", lambda profile: running)


def make_report(profile: Profile, *names: str, alive: bool = False, **changes: Any) -> Report:
    """What a real run of clearing leaves, without a search for words."""
    work = Path(settings.WORK_FOLDER)
    outside = Outside(work / "nobody", work / "nothing", frozenset())
    order = Order(
        profile, choose(names or ["default"], shared=False), alive, [], frozenset(), ABOUT, work, outside
    )
    content = {**ABOUT, **perform(order), **changes}
    return Report.objects.create(
        home=profile.home.key, profile=profile.name, place=place_of(profile), content=content
    )


def make_job(profile: Profile, state: str, **values: Any) -> Job:
    wish = Wish(choose(["default"], shared=False), while_running=True).plain()
    order = in_order(choose(["default"], shared=False))
    record: dict[str, Any] = {"before": {"memory-md": [1, 30], "agent-log": [1, 9]}}
    record["done"] = order[: order.index("agent-log")]
    record["left"] = {"memory-md": {"why": "foreign_owner", "count": 1, "names": []}}
    return Job.objects.create(
        kind="wipe", home=profile.home.key, profile=profile.name, place=place_of(profile), state=state,
        checkpoint={**wish, "record": record}, **values,
    )  # fmt: skip


def clearing_page(page: str, client: Client, profile: Profile, monkeypatch: pytest.MonkeyPatch) -> Any:
    hermes(monkeypatch, NOT_RUNNING)
    where = {"home": HOME, "profile": profile.name}
    if page.startswith("wizard:"):
        if page == "wizard:running":
            hermes(monkeypatch, RUNNING)
            return client.get(path_of("clear_hermes", **where))
        client.post(path_of("clear_choose", **where), {"store": ["memory-md", "state-db"], "go": "next"})
        client.post(path_of("clear_remote", **where), {"seen": "1"})
        return confirm(client).post(path_of("clear_confirm", **where), {"name": "wrong"})
    if page.startswith("clearing:"):
        refused = {"problem": "hermes_runs"} if page.endswith("failed") else {}
        job = make_job(profile, page.partition(":")[2], outcome=refused)
        if page.endswith("done"):
            Report.objects.filter(pk=make_report(profile).pk).update(job=job)
        return client.get(path_of("job", job=job.pk))
    came_back = [{"id": "state-db", "files": 1, "bytes": 9, "names": ["state.db"], "rows": {"sessions": 1}}]
    looks = [
        {"at": "2026-11-30T14:46:00+00:00", "came_back": came_back},
        {"at": ABOUT["ended"], "came_back": []},
    ]
    (profile.folder / "processes.json").write_text("[]")  # of a running Hermes
    report = make_report(profile, "everything", alive=True, looks=looks)
    if page == "reports:some":
        return client.get(path_of("reports", **where))
    if page == "checked":
        outcome: dict[str, Any] = {"report": str(report.pk), "came_back": 1}
        job = Job.objects.create(
            kind="check_again", home=HOME, profile=profile.name, state="done", outcome=outcome
        )
        return client.get(path_of("job", job=job.pk))
    if page == "delete_report":
        return confirm(client).get(path_of("delete_report", report=report.pk, **where))
    return client.get(path_of("report", report=report.pk, **where))
