"""Opens the accounts for a command, also beside the running server."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from qipai.cli.journal_reader import CommandError
from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.people.identity import wall_clock
from qipai.settings import Settings
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.archives.archive_registry import ARCHIVE_FILE


@contextmanager
def accounts_of(settings: Settings) -> Iterator[AccountStore]:
    """Yield the accounts of a server, or raise `CommandError`."""
    if settings.store == "memory" and not settings.archive:
        raise CommandError("accounts in memory are known only to the server")
    folder = Path(settings.data)
    if not settings.archive and not (folder / ARCHIVE_FILE).is_file():
        raise CommandError(f"no accounts at {folder / ARCHIVE_FILE}")
    try:
        # Tables are neither created nor migrated beside a server of another release.
        open_accounts(folder, settings.archive, wall_clock, update=False).close()
        with closing(open_accounts(folder, settings.archive, wall_clock)) as store:
            yield store
    except StoreError as error:
        raise CommandError(str(error)) from error
