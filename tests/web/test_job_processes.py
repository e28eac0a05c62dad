"""Long work beside a real web server: whichever process dies, the work is not lost. With the job of tests.web.slow."""

import json
from collections.abc import Callable

from tests.web.server import Server, Visitor, wait_for

MEASURE = "/homes/hermes/office/measure/"


def start_job(server: Server) -> tuple[Visitor, str]:
    mara = Visitor(server.port).sign_in_first(server.link())
    assert mara.get("/account/password/").status == 200  # a page with a token
    page = mara.post(MEASURE).location
    assert page.startswith("/jobs/")
    wait_for(lambda: counted(server) > 0)
    return mara, page


def counted(server: Server) -> int:
    return int(column(server, "done"))


def state(server: Server) -> str:
    return str(column(server, "state"))


def outcome(server: Server) -> dict[str, int]:
    return dict(json.loads(column(server, "outcome")))


def column(server: Server, name: str) -> str:
    ((value,),) = server.ask_database(f"SELECT {name} FROM jobs_job")
    return value


def finish(server: Server) -> None:
    (server.data / "finish").touch()
    wait_for(lambda: state(server) == "done")


def test_the_web_server_is_killed_and_the_job_goes_on(server: Server) -> None:
    mara, page = start_job(server)
    worker = server.part("worker")
    server.part("gunicorn").kill()
    at_death = counted(server)
    wait_for(lambda: counted(server) > at_death)
    wait_for(server.answers)
    assert "files counted" in mara.get(page).body
    finish(server)
    assert server.part("worker") == worker
    assert "Every file of the profile was counted." in mara.get(page).body
    assert outcome(server)["begun_at"] == 0


def test_the_worker_is_killed_and_the_page_says_so_and_goes_on(server: Server) -> None:
    mara, page = start_job(server)
    server.part("worker").kill()
    wait_for(lambda: "The worker ended (-9) and is started again." in server.printed())
    assert state(server) == "running"
    # Instead of waiting for fifteen seconds.
    server.ask_database("UPDATE jobs_job SET heartbeat = '2026-01-01 00:00:00'")
    body = mara.get(page).body
    assert "has not been heard of since" in body
    assert "the work goes on" not in body
    assert "Go on" in body
    assert mara.post(page + "continue/").location == page
    at_death = counted(server)
    wait_for(lambda: counted(server) > at_death)
    finish(server)
    assert "Every file of the profile was counted." in mara.get(page).body
    assert outcome(server)["begun_at"] > 0


def test_ctrl_c_stops_within_five_seconds_and_the_next_start_goes_on(server: Server) -> None:
    mara, page = start_job(server)
    assert server.stop() < 5
    assert state(server) == "waiting"
    at_stop = counted(server)
    server.start().ready()
    wait_for(lambda: counted(server) > at_stop)
    finish(server)
    assert outcome(server)["begun_at"] > 0
    assert "Every file of the profile was counted." in mara.get(page).body


def test_a_running_job_is_stopped_by_its_page(server: Server) -> None:
    mara, page = start_job(server)
    mara.get(page)
    assert mara.post(page + "cancel/").location == page
    wait_for(lambda: state(server) == "cancelled")
    assert "Stopped at your wish" in mara.get(page).body


def test_two_servers_with_one_data_folder_do_a_job_once(
    make_server: Callable[..., Server], server: Server
) -> None:
    second = make_server()
    second.data = server.data
    second.start().ready()
    mara = Visitor(server.port)
    link = second.link()  # the newest one
    mara.sign_in_first(link)
    mara.get("/account/password/")
    mara.post(MEASURE)
    wait_for(lambda: counted(server) > 0)
    finish(server)
    assert column(server, "attempt") == 1
