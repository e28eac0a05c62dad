import os
import signal
import threading
import time
from types import FrameType
from typing import Any

from django.core.management.base import BaseCommand
from django.utils.crypto import get_random_string
from django.utils.module_loading import autodiscover_modules
from django_tasks_db.management.commands.db_worker import Worker

from hermesweb.jobs import pulse
from hermesweb.jobs.queue import requeue_waiting
from hermesweb.jobs.work import stopping


class JobWorker(Worker):
    """The queue's worker, which also tells the running job to stop at its next step."""

    def shutdown(self, signum: int, frame: FrameType | None) -> None:
        stopping.set()
        super().shutdown(signum, frame)


class Command(BaseCommand):
    help = "Do the long work: run beside the web server. `manage.py serve` starts both."

    def add_arguments(self, parser: Any) -> None:
        parser.add_argument("--once", action="store_true", help="do what waits, then end")
        parser.add_argument("--parent", type=int, help="end when this process has ended")

    def handle(self, *args: Any, **options: Any) -> None:
        autodiscover_modules("job_kinds")
        if options["parent"]:
            threading.Thread(target=end_with, args=(options["parent"],), daemon=True).start()
        worker = JobWorker(
            queue_names=["default"],
            interval=0.3,
            batch=options["once"],
            backend_name="default",
            startup_delay=False,
            max_tasks=None,
            worker_id=get_random_string(32),
            excluded_queue_names=[],
        )
        worker.configure_signals()
        requeue_waiting()
        if not options["once"]:
            pulse.start()
        worker.run()


def end_with(parent: int) -> None:
    """A worker whose starter was killed would go on for ever, unseen."""
    while os.getppid() == parent:
        time.sleep(1)
    os.kill(os.getpid(), signal.SIGTERM)
