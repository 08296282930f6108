"""`qipai account link NAME`: issues a link with which the owner of an account signs in once."""

from datetime import datetime
from secrets import token_bytes

from qipai.cli.journal_reader import CommandError
from qipai.games.game_registry import GAMES
from qipai.hall.accounts.recovery.sign_in_links import issue_link
from qipai.hall.people.identity import wall_clock
from qipai.hall.people.names import Names
from qipai.server.listen_addresses import addresses
from qipai.settings import Settings

from .account_access import accounts_of


def link(settings: Settings, name: str, hours: int, address: str) -> int:
    """Print a new link for the account with this name, also while the server runs."""
    skeleton = Names(GAMES, lambda _: None).skeleton(name)
    with accounts_of(settings) as store:
        found = store.find(skeleton)
        if found is None:
            raise CommandError(f"no account is called {name!r}")
        issued = issue_link(store, found[0], wall_clock(), hours, token_bytes)
    if issued is None:
        raise CommandError(f"the account {name!r} was deleted just now")
    until = datetime.fromtimestamp(issued.expires / 1000).astimezone()
    page = address or addresses(settings.host, settings.port)[0]
    print(f"{page.rstrip('/')}/#/account/link/{issued.token}")
    print(f"for {found[0].name}, once, until {until:%Y-%m-%d %H:%M %Z}; earlier links no longer work")
    return 0
