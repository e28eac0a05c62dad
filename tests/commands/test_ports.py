"""No browser that looks for hermesweb.localhost may end up at another program."""

import contextlib
import socket

from hermesweb.supervisor import free_port


def test_a_port_that_is_taken_on_ipv6_alone_is_passed_over() -> None:
    with socket.socket(socket.AF_INET6) as other, contextlib.suppress(OSError):  # a machine without IPv6
        other.bind(("::1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert free_port("127.0.0.1", port) > port
