"""`qipai backup`: copies the journal while the server runs."""

from pathlib import Path

from qipai.hall.journal.store_interface import StoreError
from qipai.settings import Settings, is_shared
from qipai.stores.sqlite_backup import copy_journal
from qipai.stores.store_registry import JOURNAL_FILE

from .journal_reader import CommandError


def backup(settings: Settings, target: Path) -> int:
    """Copy the journal into a new file."""
    if settings.store != "sqlite":
        raise CommandError(
            "`qipai backup` copies a SQLite journal. With Redis, copy the files of Redis "
            "(`redis-cli BGSAVE`), or stop all workers and run `qipai export FILE`"
            if is_shared(settings)
            else f"a store in {settings.store} has no file to copy"
        )
    if target.exists():
        raise CommandError(f"{target} exists already")
    source = Path(settings.data) / JOURNAL_FILE
    if not source.is_file():
        raise CommandError(f"no journal at {source}")
    try:
        copy_journal(source, target)
    except StoreError as error:
        raise CommandError(str(error)) from error
    print(f"{target}: {target.stat().st_size} bytes")
    return 0
