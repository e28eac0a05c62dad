"""How long `manage.py serve` takes from its start until the first page answers. Target: under 3 seconds."""

import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TARGET = 3.0


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        environ = {**os.environ, "HERMESWEB_DATA": f"{folder}/data", "HOME": folder}
        first, second = ready_after(environ), ready_after(environ)
    print(f"first start, empty data folder: {first:.2f} s; later start: {second:.2f} s (target: {TARGET} s)")
    return int(second > TARGET)


def ready_after(environ: dict[str, str]) -> float:
    began = time.monotonic()
    command = [sys.executable, "manage.py", "serve", "--port", "8760"]
    server = subprocess.Popen(command, cwd=ROOT, env=environ, stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        line = next(line for line in server.stdout if "localhost:" in line)
        port = line.split("localhost:")[1].split("/")[0]
        while time.monotonic() - began < 60:
            try:
                urllib.request.urlopen(f"http://localhost:{port}/sign-in/", timeout=1).read()
                return time.monotonic() - began
            except OSError:
                time.sleep(0.02)
        raise SystemExit("it never answered")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    sys.exit(main())
