"""Where the web server listens, and whether that is safe. Beyond loopback more is asked for."""

import ipaddress
import re
import socket
from dataclasses import dataclass
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

HOST = re.compile(r"\.?[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:]+\]", re.IGNORECASE)


class NotSafe(Exception):
    """The server does not start like this; the message says what is missing."""


@dataclass(frozen=True)
class Listening:
    address: str
    port: int

    @property
    def local(self) -> bool:
        return is_loopback(self.address)

    @property
    def binds(self) -> list[tuple[str, int]]:
        """Where to listen. On loopback both families: a browser may try either for hermesweb.localhost."""
        if self.address == "127.0.0.1" and has_ipv6_loopback(self.port):
            return [("127.0.0.1", self.port), ("::1", self.port)]
        return [(self.address, self.port)]

    def addresses(self) -> list[str]:
        """What to type into a browser, best one first."""
        scheme = "https" if all(settings.TLS_FILES) else "http"
        if settings.TRUSTED_PROXY:  # also on loopback: browsers reach the proxy, and plain HTTP leads there
            return [f"https://{host.lstrip('.')}/" for host in settings.OWN_HOSTS]
        if self.local:
            return [f"{scheme}://hermesweb.localhost:{self.port}/", f"{scheme}://localhost:{self.port}/"]
        return [f"{scheme}://{host.lstrip('.')}:{self.port}/" for host in settings.OWN_HOSTS]


def is_loopback(address: str) -> bool:
    try:
        number = ipaddress.ip_address(address)
    except ValueError:
        return address == "localhost"
    # ::ffff:127.0.0.1 is the same machine in the other family.
    return (getattr(number, "ipv4_mapped", None) or number).is_loopback


def leads_to_oneself(host: str) -> bool:
    """Whether a host, with or without a port, stands for whatever machine it is typed on."""
    name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    return is_loopback(name) or name.endswith(".localhost")


def has_ipv6_loopback(port: int) -> bool:
    try:
        with socket.socket(socket.AF_INET6, socket.SOCK_STREAM) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("::1", port))
    except OSError:
        return False
    return True


def check_safe(listening: Listening) -> None:
    """Beyond loopback, names and encryption (or an explicit word that plain HTTP is wanted) are needed."""
    cert, key = settings.TLS_FILES
    if bool(cert) != bool(key):
        raise NotSafe(_("HERMESWEB_TLS_CERT and HERMESWEB_TLS_KEY belong together: set both or none."))
    for host in settings.OWN_HOSTS:
        if host == "*":
            raise NotSafe(_("HERMESWEB_HOSTS is *, which lets any site speak for this one. Name the hosts."))
        if not HOST.fullmatch(host):
            raise NotSafe(
                _("In HERMESWEB_HOSTS, %(host)r is no host name. Write it without http:// and without port.")
                % {"host": host}
            )
    if settings.TRUSTED_PROXY and not settings.OWN_HOSTS:
        raise NotSafe(
            _("HERMESWEB_TRUSTED_PROXY needs the name of that proxy: set HERMESWEB_HOSTS=memory.example.org.")
        )
    if listening.local:
        return
    if not settings.OWN_HOSTS:
        raise NotSafe(
            _(
                "%(address)s can be reached from other machines, so hermesweb needs to know its own name: set "
                "HERMESWEB_HOSTS=memory.example.org. Or leave HERMESWEB_ADDRESS out and use it on this machine."
            )
            % {"address": listening.address}
        )
    if not (settings.ENCRYPTED or settings.ALLOW_HTTP):
        raise NotSafe(
            _(
                "%(address)s can be reached from other machines, and passwords would travel unencrypted. Set "
                "HERMESWEB_TLS_CERT and HERMESWEB_TLS_KEY, or HERMESWEB_TRUSTED_PROXY=1 behind a proxy with TLS, "
                "or, where the network itself is safe, HERMESWEB_ALLOW_HTTP=1."
            )
            % {"address": listening.address}
        )
