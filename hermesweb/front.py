"""What is done with a request before Django sees it: only a known proxy is believed, and the sub-path is cut off.

Here and not in a middleware, so that nothing behind it can read what a stranger says about himself.
"""

from collections.abc import Callable, Iterable
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any
from urllib.parse import quote

from hermesweb.environment import Network

Environ = dict[str, Any]
Application = Callable[[Environ, Callable[..., Any]], Iterable[bytes]]

# What proxies say about a request, in all spellings.
_SAID_BY_PROXIES = ("HTTP_X_FORWARDED_", "HTTP_FORWARDED", "HTTP_X_REAL_IP")


def behind(application: Application, proxies: list[Network], sub_path: str) -> Application:
    """`application`, told who asks and which part of the path is its own."""

    def asked(environ: Environ, start_response: Callable[..., Any]) -> Iterable[bytes]:
        believe_only(proxies, environ)
        if not sub_path or cut_off(sub_path, environ):
            return application(environ, start_response)
        if environ.get("PATH_INFO") == sub_path:
            query = environ.get("QUERY_STRING", "")
            where = quote(sub_path) + "/" + (f"?{query}" if query else "")
            headers = [("Location", where), ("Content-Length", "0"), ("Cache-Control", "no-store")]
            start_response("308 Permanent Redirect", headers)
        else:
            start_response("404 Not Found", [("Content-Length", "0"), ("Cache-Control", "no-store")])
        return []

    return asked


def believe_only(proxies: list[Network], environ: Environ) -> None:
    """Put the address that a known proxy saw in the place of its own; forget what anybody else says."""
    if not is_among(proxies, environ.get("REMOTE_ADDR", "")):
        for name in [name for name in environ if name.startswith(_SAID_BY_PROXIES)]:
            del environ[name]
        return
    # A proxy adds what it saw at the end; what stands before came from outside.
    seen = address(environ.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip())
    environ.pop("HTTP_X_FORWARDED_FOR", None)
    if seen:
        environ["REMOTE_ADDR"] = environ["HTTP_X_FORWARDED_FOR"] = str(seen)


def cut_off(sub_path: str, environ: Environ) -> bool:
    """Whether the path lies below `sub_path`, which then is no longer in it."""
    path = environ.get("PATH_INFO", "")
    if not path.startswith(f"{sub_path}/"):
        return False
    environ["SCRIPT_NAME"], environ["PATH_INFO"] = sub_path, path[len(sub_path) :]
    return True


def is_among(proxies: list[Network], peer: str) -> bool:
    found = address(peer)
    return found is not None and any(found in network for network in proxies)


def address(text: str) -> IPv4Address | IPv6Address | None:
    try:
        found = ip_address(text)
    except ValueError:
        return None
    return getattr(found, "ipv4_mapped", None) or found
