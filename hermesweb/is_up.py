"""`python -m hermesweb.is_up`: asks the server of this machine whether it is up; exit code 0 or 1.

For the health check of a container. Without Django: it runs every few seconds.
"""

import http.client
import os
import ssl
import sys
from contextlib import closing


def is_up(port: int, sub_path: str, encrypted: bool) -> bool:
    with closing(connection_to(port, encrypted)) as connection:
        try:
            connection.request("GET", f"{sub_path.rstrip('/')}/health/")
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False


def connection_to(port: int, encrypted: bool) -> http.client.HTTPConnection:
    if not encrypted:
        return http.client.HTTPConnection("127.0.0.1", port, timeout=4)
    unchecked = ssl._create_unverified_context()  # noqa: S323  (our own, whose certificate names others)
    return http.client.HTTPSConnection("127.0.0.1", port, timeout=4, context=unchecked)


if __name__ == "__main__":
    where = int(os.environ.get("HERMESWEB_PORT") or 8642)
    sys.exit(
        not is_up(where, os.environ.get("HERMESWEB_PATH", ""), bool(os.environ.get("HERMESWEB_TLS_CERT")))
    )
