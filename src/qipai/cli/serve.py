"""`qipai serve`: runs the server as one process or as several workers."""

import os
import sys
from collections.abc import Sequence
from typing import Final

from qipai import app, worker_supervisor
from qipai.settings import Settings

MOST_WORKERS: Final = 64


def serve(settings: Settings, workers: int, arguments: Sequence[str]) -> int:
    """Serve until stopped; workers are started with the same global arguments."""
    if workers == 1:
        bundle_command = (sys.executable, "-m", "qipai", *arguments, "bundle", "--show")
        worker = os.environ.get(worker_supervisor.IS_WORKER) == "1"
        return app.run(settings, worker=worker, bundle_command=bundle_command)
    return worker_supervisor.run(settings, workers, arguments)
