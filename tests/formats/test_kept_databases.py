"""Real databases of every schema open, load every room and every match, and show what they showed then."""

from contextlib import closing
from pathlib import Path

import pytest

from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.sqlite_store import SqliteStore
from tests.support.databases.postgres import postgres

from .kept_databases import (
    check_shown,
    copy_archive_to_postgres,
    open_kept_archive,
    open_kept_redis,
    open_kept_sqlite,
    shown_of_archive,
    shown_of_store,
)
from .kept_files import folders_of


@pytest.mark.parametrize("folder", folders_of("sqlite"), ids=lambda folder: folder.name)
def test_a_kept_sqlite_journal_shows_what_it_showed(folder: Path, tmp_path: Path) -> None:
    with open_kept_sqlite(folder, tmp_path) as store:
        check_shown(folder, shown_of_store(store))
    with closing(SqliteStore(tmp_path / "journal.db")) as store:  # After a check point of this release.
        check_shown(folder, shown_of_store(store))


@pytest.mark.parametrize("folder", folders_of("redis"), ids=lambda folder: folder.name)
def test_a_kept_redis_shows_what_it_showed(folder: Path, tmp_path: Path) -> None:
    with open_kept_redis(folder, tmp_path) as store:
        check_shown(folder, shown_of_store(store))


@pytest.mark.parametrize("folder", folders_of("archive"), ids=lambda folder: folder.name)
def test_a_kept_archive_shows_what_it_showed(folder: Path, tmp_path: Path) -> None:
    with open_kept_archive(folder, tmp_path) as archive:
        check_shown(folder, shown_of_archive(archive))


def test_kept_archives_show_the_same_in_postgresql(tmp_path_factory: pytest.TempPathFactory) -> None:
    import psycopg

    with postgres() as url:
        for folder in folders_of("archive"):
            with psycopg.connect(url, autocommit=True) as connection:
                connection.execute("drop schema public cascade")
                connection.execute("create schema public")
            data = tmp_path_factory.mktemp("kept")
            copy_archive_to_postgres(folder, data, url)
            with closing(open_archive(data, url)) as archive:
                check_shown(folder, shown_of_archive(archive))
