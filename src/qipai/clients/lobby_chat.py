"""Talk among those who are at no table; each foyer belongs to one dialect."""

from collections.abc import Callable
from functools import partial
from typing import Final

from qipai.hall.connections.connection import Connection, Deeds
from qipai.hall.journal.group_commit import Journal
from qipai.hall.people.quota import Quota
from qipai.kernel.chat import MAX_LINE
from qipai.kernel.codec import tidy
from qipai.kernel.game_interface.rules_interface import Refusal
from qipai.kernel.ids import Millis
from qipai.protocol import intents
from qipai.protocol.intents import Denied, Heard

NOWHERE: Final = ""


class Foyer:
    """Who stands in which foyer, and what is called across it."""

    def __init__(self, journal: Journal, lines: Quota) -> None:
        self._journal = journal
        self._lines = lines
        self._people: dict[str, dict[Connection, None]] = {}
        self.called: Callable[[str, Heard], None] | None = None
        """Called with every line, where there are other workers."""
        self.deeds: Deeds = {intents.Call: self._call}

    def enter(self, peer: Connection) -> None:
        """Let the peer hear what is called."""
        if peer.dialect.foyer != NOWHERE:
            self._people.setdefault(peer.dialect.foyer, {})[peer] = None

    def leave(self, peer: Connection) -> None:
        """Forget the peer."""
        self._people.get(peer.dialect.foyer, {}).pop(peer, None)

    def _call(self, peer: Connection, intent: intents.Call, now: Millis) -> None:
        text = tidy(intent.text, MAX_LINE)
        if not text:
            peer.tell(Denied(Refusal.EMPTY))
        else:
            granted = partial(self._spread, peer.dialect.foyer, Heard(now, peer.name, text))
            self._lines.spend(peer, now, granted, partial(peer.tell, Denied(Refusal.RATE_LIMITED)))

    def _spread(self, foyer: str, line: Heard) -> None:
        # Who has a table is known when all that was asked for before has been done.
        self._journal.after(lambda _: self._tell(foyer, line))

    def _tell(self, foyer: str, line: Heard) -> None:
        self.spread(foyer, line)
        if self.called is not None:
            self.called(foyer, line)

    def spread(self, foyer: str, line: Heard) -> None:
        """Tell a line to all who stand in a foyer here."""
        for other in self._people.get(foyer, ()):
            if not other.places:
                other.tell(line)
