"""An empty database of accounts of each kind."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from qipai.hall.accounts.account_interface import AccountStore
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.archives.archive_registry import open_archive
from tests.stores.accounts.account_rows import Clock
from tests.support.databases.postgres import postgres


@pytest.fixture(scope="module")
def postgresql() -> Iterator[str]:
    with postgres() as address:
        yield address


@pytest.fixture(params=["sqlite", "postgresql", "memory"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> tuple[Path | None, str]:
    """Return folder and URL of an empty database."""
    if request.param != "postgresql":
        return (tmp_path if request.param == "sqlite" else None), ""
    import psycopg

    url = request.getfixturevalue("postgresql")
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("drop schema public cascade")
        connection.execute("create schema public")
    return tmp_path, url


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(place: tuple[Path | None, str], clock: Clock) -> Iterator[AccountStore]:
    folder, url = place
    if folder is not None:  # The archive is in the same database, and is opened first.
        with closing(open_archive(folder, url)) as archive:
            archive.check()
    with closing(open_accounts(folder, url, clock)) as store:
        yield store
