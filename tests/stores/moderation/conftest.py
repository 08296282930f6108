"""An empty database of each kind, with two accounts and an operator."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.moderation.moderation_interface import ModerationStore
from qipai.hall.moderation.sanction_interface import Role
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.archives.archive_registry import open_archive
from tests.stores.accounts.account_rows import ADA, BO, Clock
from tests.stores.accounts.conftest import clock, place, postgresql
from tests.stores.moderation.acts import OPERATOR, entry_of_command

__all__ = ["clock", "place", "postgresql"]


@pytest.fixture
def accounts(place: tuple[Path | None, str], clock: Clock) -> Iterator[AccountStore]:
    folder, url = place
    if folder is not None:  # The archive is in the same database, and is opened first.
        with closing(open_archive(folder, url)) as archive:
            archive.check()
    with closing(open_accounts(folder, url, clock)) as store:
        for account in (ADA, BO, OPERATOR):
            store.register(account, "hash", [])
        store.moderation.set_role(entry_of_command(OPERATOR.person), Role.OPERATOR)
        yield store


@pytest.fixture
def store(accounts: AccountStore) -> ModerationStore:
    return accounts.moderation
