"""Opens the accounts of a server, and says what is wrong with their database."""

from pathlib import Path
from typing import Final

import structlog

from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.journal.store_interface import Damaged, StoreError
from qipai.hall.people.identity import wall_clock
from qipai.stores.accounts import account_registry

from .settings import ConfigurationError, Settings, is_shared

_log: Final = structlog.get_logger("qipai")


def open_accounts(settings: Settings) -> AccountStore | None:
    """Open the accounts, in the database of the archive or in memory; damage does not stop the server."""
    folder = None if settings.store == "memory" and not settings.archive else Path(settings.data)
    try:
        accounts = account_registry.open_accounts(folder, settings.archive, wall_clock)
    except Damaged as error:
        _log.error("accounts damaged", error=str(error), effect="nobody can sign in")
        return None
    except StoreError as error:
        raise ConfigurationError(str(error)) from error
    if is_shared(settings) and not settings.archive:
        _log.warning(
            "accounts in a file",
            folder=settings.data,
            effect="workers on other machines have other accounts; set `archive` to a PostgreSQL database",
        )
    return accounts
