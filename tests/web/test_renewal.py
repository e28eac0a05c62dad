"""SIGUSR1: the parts are started anew, nobody is refused, what runs is finished."""

import http.client
import signal
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from tests.web.server import Server, Visitor, alive, wait_for


def renew(server: Server) -> None:
    assert server.process
    told = server.printed().count("\n")
    server.process.send_signal(signal.SIGUSR1)
    wait_for(lambda: server.printed().count("\n") > told)


def test_it_works(server: Server) -> None:
    """Somebody asks all the time; a request that has been begun is answered by the old web server."""
    mara = Visitor(server.port).sign_in_first(server.link())
    old = server.processes()
    begun = socket.create_connection(("127.0.0.1", server.port), timeout=30)
    begun.sendall(f"GET /sign-in/ HTTP/1.1\r\nHost: hermesweb.localhost:{server.port}\r\n".encode())
    statuses: Counter[object] = Counter()
    over = threading.Event()

    def ask() -> None:
        while not over.is_set():
            try:
                statuses[Visitor(server.port).get("/sign-in/").status] += 1
            except OSError as error:
                statuses[type(error)] += 1

    asking = threading.Thread(target=ask)
    asking.start()
    ended = threading.Timer(2, begun.sendall, [b"\r\n"])
    ended.start()
    try:
        renew(server)
        response = http.client.HTTPResponse(begun)
        response.begin()
        answer = response.status
    finally:
        over.set()
        asking.join()
        ended.join()
        begun.close()
    assert "Renewed." in server.printed()
    assert set(statuses) == {200}
    assert answer == 200
    assert not [process for process in old if alive(process)]
    assert mara.get("/account/").status == 200


def test_a_job_goes_on(server: Server) -> None:
    mara = Visitor(server.port).sign_in_first(server.link())
    assert mara.post("/homes/hermes/office/measure/").status == 302
    job = wait_for(lambda: server.ask_database("SELECT attempt FROM jobs_job WHERE state = 'running'"))
    renew(server)
    wait_for(
        lambda: server.ask_database("SELECT 1 FROM jobs_job WHERE state = 'running' AND attempt > ?", *job[0])
    )


def test_an_old_web_server_goes_on_where_the_new_one_does_not_start(
    make_server: Callable[..., Server], tmp_path: Path
) -> None:
    settings = tmp_path / "changing_settings.py"
    settings.write_text("from tests.web.slow.settings import *\n")
    server = make_server(DJANGO_SETTINGS_MODULE="changing_settings", PYTHONPATH=str(tmp_path)).start().ready()
    old = server.part("gunicorn")
    settings.write_text("raise RuntimeError\n")
    time.sleep(1.1)  # compiled files know a source by its second
    renew(server)
    wait_for(lambda: "The new web server did not start, so the old one goes on." in server.printed())
    assert server.part("gunicorn").pid == old.pid
    assert Visitor(server.port).get("/first/").status == 200
