"""Talk among those who are at no table; each foyer belongs to one dialect."""

from collections.abc import Callable
from functools import partial
from typing import Final

from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.journal.group_commit import GroupCommit
from qipai.hall.people.quota import Quota
from qipai.kernel.chat import MAX_LINE
from qipai.kernel.codec import clean_line
from qipai.kernel.ids import Millis
from qipai.kernel.refusals import Refusal
from qipai.protocol import dialect_interface
from qipai.protocol.dialect_interface import LobbyChatLine
from qipai.protocol.notices import Refused

NOWHERE: Final = ""


class LobbyChat:
    """Who stands in which foyer, and what is called across it."""

    def __init__(self, journal: GroupCommit, lines: Quota) -> None:
        self._journal = journal
        self._lines = lines
        self._people: dict[str, dict[Connection, None]] = {}
        self.called: Callable[[str, LobbyChatLine], None] | None = None
        """Called with every line, where there are other workers."""
        self.deeds: Handlers = {dialect_interface.SayInLobby: self._call}

    def enter(self, connection: Connection) -> None:
        """Let the peer hear what is called."""
        if connection.dialect.lobby_chat != NOWHERE:
            self._people.setdefault(connection.dialect.lobby_chat, {})[connection] = None

    def leave(self, connection: Connection) -> None:
        """Forget the peer."""
        self._people.get(connection.dialect.lobby_chat, {}).pop(connection, None)

    def _call(self, connection: Connection, intent: dialect_interface.SayInLobby, now: Millis) -> None:
        text = clean_line(intent.text, MAX_LINE)
        if not text:
            connection.send_notice(Refused(Refusal.EMPTY))
        else:
            granted = partial(
                self._spread, connection.dialect.lobby_chat, LobbyChatLine(now, connection.name, text)
            )
            self._lines.spend(
                connection, now, granted, partial(connection.send_notice, Refused(Refusal.RATE_LIMITED))
            )

    def _spread(self, foyer: str, line: LobbyChatLine) -> None:
        # Who has a table is known when all that was asked for before has been done.
        self._journal.after(lambda _: self._tell(foyer, line))

    def _tell(self, foyer: str, line: LobbyChatLine) -> None:
        self.spread(foyer, line)
        if self.called is not None:
            self.called(foyer, line)

    def spread(self, foyer: str, line: LobbyChatLine) -> None:
        """Tell a line to all who stand in a foyer here."""
        for other in self._people.get(foyer, ()):
            if not other.rooms:
                other.send_notice(line)
