"""`manage.py check --deploy` with the settings of a server, in a throw-away data folder, warnings as errors."""

import os
import subprocess
import sys
from pathlib import Path

data = Path(os.environ["HERMESWEB_DATA"]).absolute()
os.environ["HERMESWEB_DATA"] = str(data)
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from hermesweb.environment import make_secret_key  # noqa: E402

make_secret_key(data)
sys.exit(subprocess.call([sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]))
