"""Where the server may listen. Case C17: beyond loopback it wants names and encryption."""

import socket
from pathlib import Path

import pytest
from pytest_django import Settings

from hermesweb.listening import Listening, NotSafe, check_safe, is_loopback, leads_to_oneself
from hermesweb.supervisor import free_port, port_is_free

EVERYWHERE = Listening("0.0.0.0", 8642)


@pytest.fixture(autouse=True)
def _plain(settings: Settings) -> None:
    settings.OWN_HOSTS, settings.TLS_FILES = [], ("", "")
    settings.ENCRYPTED = settings.ALLOW_HTTP = settings.TRUSTED_PROXY = False


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.8.8", "::1", "::ffff:127.0.0.1", "localhost"])
def test_loopback_needs_nothing(address: str) -> None:
    assert is_loopback(address)
    check_safe(Listening(address, 8642))


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.168.1.7", "example.org", ""])
def test_everything_else_needs_a_name(address: str) -> None:
    with pytest.raises(NotSafe, match="HERMESWEB_HOSTS=memory"):
        check_safe(Listening(address, 8642))


@pytest.mark.parametrize(
    ("host", "so"),
    [
        ("hermesweb.localhost:8642", True),
        ("LOCALHOST", True),
        ("localhost.:8642", True),
        ("127.0.0.1:8642", True),
        ("[::1]:8642", True),
        ("memory.example.org", False),
        ("localhost.example.org:8642", False),
        ("192.168.1.7:8642", False),
        ("[fd00::7]", False),
        ("", False),
    ],
)
def test_names_that_stand_for_whatever_machine_they_are_typed_on(host: str, so: bool) -> None:
    assert leads_to_oneself(host) is so


def test_a_name_alone_is_not_enough(settings: Settings) -> None:
    settings.OWN_HOSTS = ["memory.example.org"]
    with pytest.raises(NotSafe, match="passwords would travel unencrypted"):
        check_safe(EVERYWHERE)


def test_every_name_is_no_name(settings: Settings) -> None:
    settings.OWN_HOSTS, settings.ENCRYPTED = ["memory.example.org", "*"], True
    with pytest.raises(NotSafe, match="Name the hosts"):
        check_safe(EVERYWHERE)


@pytest.mark.parametrize("means", ["ENCRYPTED", "ALLOW_HTTP"])
def test_a_name_and_encryption_or_an_explicit_word_are(means: str, settings: Settings) -> None:
    settings.OWN_HOSTS = ["memory.example.org"]
    setattr(settings, means, True)
    check_safe(EVERYWHERE)


@pytest.mark.parametrize("files", [("cert.pem", ""), ("", "key.pem")])
def test_certificate_and_key_belong_together(files: tuple[str, str], settings: Settings) -> None:
    settings.TLS_FILES = files
    with pytest.raises(NotSafe, match="belong together"):
        check_safe(Listening("127.0.0.1", 8642))


def test_addresses_to_type(settings: Settings) -> None:
    assert Listening("127.0.0.1", 8642).addresses() == [
        "http://hermesweb.localhost:8642/",
        "http://localhost:8642/",
    ]
    settings.OWN_HOSTS = [".example.org", "memory.example.net"]
    assert EVERYWHERE.addresses() == ["http://example.org:8642/", "http://memory.example.net:8642/"]
    settings.TRUSTED_PROXY = True
    assert EVERYWHERE.addresses() == ["https://example.org/", "https://memory.example.net/"]
    settings.TRUSTED_PROXY, settings.TLS_FILES = False, ("cert.pem", "key.pem")
    assert EVERYWHERE.addresses()[0] == "https://example.org:8642/"


def test_binds() -> None:
    assert Listening("192.0.2.1", 80).binds == [("192.0.2.1", 80)]
    assert Listening("2001:db8::1", 80).binds == [("2001:db8::1", 80)]
    assert Listening("127.0.0.1", 0).binds[0] == ("127.0.0.1", 0)


def test_a_taken_port_is_passed_over() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert not port_is_free("127.0.0.1", port)
        assert free_port("127.0.0.1", port) > port
        with pytest.raises(OSError, match="no free port"):
            free_port("127.0.0.1", port, tries=1)


def test_an_address_of_another_machine_is_an_error_of_its_own() -> None:
    with pytest.raises(OSError, match="requested address"):
        port_is_free("192.0.2.1", 8642)


def test_no_test_reads_the_home_of_this_machine() -> None:
    assert "hermesweb-tests-" in str(Path.home())
