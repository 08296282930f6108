"""`qipai account link NAME`: issues a link with which the owner of an account signs in once."""

from contextlib import closing
from datetime import datetime
from functools import partial
from pathlib import Path
from secrets import token_bytes

from qipai.cli.journal_reader import CommandError
from qipai.games.game_registry import GAMES
from qipai.hall.accounts.recovery.sign_in_links import issue_link
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.people.identity import wall_clock
from qipai.hall.people.names import Names
from qipai.server.listen_addresses import addresses
from qipai.settings import Settings
from qipai.stores.accounts.account_registry import open_accounts
from qipai.stores.archives.archive_registry import ARCHIVE_FILE


def link(settings: Settings, name: str, hours: int, address: str) -> int:
    """Print a new link for the account with this name, also while the server runs."""
    if settings.store == "memory" and not settings.archive:
        raise CommandError("accounts in memory are known only to the server")
    folder = Path(settings.data)
    if not settings.archive and not (folder / ARCHIVE_FILE).is_file():
        raise CommandError(f"no accounts at {folder / ARCHIVE_FILE}")
    open_store = partial(open_accounts, folder, settings.archive, wall_clock)
    skeleton = Names(GAMES, lambda _: None).skeleton(name)
    try:
        # Tables are neither created nor migrated beside a server of another release.
        with closing(open_store(update=False)) as store:
            found = store.find(skeleton)
        if found is None:
            raise CommandError(f"no account is called {name!r}")
        with closing(open_store()) as store:
            issued = issue_link(store, found[0], wall_clock(), hours, token_bytes)
    except StoreError as error:
        raise CommandError(str(error)) from error
    if issued is None:
        raise CommandError(f"the account {name!r} was deleted just now")
    until = datetime.fromtimestamp(issued.expires / 1000).astimezone()
    page = address or addresses(settings.host, settings.port)[0]
    print(f"{page.rstrip('/')}/#/account/link/{issued.token}")
    print(f"for {found[0].name}, once, until {until:%Y-%m-%d %H:%M %Z}; earlier links no longer work")
    return 0
