"""`qipai export` and `qipai import`: move all rooms and finished games."""

import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from qipai.app import open_archive, open_store
from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.history.archive_interface import Archive
from qipai.hall.journal.store_interface import Store, StoreError
from qipai.hall.people.identity import wall_clock
from qipai.settings import Settings
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.store_registry import JOURNAL_FILE, exclusive

from . import export_format
from .deep_check import check_log
from .journal_reader import CommandError


def export_rooms(settings: Settings, target: Path) -> int:
    """Write all rooms and finished games into a new file; the server must be stopped."""
    counts: export_format.ExportEnd | None = None
    damaged: list[str] = []
    lost = check_log(Path(settings.data) / JOURNAL_FILE) if settings.store == "sqlite" else []
    try:
        with _open_exclusively(settings) as (store, archive, accounts):
            damaged += (
                f"table {room} is set aside: {reason}" for room, reason in store.quarantined().items()
            )
            counts = export_format.write(store, archive, target, damaged.append, accounts)
    except CommandError:
        if counts is not None:
            # A worker started during the export, so the file is not consistent.
            target.unlink(missing_ok=True)
        raise
    print(f"{target}: {_summary(counts)}")
    for line in (*lost, *(f"not in the file: {each}" for each in damaged)):
        print(f"qipai: {line}", file=sys.stderr)
    return 1 if lost or damaged else 0


def import_rooms(settings: Settings, source: Path) -> int:
    """Read an export into an empty store; the server must be stopped."""
    with _open_exclusively(settings) as (store, archive, accounts):
        counts = export_format.read(store, archive, source, accounts)
    print(_summary(counts))
    return 0


def _summary(counts: export_format.ExportEnd) -> str:
    return f"{counts.rooms} tables, {counts.archived} archived tables"


@contextmanager
def _open_exclusively(settings: Settings) -> Iterator[tuple[Store, Archive | None, AccountStore | None]]:
    try:
        with closing(open_store(settings)) as store, exclusive(store):
            archive = open_archive(settings)
            if archive is None:
                yield store, None, None
                return
            with closing(archive):
                archive.check()
                folder = Path(settings.data)
                with closing(open_accounts(folder, settings.archive, wall_clock)) as accounts:
                    yield store, archive, accounts
    except StoreError as error:
        raise CommandError(str(error)) from error
