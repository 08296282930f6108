"""The gomoku dialect: one object per socket; what it knows of its room it shares with all others there."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final, assert_never

from qipai.clients.legacy_messages import (
    JoinOrWatch,
    ListRooms,
    LookUpRoom,
    NicknameSet,
    PairOrOpen,
    ReminderDue,
    RoomFound,
    RoomList,
    SetNickname,
    SpectatorNames,
)
from qipai.games.gomoku.rules import View
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import TableRules
from qipai.kernel.ids import Millis, Nonce, RoomId, Seat
from qipai.kernel.legacy_table_rules import LegacyTableRules
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase
from qipai.kernel.room_view import LobbyRow
from qipai.protocol.dialect_interface import (
    AnyIntent,
    AnyNotice,
    CloseRoom,
    LegacyNotice,
    PlayDecoded,
    RefuseFrame,
    SeatHeld,
)
from qipai.protocol.intents import Leave, OpenRoom, Resign, Say
from qipai.protocol.notices import (
    FullRoom,
    Left,
    LobbyUpdate,
    Pong,
    Refused,
    RoomEvents,
    SpectatorChat,
    SpectatorCount,
    TransferTicket,
    Unchanged,
    Welcome,
)

from . import chat_text, errors, offer_requests, outgoing_messages
from .errors import FRAMES, ClientError, RoomStatus
from .incoming_messages import TAILS, Request, RequestType, opening, question, room_of, stone_of
from .room_state import RoomState
from .server_state import ServerState

GAME: Final = "gomoku"
GRACE: Final = Millis(120_000)
AWAY: Final = 125
"""Seconds until somebody out of reach forfeits: a little more than the grace, after which he leaves."""
LINGER: Final = 300
TURN: Final = Millis(30_000)
_NO_ROOM: Final = b"\0"
_LIST: Final = ListRooms(GAME)


class Gomoku:
    """Remembers one room at most, and its nickname."""

    __slots__ = (
        "_count",
        "_folio",
        "_joining",
        "_leaving",
        "_list",
        "_mark",
        "_nick",
        "_number",
        "_opening",
        "_refresh",
        "_salon",
        "_seat",
        "_skip",
        "_wanted",
        "_watchers",
        "pending_intents",
        "sid",
    )  # fmt: skip

    reconnect_grace = GRACE
    sees_hidden = False
    hides_disconnects = False
    lobby_chat = ""
    encoding_key = None

    def __init__(self, sid: str, salon: ServerState, number: int = 0) -> None:
        self.sid = sid
        self._mark = blake2b(sid.encode(), digest_size=6).hexdigest()
        """Goes into nonces, which others may see."""
        self.pending_intents: Sequence[AnyIntent] = ()
        self._salon = salon
        self._nick: str | None = None
        self._number = number
        self._folio: RoomState | None = None
        self._seat: Seat | None = None
        self._opening = _NO_ROOM
        self._skip = 0
        self._watchers: SpectatorNames | None = None
        self._joining = self._refresh = False
        self._wanted = ""
        """The room that was asked for by its number, if nothing else has been asked for since."""
        self._leaving: RoomId | None = None
        self._count: bytes | None = None
        self._list: bytes | None = None

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Leave the room: who stays has won, and the room lives on."""
        folio = self._folio
        self._forget()
        return () if folio is None else (Leave(folio.room),)

    # In

    def decode(self, frame: bytes) -> Sequence[AnyIntent]:
        """Return what the event asks for; unknown events ask for nothing."""
        folio = self._folio
        if folio is not None and frame.startswith(self._opening):
            move = TAILS.get(frame[self._skip :])
            if move is not None:
                return (PlayDecoded(folio.room, move),)
        asked = question(frame)
        if asked is None:
            return ()
        match asked.ask:
            case RequestType.LOBBY:
                return self._enter(asked.fields.get("nickname"))
            case RequestType.CREATE | RequestType.QUICK | RequestType.JOIN:
                return (
                    (RefuseFrame(Refusal.HELLO_FIRST),)
                    if self._nick is None
                    else self._come(asked, self._nick)
                )
            case RequestType.REFRESH:
                self._refresh = True
                return (_LIST,)
            case _:
                return self._about(asked, frame)

    def _enter(self, nickname: object) -> Sequence[AnyIntent]:
        if not isinstance(nickname, str):
            return (RefuseFrame(Refusal.BAD_NAME, ClientError.NICKNAME_NOT_TEXT),)
        trimmed = nickname.strip()
        name = chat_text.name_of(trimmed)
        if not name:
            return (RefuseFrame(Refusal.BAD_NAME, ClientError.NICKNAME_EMPTY),)
        if len(trimmed) > chat_text.MAX_NAME:
            return (RefuseFrame(Refusal.BAD_NAME, ClientError.NICKNAME_TOO_LONG),)
        self._refresh = True
        self._count = None
        return SetNickname(GAME, name), _LIST

    def _come(self, asked: Request, nick: str) -> Sequence[AnyIntent]:
        """Come into a room: a new one, the one that waits longest, or this one."""
        self._joining = True
        self._wanted = ""
        if asked.ask is RequestType.JOIN:
            room = room_of(asked)
            if room is None:
                return (RefuseFrame(Refusal.NO_SUCH_ROOM),)
            self._wanted = room
            return (JoinOrWatch(room, GAME, watch=asked.fields.get("asWatcher") is True),)
        if asked.ask is RequestType.QUICK:
            return (PairOrOpen(GAME, _table(chat_text.title_of(None, nick))),)
        timed = asked.fields.get("turnTimer") is True
        table = _table(chat_text.title_of(asked.fields.get("name"), nick), timed=timed)
        return (OpenRoom(GAME, self._once(_OPEN), table=table, seat=0),)

    def _about(self, asked: Request, frame: bytes) -> Sequence[AnyIntent]:
        """Return what is done in one's own room; of any other room only how it stands is asked."""
        room = room_of(asked)
        if self._folio is not None and room == self._folio.code and asked.ask is not RequestType.SEARCH:
            return self._within(self._folio, asked)
        if room is not None:
            return (LookUpRoom(room, frame.decode()),)
        match asked.ask:
            case RequestType.LEAVE:
                return ()
            case RequestType.CHAT:
                return (RefuseFrame(Refusal.NOT_IN_ROOM, ClientError.NOT_IN_ROOM),)
            case RequestType.SEARCH:
                return (LookUpRoom("", frame.decode()),)
            case _:
                return (RefuseFrame(Refusal.NO_SUCH_ROOM, ClientError.ROOM_NOT_FOUND),)

    def _within(self, folio: RoomState, asked: Request) -> Sequence[AnyIntent]:
        room, ask = folio.room, asked.ask
        match ask:
            case RequestType.PLACE:
                move = stone_of(asked)
                return (RefuseFrame(Refusal.OUT_OF_RANGE, ask) if move is None else PlayDecoded(room, move),)
            case RequestType.LEAVE:
                return self._leave(room)
            case RequestType.CHAT:
                message = asked.fields.get("message")
                return (Say(room, message),) if isinstance(message, str) else ()
        if self._seat is None:
            return (RefuseFrame(Refusal.NOT_SEATED, ask),)
        match ask:
            case RequestType.SURRENDER:
                return (Resign(room, self._once(ask)),)
            case RequestType.UNDO | RequestType.SWAP | RequestType.REMATCH:
                return (offer_requests.propose(folio, self._seat, ask, self._once(ask)),)
            case RequestType.ANSWER_UNDO | RequestType.ANSWER_SWAP | RequestType.CANCEL:
                yes = ask is not RequestType.CANCEL and asked.fields.get("accept") is True
                return (offer_requests.answer(folio, self._seat, ask, self._once(ask), yes=yes),)
        return ()

    def _leave(self, room: RoomId) -> Sequence[AnyIntent]:
        """Leave a room, once: who has gone already is told nothing."""
        if room == self._leaving:
            return ()
        self._leaving = room
        return (Leave(room),)

    def _once(self, ask: str) -> Nonce:
        """Return a nonce that says what it was for, if it comes back with a refusal."""
        self._number += 1
        return Nonce(f"{ask} {self._mark} {self._number}")

    # Out

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return what the client is told of this."""
        folio = self._folio
        if isinstance(notice, RoomEvents):
            if folio is None or notice.room != folio.room:
                return ()
            frames = folio.follow(notice, self._seat)
            if len(notice.events) > 1 or folio.offers or folio.phase is Phase.CLOSED:
                self._react(folio, notice)
            return frames
        match notice:
            case RoomList():
                return self._listed(notice)
            case SpectatorNames():
                if folio is None or notice.room != folio.room:
                    self._watchers = notice
                    return ()
                return folio.gather(notice, self._seat)
            case FullRoom():
                return self._shown(notice)
            case Refused():
                return self._denied(notice)
            case NicknameSet():
                self._nick = notice.name
                return ()
            case Left():
                return self._left(notice)
            case RoomFound():
                return self._seen(notice)
            case ReminderDue():
                return self._reminded(notice.about)
            case SeatHeld() | LegacyNotice() | Welcome() | Unchanged() | LobbyUpdate() | Pong():
                return ()
            case TransferTicket() | SpectatorChat() | SpectatorCount():
                return ()
            case _:
                assert_never(notice)

    def _react(self, folio: RoomState, notice: RoomEvents) -> None:
        offer = folio.offers.get(OfferKind.REMATCH)
        if offer is not None and offer.seat == self._seat and notice.nonce and notice.seat == self._seat:
            self._want(offer_requests.wait(offer))
        if folio.phase is Phase.CLOSED:
            self._forget()
            self._want(_LIST)

    def _listed(self, listing: RoomList) -> Sequence[bytes]:
        frames = []
        if self._nick is not None:
            count = self._salon.online(listing)
            if count != self._count:
                self._count = count
                frames.append(count)
        rooms = self._salon.rooms(listing)
        if self._refresh or (self._nick is not None and self._folio is None and rooms is not self._list):
            self._refresh = False
            self._list = rooms
            frames.append(rooms)
        return frames

    def _shown(self, notice: FullRoom) -> Sequence[bytes]:
        view, before = notice.room, self._folio
        if view.game != GAME:
            # Asked for before the socket turned to this game.
            self._want(CloseRoom(view.id))
            return ()
        if before is not None and before.room != view.id:
            if before.code == self._wanted:
                # Asked for earlier, and given later, than the room one is in.
                self._want(Leave(view.id))
                return ()
            self._want(*self._leave(before.room))
        if self._leaving == view.id:
            self._leaving = None
        joining, self._joining = self._joining, False
        folio = self._folio = self._salon.folio(view)
        self._seat = notice.you
        folio.show(view, notice.version, watching=notice.you is None)
        if self._watchers is not None and self._watchers.room == view.id:
            folio.sheet.gather(self._watchers.names)
        self._watchers = None
        self._opening = opening(view.code)
        self._skip = len(self._opening)
        if view.phase is Phase.CLOSED:
            self._forget()
            return (folio.sheet.updated(notice.you),)
        if before is folio and not joining:
            return (folio.sheet.updated(notice.you),)
        if notice.version == FRESH and notice.you is not None:
            return (folio.sheet.joined(notice.you),)
        timer = folio.timer(view.clock)
        return (
            folio.sheet.joined(notice.you),
            folio.sheet.updated(notice.you),
            *(() if timer is None else (timer,)),
        )

    def _denied(self, notice: Refused) -> Sequence[bytes]:
        ask, folio = notice.nonce.split(" ")[0], self._folio
        if ask in _COMING and (folio is None or notice.room != folio.room):
            self._joining = False
        if notice.code is Refusal.OFFER_STANDS and folio is not None and ask in _ASKS:
            frames, wishes = offer_requests.again(folio, self._seat, RequestType(ask))
            self._want(*wishes)
            return frames
        return _error(self._wrong(notice.code, ask))

    def _wrong(self, code: Refusal, ask: str) -> ClientError | None:
        if ask in _WRONGS:
            return ClientError(ask)
        if not ask and code in errors.MOVES:
            ask = RequestType.PLACE
        if ask not in _ASKS or code in errors.PLAIN or self._folio is None:
            return errors.REFUSED[code]
        asked = RequestType(ask)
        return errors.first(asked, self._folio.standing(self._seat)) or errors.last(asked, code)

    def _left(self, notice: Left) -> Sequence[bytes]:
        if self._leaving == notice.room:
            self._leaving = None
        if self._folio is None or notice.room != self._folio.room:
            return ()
        self._forget()
        self._refresh = True
        self._want(_LIST)
        return (FRAMES[ClientError.NOT_IN_ROOM],) if notice.replaced else ()

    def _seen(self, notice: RoomFound) -> Sequence[bytes]:
        """Answer what was asked about a room that was not one's own, or was not yet."""
        asked = question(notice.about.encode())
        view = None if notice.room is None or notice.room.game != GAME else notice.room
        if asked is None:
            return ()
        position: View | None = None if view is None else view.position
        if asked.ask is RequestType.SEARCH:
            if view is None:
                return (outgoing_messages.found(None),)
            names = tuple(None if taken is None else taken.name for taken in view.seats)
            title = view.table.title
            row = LobbyRow(view.id, view.code, GAME, view.phase, names, notice.spectators, title=title)
            return (
                outgoing_messages.found(
                    outgoing_messages.row(row, 0 if position is None else position.black)
                ),
            )
        if view is not None and self._folio is not None and view.id == self._folio.room:
            self._want(*self._within(self._folio, asked))
            return ()
        if asked.ask is RequestType.LEAVE:
            return ()
        if view is None and asked.ask is not RequestType.CHAT:
            return (FRAMES[ClientError.ROOM_NOT_FOUND],)
        phase = Phase.CLOSED if view is None else view.phase
        stones = 0 if position is None else len(position.moves)
        return _error(errors.first(asked.ask, RoomStatus(phase, stones, None, None, opponent=False)))

    def _reminded(self, about: str) -> Sequence[bytes]:
        offer = None if self._folio is None else self._folio.offers.get(OfferKind.REMATCH)
        waits = offer is not None and offer.seat == self._seat and str(offer.id) == about
        return (outgoing_messages.REMATCH_TIMEOUT,) if waits else ()

    def _forget(self) -> None:
        self._folio = self._seat = None
        self._opening = _NO_ROOM

    def _want(self, *wishes: AnyIntent) -> None:
        self.pending_intents = (*self.pending_intents, *wishes)


FRESH: Final = 2
"""The version of a room that its owner has just opened and sat down in."""
_ASKS: Final = frozenset(RequestType)
_WRONGS: Final = frozenset(ClientError)
_OPEN: Final = "open"
_COMING: Final = frozenset({"", _OPEN})
"""How a refusal begins that may be about a room one wanted to come into."""


def _table(title: str, *, timed: bool = False) -> TableRules:
    clock = ClockPlan(move=TURN) if timed else None
    return TableRules(
        disconnect_timeout=AWAY,
        clock=clock,
        title=title,
        empty_timeout=LINGER,
        legacy=LegacyTableRules(chat_with_spectators=True),
    )


def _error(wrong: ClientError | None) -> Sequence[bytes]:
    return () if wrong is None else (FRAMES[wrong],)
