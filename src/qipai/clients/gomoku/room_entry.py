"""Creating, searching, joining and leaving rooms for gomoku clients."""

from collections.abc import Callable, Sequence
from typing import Final

from qipai.clients.legacy_messages import JoinOrWatch, ListRooms, PairOrOpen, RoomFound, SetNickname
from qipai.games.gomoku.wire_types import View
from qipai.kernel.ids import Millis, Nonce, RoomId
from qipai.kernel.refusals import Refusal
from qipai.kernel.room_view import LobbyRow, RoomView
from qipai.kernel.view_values import ClockPlanView, LegacyTableRulesView, TableRulesView
from qipai.protocol.bot_mark import shown_name
from qipai.protocol.dialect_interface import AnyIntent, RefuseFrame
from qipai.protocol.intents import Leave, OpenRoom
from qipai.protocol.notices import FullRoom

from . import chat_text, outgoing_messages
from .errors import ClientError
from .incoming_messages import Request, RequestType, room_code
from .room_state import RoomState

GAME: Final = "gomoku"
RECONNECT_GRACE: Final = Millis(120_000)
DISCONNECT_TIMEOUT: Final = 125
"""Seconds until a disconnected player forfeits: longer than the grace, after which the dialect leaves."""
EMPTY_TIMEOUT: Final = 300
TURN_LIMIT: Final = Millis(30_000)
LIST_ROOMS: Final = ListRooms(GAME)
OPEN: Final = "open"
"""First word of the nonce of a request for a new room."""
ENTRY_NONCES: Final = frozenset({"", OPEN})
"""First words of the nonces of refusals that may be about entering a room."""


class RoomEntry:
    """The requests of one socket to enter and leave rooms that the hall has not answered yet."""

    __slots__ = ("_always_timed", "_leaving", "_requested_code", "joining")

    def __init__(self, *, always_timed: bool = False) -> None:
        self._always_timed = always_timed
        self.joining = False
        """Whether the next `FullRoom` answers a request to enter a room."""
        self._requested_code = ""
        """Code of the room in the last request to enter a room, if that was `join-room`."""
        self._leaving: RoomId | None = None

    def enter(
        self, request: Request, nickname: str, new_nonce: Callable[[str], Nonce]
    ) -> Sequence[AnyIntent]:
        """Return the intent that creates a room, pairs with a waiting player, or joins a room by code."""
        self.joining = True
        self._requested_code = ""
        if request.type is RequestType.JOIN:
            code = room_code(request)
            if code is None:
                return (RefuseFrame(Refusal.NO_SUCH_ROOM),)
            self._requested_code = code
            watch = request.fields.get("asWatcher") is True
            return (JoinOrWatch(code, GAME, watch=watch, default_options=True),)
        if request.type is RequestType.QUICK:
            title = chat_text.room_title(None, nickname)
            return (PairOrOpen(GAME, _table_rules(title, timed=self._always_timed)),)
        timed = self._always_timed or request.fields.get("turnTimer") is True
        table = _table_rules(chat_text.room_title(request.fields.get("name"), nickname), timed=timed)
        return (OpenRoom(GAME, new_nonce(OPEN), table=table, seat=0),)

    def leave(self, room: RoomId) -> Sequence[AnyIntent]:
        """Return the intent that leaves a room; nothing if that was requested already."""
        if room == self._leaving:
            return ()
        self._leaving = room
        return (Leave(room),)

    def on_left(self, room: RoomId) -> None:
        """Note that the hall has carried out a leave."""
        if self._leaving == room:
            self._leaving = None

    def is_outdated(self, notice: FullRoom, current: RoomState | None) -> bool:
        """Tell whether the room was requested before the room that the socket is in, and arrives after it."""
        return current is not None and current.room != notice.room.id and current.code == self._requested_code

    def on_entered(self, room: RoomId) -> bool:
        """Note that the socket is in a room; tell whether it has requested that."""
        self.on_left(room)
        joining, self.joining = self.joining, False
        return joining


def set_nickname(nickname: object) -> Sequence[AnyIntent]:
    """Return the intents of `join-lobby`, or the refusal of an invalid nickname."""
    if not isinstance(nickname, str):
        return (RefuseFrame(Refusal.BAD_NAME, ClientError.NICKNAME_NOT_TEXT),)
    trimmed = nickname.strip()
    name = chat_text.clean_nickname(trimmed)
    if not name:
        return (RefuseFrame(Refusal.BAD_NAME, ClientError.NICKNAME_EMPTY),)
    if len(trimmed) > chat_text.MAX_NICKNAME:
        return (RefuseFrame(Refusal.BAD_NAME, ClientError.NICKNAME_TOO_LONG),)
    return SetNickname(GAME, name), LIST_ROOMS


def search_result(notice: RoomFound, view: RoomView | None) -> bytes:
    """Return the event that answers `search-room`."""
    if view is None:
        return outgoing_messages.search_result(None)
    position: View | None = view.position
    names = tuple(None if taken is None else shown_name(taken) for taken in view.seats)
    title = view.table.title
    row = LobbyRow(view.id, view.code, GAME, view.phase, names, notice.spectators, title=title)
    black = 0 if position is None else position.black
    return outgoing_messages.search_result(outgoing_messages.list_row(row, black))


def _table_rules(title: str, *, timed: bool) -> TableRulesView:
    return TableRulesView(
        disconnect_timeout=DISCONNECT_TIMEOUT,
        clock=ClockPlanView(move=TURN_LIMIT, lag_compensation=False) if timed else None,
        title=title,
        empty_timeout=EMPTY_TIMEOUT,
        legacy=LegacyTableRulesView(chat_with_spectators=True),
    )
