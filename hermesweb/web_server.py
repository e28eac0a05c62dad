"""The settings of gunicorn; `manage.py serve` adds where to listen, how many processes, how long to finish.

One process answers: what is kept of a state.db (sessions/listing_catalog.py) is then kept once, and the web
server as a whole stays under 150 MB. SQLite lets the other threads run while it looks for something.
"""

import threading
from typing import Any

worker_class = "gthread"
threads = 8
preload_app = True
loglevel = "error"
control_socket_disable = True
forwarder_headers = ""
secure_scheme_headers: dict[str, str] = {}  # whom to believe about TLS is decided in hermesweb.front alone


def post_worker_init(worker: Any) -> None:
    """Whoever signs in after a start need not wait for the first look at the conversations."""
    from hermesweb.warm import look_at_conversations  # models in it need the application

    threading.Thread(target=look_at_conversations, daemon=True).start()
