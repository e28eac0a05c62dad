"""`manage.py serve` as a person runs it: what it prints, where it listens, how it stops. Cases C17."""

import re
import signal
import socket
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.home_builders import BuiltHome, fingerprints
from tests.web.people import PASSWORD, private_words
from tests.web.server import Server, Visitor, alive, wait_for

MakeServer = Callable[..., Server]


def test_from_the_link_to_the_memory(server: Server, home: BuiltHome) -> None:
    before = fingerprints(home.outer)
    mara = Visitor(server.port).sign_in_first(server.link())
    assert "The garden gate sticks in winter." in mara.get("/homes/hermes/office/memory/").body
    assert mara.get("/homes/hermes/office/").status == 200
    assert fingerprints(home.outer) == before
    assert server.stop() < 5
    assert server.ended() == 0
    assert server.printed().endswith("Stopped.\n")


def test_our_own_files_are_ours_alone(server: Server) -> None:
    Visitor(server.port).sign_in_first(server.link())
    for path in [server.data, *server.data.rglob("*")]:
        assert not stat.S_IMODE(path.stat().st_mode) & 0o077, path
    assert {path.name for path in server.data.iterdir()} >= {"hermesweb.sqlite3", "secret-key"}


def test_no_word_of_anybody_is_in_the_log(server: Server, home: BuiltHome) -> None:
    mara = Visitor(server.port)
    link = server.link()
    mara.get(link.replace("/first/", "/first/veltoken"))
    mara.sign_in_first(link)
    mara.get("/homes/hermes/office/memory/?q=velquery")
    fault = mara.get("/fault/?q=velquery")
    answers = [
        fault.status,
        mara.post("/fault/", {"word": "velposted"}).status,
        mara.get("/velmissing/").status,
        mara.get("/homes/hermes/velprofile/").status,
        mara.get("/account/", Host="velhost.example").status,
        mara.post("/account/password/", {"csrfmiddlewaretoken": "veltoken"}).status,
        mara.post("/sign-out/", Origin="http://velorigin.example").status,
        Visitor(server.port).get("/" + "velletter" * 1_000).status,
        Visitor(server.port).get("/homes/hermes/" + "vel" + "a" * 3_000 + "/").status,
    ]
    assert answers == [500, 500, 404, 404, 400, 403, 403, answers[7], 302]
    assert answers[7] in (400, 414)
    guest = Visitor(server.port)
    guest.get("/sign-in/")
    guest.post("/sign-in/", {"login": "velname", "password": "velpassword"})
    server.stop()
    printed = server.printed()
    assert not re.findall(r"vel\w+", printed)
    assert not [word for word in private_words(home) if word in printed]
    assert PASSWORD not in printed
    assert printed.count(link) == 2  # the link and its fallback, for whoever starts it
    assert not [value for value in mara.cookies.values() if value and value in printed]
    # What is needed to mend a fault is there.
    reference = re.search(r"<code>([0-9a-f]{4}-[0-9a-f]{4})</code>", fault.body)
    assert reference
    assert re.search(
        rf"GET fault 500 {reference[1]}\nValueError\n.*slow/urls.py:\d+ fault", printed, re.DOTALL
    )


def test_a_taken_port_is_named_and_the_next_one_is_taken(make_server: MakeServer) -> None:
    server = make_server()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", server.port))
        taken.listen()
        server.start()
        wait_for(lambda: "Ctrl-C stops it." in server.printed())
    used = re.search(r"hermesweb\.localhost:(\d+)/", server.printed())
    assert used
    assert f"Port {server.port} is taken" in server.printed()
    assert int(used[1]) > server.port


@pytest.mark.parametrize(
    ("environ", "reason"),
    [
        ({}, "HERMESWEB_HOSTS=memory.example.org"),
        ({"HERMESWEB_HOSTS": "memory.example.org"}, "passwords would travel unencrypted"),
        ({"HERMESWEB_HOSTS": "*", "HERMESWEB_ALLOW_HTTP": "1"}, "Name the hosts"),
    ],
)
def test_all_interfaces_are_refused_with_a_plain_reason(
    environ: dict[str, str], reason: str, make_server: MakeServer
) -> None:
    server = make_server(HERMESWEB_ADDRESS="0.0.0.0", **environ).start()
    assert server.ended() == 1
    assert reason in server.printed()
    assert "Traceback" not in server.printed()
    assert not server.data.exists()


def test_beyond_loopback_without_an_account_only_the_link_answers(make_server: MakeServer) -> None:
    server = make_server(HERMESWEB_HOSTS="memory.example.org", HERMESWEB_ALLOW_HTTP="1")
    server.start("--address", "0.0.0.0").ready()
    guest = Visitor(server.port)
    for path in ("/", "/homes/", "/homes/hermes/office/", "/sign-out/"):
        reply = guest.get(path, Host="memory.example.org")
        assert (reply.status, reply.location, reply.body) == (302, "/first/", "")
    assert guest.get("/first/", Host="memory.example.org").status == 200
    assert guest.get("/first/", Host="evil.example").status == 400
    assert f"http://memory.example.org:{server.port}/first/" in server.printed()


def test_a_start_prints_a_link_only_until_somebody_has_a_password(server: Server) -> None:
    first = server.link()
    server.stop()
    server.start().ready()
    second = server.link()
    assert second != first
    guest = Visitor(server.port)
    assert guest.get(first).status == 410
    guest.sign_in_first(second)
    server.stop()
    server.output.unlink()
    server.start().ready()
    assert "/first/" not in server.printed()
    assert Visitor(server.port).get(second).status == 410
    assert Visitor(server.port).sign_in().get("/homes/").status == 200


def test_a_sign_in_lives_through_a_restart(server: Server) -> None:
    mara = Visitor(server.port).sign_in_first(server.link())
    server.stop()
    server.start().ready()
    assert mara.get("/account/").status == 200


def test_no_home_is_explained(make_server: MakeServer) -> None:
    server = make_server(HERMES_HOME="/nowhere/at all").start()
    wait_for(lambda: "Ctrl-C stops it." in server.printed())
    printed = server.printed()
    assert "No Hermes home found. Looked for:" in printed
    assert "HERMES_HOME: '/nowhere/at all' is not there" in printed
    assert "HERMES_HOME=/path/to/home make run" in printed


def test_a_home_behind_a_link_is_named_with_its_folder(make_server: MakeServer, home: BuiltHome) -> None:
    link = home.outer / "link"
    link.symlink_to(home.root)
    printed = make_server(HERMES_HOME=str(link)).start().ready().printed()
    assert f"Home: link, '{link}'\n  It is a link to '{home.root}'." in printed


def test_our_files_are_not_put_into_a_home(make_server: MakeServer, home: BuiltHome) -> None:
    before = fingerprints(home.root)
    server = make_server()
    server.data = home.root / "profiles" / "hermesweb"
    server.output = home.outer / "output"
    assert server.start().ended() == 1
    assert "is inside the Hermes home" in server.printed()
    assert fingerprints(home.root) == before


@pytest.mark.parametrize(
    ("environ", "reason"),
    [
        ({"HERMESWEB_HOMES": "a=relative"}, "HERMESWEB_HOMES="),
        ({"HERMESWEB_READ_ONLY": "perhaps"}, "HERMESWEB_READ_ONLY is 'perhaps'"),
        ({"HERMESWEB_TLS_CERT": "/cert.pem"}, "belong together"),
        ({"HERMESWEB_PORT": "many"}, "invalid int value: 'many'"),
        ({"DATABASE_URL": "nonsense://velname:velpassword@host/x"}, "DATABASE_URL is not understood"),
        ({"DATABASE_URL": "velpassword"}, "DATABASE_URL is not understood"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(
    environ: dict[str, str], reason: str, make_server: MakeServer
) -> None:
    server = make_server(**environ).start()
    assert server.ended() != 0
    assert reason in server.printed()
    assert "Traceback" not in server.printed()
    assert "velpassword" not in server.printed()


def test_a_data_folder_that_cannot_be_made_is_explained(make_server: MakeServer, tmp_path: Path) -> None:
    server = make_server()
    (tmp_path / "file").write_text("")
    server.data = tmp_path / "file" / "data"
    assert server.start().ended() == 1
    assert f"The data folder {server.data} cannot be used" in server.printed()
    assert "Traceback" not in server.printed()


def test_a_dead_part_is_started_again(server: Server) -> None:
    for name, words in (("worker", "The worker"), ("gunicorn", "The web server")):
        dead = server.part(name)
        dead.kill()
        wait_for(lambda words=words: f"{words} ended (-9) and is started again." in server.printed())
        wait_for(server.answers)
        assert server.part(name).pid != dead.pid
    assert server.stop() < 5


def test_nothing_is_left_when_the_command_itself_is_killed(server: Server) -> None:
    left = server.processes()
    assert len(left) >= 3
    assert server.process
    server.process.kill()
    server.process.wait()
    wait_for(lambda: not [process for process in left if alive(process)])


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_it_ends_in_order_for_other_signals_too(number: signal.Signals, server: Server) -> None:
    left = server.processes()
    assert server.process
    server.process.send_signal(number)
    assert server.process.wait(10) == 0
    assert not [process for process in left if alive(process)]
