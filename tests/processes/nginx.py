"""A real nginx on loopback, from an example in deploy/, with a certificate of its own."""

import datetime
import http.client
import os
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from tests.web.server import CHECKOUT, TOKEN, Reply, unused_port, wait_for

PROXY = "127.0.0.9"  # where the requests of this nginx come from
# What the package of a distribution would put around the file, here without root's places.
AROUND = """
daemon off; pid {folder}/nginx.pid; error_log {folder}/error.log; worker_processes 1;
events {{ worker_connections 64; }}
http {{
  access_log off;
  client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
  uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi;
  include {folder}/site.conf;
}}
"""


@dataclass
class Nginx:
    folder: Path
    name: str
    port: int
    plain_port: int
    process: "subprocess.Popen[bytes]"

    def browser(self) -> "Browser":
        return Browser(self)

    def end(self) -> None:
        self.process.terminate()
        self.process.wait(10)


def start_nginx(example: str, name: str, folder: Path, behind: int) -> Nginx:
    """nginx with the example of that file name, in front of port `behind` of this machine."""
    folder.mkdir()
    folder.chmod(0o755)  # its worker is another user
    make_certificate(name, folder)
    port, plain_port = unused_port(), unused_port()
    site = (CHECKOUT / "deploy" / example).read_text()
    site = re.sub(r"/etc/ssl/\S+/(\w+\.pem)", rf"{folder}/\1", site)
    site = site.replace("listen 443", f"listen 127.0.0.1:{port}").replace(
        "listen 80", f"listen 127.0.0.1:{plain_port}"
    )
    site = site.replace(
        "proxy_pass http://127.0.0.1:8642;", f"proxy_bind {PROXY}; proxy_pass http://127.0.0.1:{behind};"
    )
    assert "8642" not in site
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(AROUND.format(folder=folder))
    program = shutil.which("nginx", path=f"{os.environ['PATH']}:/usr/sbin") or "nginx"
    process = subprocess.Popen([program, "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")])
    nginx = Nginx(folder, name, port, plain_port, process)
    wait_for(lambda: process.poll() is not None or is_open(port))
    assert process.poll() is None, (folder / "error.log").read_text()
    return nginx


def is_open(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def make_certificate(name: str, folder: Path) -> None:
    """fullchain.pem and privkey.pem for `name`, signed by itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    who = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    now = datetime.datetime.now(datetime.UTC)
    day = datetime.timedelta(days=1)
    certificate = (
        x509.CertificateBuilder(who, who, key.public_key(), x509.random_serial_number(), now - day, now + day)
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    (folder / "fullchain.pem").write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    (folder / "privkey.pem").write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
    )


class Connection(http.client.HTTPSConnection):
    """To this machine, whatever the name is."""

    source = "127.0.0.1"

    def connect(self) -> None:
        plain = socket.create_connection(("127.0.0.1", self.port), 30, (self.source, 0))
        self.sock = self._context.wrap_socket(plain, server_hostname=self.host)  # type: ignore[attr-defined]


class Browser:
    """Speaks TLS with nginx, keeps cookies, sends the token of the form it was shown last."""

    def __init__(self, nginx: Nginx, source: str = "127.0.0.1") -> None:
        self.nginx, self.source = nginx, source
        self.cookies: dict[str, str] = {}
        self.set_cookies: list[str] = []
        self.token = ""

    def get(self, path: str, **headers: str) -> Reply:
        return self.ask("GET", path, None, headers)

    def post(self, path: str, form: Mapping[str, str] | None = None, **headers: str) -> Reply:
        body = urlencode({"csrfmiddlewaretoken": self.token, **(form or {})})
        kind = {"Content-Type": "application/x-www-form-urlencoded", "Origin": f"https://{self.nginx.name}"}
        return self.ask("POST", path, body, kind | headers)

    def ask(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Reply:
        context = ssl.create_default_context(cafile=str(self.nginx.folder / "fullchain.pem"))
        connection = Connection(self.nginx.name, self.nginx.port, timeout=30, context=context)
        connection.source = self.source
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        try:
            connection.request(method, path, body, {"Host": self.nginx.name, "Cookie": cookies, **headers})
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        for cookie in response.headers.get_all("Set-Cookie") or []:
            self.set_cookies.append(cookie)
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value
        if found := TOKEN.search(text):
            self.token = found[1]
        return Reply(response.status, response.headers, text)
