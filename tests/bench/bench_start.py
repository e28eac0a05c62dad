"""How long `manage.py serve` takes until it answers: the first start, with its migrations, and a later one.

The limit is 3 s once installed. Also as a ratio to starting Python with Django and doing nothing.
"""

import http.client
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import closing, suppress
from pathlib import Path

CHECKOUT = Path(__file__).parents[2]


def unused_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    with suppress(OSError), closing(http.client.HTTPConnection("127.0.0.1", port, timeout=1)) as connection:
        connection.request("GET", "/first/", headers={"Host": f"localhost:{port}"})
        return connection.getresponse().status == 200
    return False


def seconds_to_first_page(folder: str) -> float:
    port, began = unused_port(), time.perf_counter()
    environ = {**os.environ, "HERMESWEB_DATA": f"{folder}/data", "HOME": folder, "HERMESWEB_PORT": str(port)}
    command = [sys.executable, "manage.py", "serve"]
    with subprocess.Popen(command, cwd=CHECKOUT, env=environ, stdout=subprocess.DEVNULL) as server:
        while not answers(port):
            assert server.poll() is None, "the server has ended"
            time.sleep(0.01)
        taken = time.perf_counter() - began
        server.send_signal(signal.SIGINT)
    return taken


def seconds_of_django() -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import django.core.management, gunicorn"], check=True)
    return time.perf_counter() - began


with tempfile.TemporaryDirectory() as folder:
    nothing = min(seconds_of_django() for _ in range(3))
    first = seconds_to_first_page(folder)
    later = min(seconds_to_first_page(folder) for _ in range(3))
print(f"first start  {first:.2f} s  ({first / nothing:.1f} × importing Django)")
print(f"later start  {later:.2f} s  ({later / nothing:.1f} × importing Django)")
print(f"limit 3 s: {'kept' if max(first, later) < 3 else 'BROKEN'}")
