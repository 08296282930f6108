"""Chat among clients of one dialect that are in no room."""

from typing import Final

from qipai.hall.client_interface import HallServices
from qipai.hall.connections.connection import Connection, Handlers
from qipai.kernel.chat_lines import MAX_LINE
from qipai.kernel.codec import clean_line
from qipai.kernel.ids import Millis
from qipai.kernel.refusals import Refusal
from qipai.protocol.notices import Refused

from .legacy_messages import LobbyChatLine, SayInLobby
from .legacy_worker_messages import LegacyBroadcasts

NONE: Final = ""
"""The lobby chat of dialects that have none."""


class LobbyChat:
    """The connections of each lobby chat, and the lines sent to it."""

    def __init__(self, hall: HallServices, broadcasts: LegacyBroadcasts) -> None:
        self._journal = hall.executor.journal
        self._quota = hall.crowd_quota
        self._sanctions = hall.sanctions
        self._fan_out = hall.executor.fan_out
        self._broadcasts = broadcasts
        self._members: dict[str, dict[Connection, None]] = {}
        self._chats: dict[Connection, str] = {}
        self.handlers: Handlers = {SayInLobby: hall.inbox.handler(self._say)}

    def enter(self, connection: Connection) -> None:
        """Add the connection to the chat of its dialect, and to no other."""
        self.leave(connection)
        chat = connection.dialect.lobby_chat
        if chat != NONE:
            self._chats[connection] = chat
            self._members.setdefault(chat, {})[connection] = None

    def leave(self, connection: Connection) -> None:
        """Remove the connection from its chat."""
        if (chat := self._chats.pop(connection, NONE)) != NONE:
            del self._members[chat][connection]

    def deliver(self, chat: str, line: LobbyChatLine) -> None:
        """Send a line to the connections of this worker that are in no room."""
        receivers = [member for member in self._members.get(chat, ()) if not member.rooms]
        self._fan_out.send_notice(receivers, line)

    async def _say(self, connection: Connection, intent: SayInLobby, now: Millis) -> None:
        text = clean_line(intent.text, MAX_LINE)
        if not text:
            connection.send_notice(Refused(Refusal.EMPTY))
            return
        if self._sanctions.refuses_muted(connection):
            return
        line = LobbyChatLine(now, connection.name, text)
        chat = connection.dialect.lobby_chat
        if await self._quota.spend(connection, chat, now):
            # Which connections are in a room is known once all earlier commands are durable.
            self._journal.after(lambda _: self._deliver_everywhere(chat, line))
        else:
            connection.send_notice(Refused(Refusal.RATE_LIMITED))

    def _deliver_everywhere(self, chat: str, line: LobbyChatLine) -> None:
        self.deliver(chat, line)
        self._broadcasts.lobby_chat(chat, line)
