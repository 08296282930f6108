"""The qtchess dialect: one object per socket; what is known of a room is shared by all in it."""

from collections.abc import Callable, Sequence
from enum import Enum, auto
from typing import Final, assert_never

from msgspec import UNSET

from qipai.clients.legacy_messages import (
    BecomeGuest,
    JoinOrWatch,
    NoteRelayed,
    RelayNote,
    StartGameWith,
)
from qipai.games.chess.wire_types import Roll, SetDice
from qipai.kernel.commands import Play, TableRules
from qipai.kernel.ids import Millis, Nonce, RoomId, Seat
from qipai.kernel.legacy_table_rules import LegacyTableRules
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import CLOSED, Phase
from qipai.protocol.dialect_interface import (
    AnyIntent,
    AnyNotice,
    CloseRoom,
    LegacyNotice,
    PlayDecoded,
    RefuseFrame,
    SeatHeld,
)
from qipai.protocol.intents import AnswerOffer, Leave, MakeOffer, OpenRoom, Resign
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

from . import claim_checks, errors, outgoing_messages
from .board_coordinates import LETTERS, PLAYS, FastMove, plain, promoted
from .errors import FRAMES, ClientError
from .incoming_messages import MAX_ROOM, Fields, RequestType, ask_of, fields_of, opened, whole
from .room_state import RoomState, RoomStates
from .start_request import start_of

GAME: Final = "chess"
TABLE: Final = TableRules(legacy=LegacyTableRules(host_starts=True))
_LATER: Final = "later"
_MOVED_ON: Final = "moved on"
_WRONG: Final = "wrong"
_WRONGS: Final = {
    wrong.value: (RefuseFrame(Refusal.MALFORMED, f"{_WRONG} {wrong.value}"),) for wrong in ClientError
}
_ROLLS: Final = tuple(Play(Roll(kinds)) for kinds in range(7))
_DICE: Final = 3


class PendingRequest(Enum):
    """What a socket waits for before anything else that it asks is looked at."""

    NONE = auto()
    CREATE = auto()
    JOIN = auto()
    LEAVE = auto()


_IDLE: Final = PendingRequest.NONE
"""By a name of its own a member is found ten times as fast; every move asks for this one."""
_MANY: Final = 1024
_NONCES: Final = tuple(Nonce(f"{RequestType.MOVE.value} {number}") for number in range(_MANY))
"""Of a seat's moves far fewer are on their way or remembered at any time."""


class QtChess:
    """Remembers one room at most, and what has been asked for and not been done yet."""

    __slots__ = ("_errand", "_folio", "_folios", "_late", "_number", "_relayed", "_seat", "pending_intents")

    reconnect_grace = Millis(0)
    hides_disconnects = True
    sees_hidden = True
    lobby_chat = ""
    encoding_key = None

    def __init__(self, folios: RoomStates) -> None:
        self.pending_intents: Sequence[AnyIntent] = ()
        self._folios = folios
        self._folio: RoomState | None = None
        self._seat = Seat(0)
        self._errand = PendingRequest.NONE
        self._number = 0
        self._late: dict[str, tuple[str, bytes]] = {}
        """Frames that are looked at when their turn comes, and what they ask."""
        self._relayed = 0
        """The last game of which the result was passed on."""

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Leave the room: a closed socket never comes back."""
        folio, leaving = self._folio, self._errand is PendingRequest.LEAVE
        self._forget()
        return () if folio is None or leaving else (Leave(folio.room),)

    # In

    def minds(self, frame: bytes) -> bool:
        """Tell whether the frame would be answered, or do anything; noise is not counted."""
        return (fields := fields_of(frame)) is None or ask_of(fields) is not None

    def decode(self, frame: bytes) -> Sequence[AnyIntent]:
        """Return what the frame asks for; unknown actions ask for nothing."""
        folio = self._folio
        if folio is not None and folio.match and self._errand is _IDLE and (move := plain(frame, folio.code)):
            return self._play(folio, move, frame[:-1])
        if (fields := fields_of(frame)) is None:
            return _WRONGS[ClientError.FORMAT]
        if fields.get("action") == "move" and self._errand is _IDLE:
            return self._move(folio, frame, fields)
        if (ask := ask_of(fields)) is None:
            return ()
        if self._errand is not _IDLE:
            return self._later(ask, frame)
        if ask is RequestType.JOIN and not _is_number(fields.get("room")):
            return _WRONGS[ClientError.NUMBER]
        if ask is RequestType.CREATE or ask is RequestType.JOIN:
            return self._come(ask, frame, fields)
        if folio is None or not _is_in(folio, fields):
            return ()
        return self._within(folio, ask, frame, fields)

    def _move(self, folio: RoomState | None, frame: bytes, fields: Fields) -> Sequence[AnyIntent]:
        if folio is None or (fields.get("room") != folio.code and not _is_in(folio, fields)):
            return _WRONGS[ClientError.OUTSIDE]
        get = fields.get
        row, column, to_row, to_column = get("fromRow"), get("fromCol"), get("toRow"), get("toCol")
        if not (type(row) is type(column) is type(to_row) is type(to_column) is int):
            return _WRONGS[ClientError.SQUARES]
        if (row | column | to_row | to_column) & -8:
            return _WRONGS[ClientError.RANGE]
        if not folio.match and not folio.starts:
            # Before the first game clients may say what they like.
            return (RelayNote(folio.room, whole(RequestType.MOVE, frame, fields)),)
        move = FastMove("move", folio.code, row, column, to_row, to_column, get("promotion"))
        return self._play(folio, move, opened(RequestType.MOVE, frame, fields))

    def _play(self, folio: RoomState, move: FastMove, sent: bytes) -> Sequence[AnyIntent]:
        """Make a move; `sent` goes on to both, less its closing brace, so that the time can be put behind."""
        cell = move.from_row << 9 | move.from_col << 6 | move.to_row << 3 | move.to_col
        play, promotion = PLAYS[cell], move.promotion
        if promotion is not None and promotion is not UNSET:
            play = promoted(cell, promotion, trusting=folio.options.trusting)
        folio.number = number = folio.number + 1
        nonce = _NONCES[number % _MANY]
        folio.sent[self._seat][nonce] = sent
        return (PlayDecoded(folio.room, play, nonce),)

    def _later(self, ask: str, frame: bytes) -> Sequence[AnyIntent]:
        """Look at a frame when all that was asked before has been done."""
        self._number += 1
        nonce = f"{_LATER} {self._number}"
        self._late[nonce] = (ask, frame)
        return (RefuseFrame(Refusal.MALFORMED, nonce),)

    def _come(self, ask: RequestType, frame: bytes, fields: Fields) -> Sequence[AnyIntent]:
        """Come into a room, once the one before has been left."""
        if self._folio is not None:
            return (*self._leave(self._folio.room), *self._later(_MOVED_ON, frame))
        if ask is RequestType.JOIN:
            self._errand = PendingRequest.JOIN
            return BecomeGuest(), JoinOrWatch(fields["room"][: MAX_ROOM + 1], GAME)
        self._errand = PendingRequest.CREATE
        self._number += 1
        once = Nonce(f"{RequestType.CREATE.value} {self._number}")
        return BecomeGuest(), OpenRoom(GAME, once, table=TABLE, seat=0)

    def _leave(self, room: RoomId) -> Sequence[AnyIntent]:
        self._errand = PendingRequest.LEAVE
        return (Leave(room),)

    def _within(
        self, folio: RoomState, ask: RequestType, frame: bytes, fields: Fields
    ) -> Sequence[AnyIntent]:
        """Return what is done in one's own room."""
        room = folio.room
        match ask:
            case RequestType.LEAVE:
                return self._leave(room)
            case RequestType.START:
                return self._start(folio, fields)
            case RequestType.ROLL:
                kinds = fields.get("numMovablePieces")
                roll = _ROLLS[kinds] if type(kinds) is int and 0 < kinds < len(_ROLLS) else _ROLLS[0]
                return (PlayDecoded(room, roll, folio.once(ask.value)),)
            case RequestType.THROW:
                dice = _dice(fields.get("dice"))
                return (
                    ()
                    if dice is None
                    else (PlayDecoded(room, Play(dice), self._keep(folio, ask, frame, fields)),)
                )
            case RequestType.RESIGN:
                return (Resign(room, self._keep(folio, ask, frame, fields)),)
            case RequestType.OFFER:
                return (MakeOffer(room, OfferKind.DRAW, self._keep(folio, ask, frame, fields)),)
            case RequestType.ANSWER:
                offer, yes = folio.offers.get(OfferKind.DRAW), fields.get("accepted")
                if offer is None or type(yes) is not bool:
                    return ()
                return (AnswerOffer(room, offer.id, yes, self._keep(folio, ask, frame, fields)),)
            case RequestType.OVER | RequestType.INTERRUPTED | RequestType.RESOLVED:
                # Whether it is true is known when the moves before it have been made.
                return self._later(ask.value, frame)
        return ()

    def _keep(self, folio: RoomState, ask: RequestType, frame: bytes, fields: Fields) -> Nonce:
        """Keep a frame that the other player is sent when it has taken effect."""
        nonce = folio.once(ask.value)
        folio.sent[self._seat][nonce] = opened(ask, frame, fields)
        return nonce

    def _start(self, folio: RoomState, fields: Fields) -> Sequence[AnyIntent]:
        start = start_of(fields, folio.host)
        if start is None:
            return ()
        nonce = folio.once(RequestType.START.value)
        folio.starts[nonce] = start
        return (StartGameWith(folio.room, start.options, start.clock, start.given, nonce),)

    # Out

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return what the client is told of this."""
        if isinstance(notice, RoomEvents):
            folio = self._folio
            if folio is None or notice.room != folio.room:
                return ()
            frames = folio.follow(notice, self._seat)
            if folio.offers or folio.phase is CLOSED:
                self._react(folio)
            return frames
        match notice:
            case FullRoom():
                return self._shown(notice)
            case Refused():
                return self._denied(notice)
            case Left():
                return self._left(notice.room)
            case NoteRelayed():
                mine = self._folio is not None and notice.room == self._folio.room
                return (notice.note,) if mine else ()
            case Unchanged():
                if self._folio is not None:
                    self._drop(self._folio, notice.nonce)
                return ()
            case (
                Welcome()
                | LobbyUpdate()
                | Pong()
                | SeatHeld()
                | TransferTicket()
                | SpectatorChat()
                | SpectatorCount()
                | LegacyNotice()
            ):
                return ()
            case _:
                assert_never(notice)

    def _react(self, folio: RoomState) -> None:
        """Answer what clients cannot: nothing is taken back, and whoever wants another game begins it."""
        if folio.phase is Phase.CLOSED:
            self._forget()
            return
        for kind, offer in folio.offers.items():
            if kind is OfferKind.DRAW or self._seat not in offer.asked:
                continue
            yes = kind is OfferKind.REMATCH
            if not yes or not folio.hosted or folio.host != self._seat:
                self._want(AnswerOffer(folio.room, offer.id, yes, Nonce(f"{kind.value} {offer.id}")))

    def _shown(self, notice: FullRoom) -> Sequence[bytes]:
        view, errand = notice.room, self._errand
        if notice.you is None or view.game != GAME:
            self._want(CloseRoom(view.id))
            return ()
        self._errand = PendingRequest.NONE
        folio = self._folio = self._folios.of(view, notice.you)
        self._seat = notice.you
        folio.show(view, notice.version)
        if view.phase is Phase.CLOSED:
            self._forget()
        match errand:
            case PendingRequest.CREATE:
                return (outgoing_messages.note("roomCreated", folio.code),)
            case PendingRequest.JOIN:
                frames = [outgoing_messages.note("joinedRoom", folio.code)]
                if folio.host == notice.you:
                    frames.append(outgoing_messages.note("promotedToHost", folio.code))
                if view.phase is Phase.PLAYING:
                    frames += folio.beginning(view.position, notice.at)
                return frames
            case _:
                return ()

    def _left(self, room: RoomId) -> Sequence[bytes]:
        if self._folio is not None and self._folio.room == room:
            self._forget()
        return ()

    def _denied(self, notice: Refused) -> Sequence[bytes]:
        code, nonce = notice.code, notice.nonce
        ask, _, which = nonce.partition(" ")
        if ask == _WRONG:
            return (FRAMES[ClientError(which)],)
        if code is Refusal.RATE_LIMITED:
            return (FRAMES[ClientError.TOO_FAST],)
        if nonce in self._late:
            return self._resume(*self._late.pop(nonce))
        if not nonce or ask == RequestType.CREATE:
            return self._stay_out(code)
        frame = None if self._folio is None else self._drop(self._folio, Nonce(nonce))
        wrong = (errors.MOVES if ask == RequestType.MOVE else errors.OTHERS)[code]
        if (
            ask == RequestType.MOVE
            and code is Refusal.NOT_PLAYING
            and frame
            and self._folio
            and not self._folio.match
        ):
            self._want(RelayNote(self._folio.room, frame + b"}"))
        return () if wrong is None else (FRAMES[wrong],)

    def _stay_out(self, code: Refusal) -> Sequence[bytes]:
        """Take over that a room was not entered, or is not there to be left."""
        errand, self._errand = self._errand, PendingRequest.NONE
        if errand is PendingRequest.LEAVE:
            if code is not Refusal.UNAVAILABLE:
                self._forget()
            return ()
        wrong = errors.OTHERS[code] if errand is PendingRequest.NONE else errors.COMING[code]
        return () if wrong is None else (FRAMES[wrong],)

    def _drop(self, folio: RoomState, nonce: Nonce) -> bytes | None:
        """Forget what has had no effect; return the frame, if one was kept."""
        folio.starts.pop(nonce, None)
        return folio.sent[self._seat].pop(nonce, None)

    def _resume(self, ask: str, frame: bytes) -> Sequence[bytes]:
        """Look at a frame now that all that was asked before it has been done."""
        fields, folio = fields_of(frame), self._folio
        assert fields is not None
        if ask == _MOVED_ON and folio is not None:
            # The room could not be left: asking again would go on for ever.
            return (FRAMES[ClientError.UNAVAILABLE],)
        if self._errand is PendingRequest.NONE and ask in claim_checks.CLAIMS:
            return (
                () if folio is None or not _is_in(folio, fields) else self._claim(folio, ask, frame, fields)
            )
        self._want(*self.decode(frame))
        return ()

    def _claim(self, folio: RoomState, ask: str, frame: bytes, fields: Fields) -> Sequence[bytes]:
        """Pass on what a client says about the game, if it is true."""
        if ask == RequestType.OVER:
            if self._relayed != folio.match and claim_checks.is_result(folio, fields):
                self._relayed = folio.match
                self._want(RelayNote(folio.room, whole(RequestType.OVER, frame, fields)))
            return ()
        said = claim_checks.about_check(folio, ask, fields)
        if said is None:
            return ()
        self._want(RelayNote(folio.room, said))
        return (said,)

    def _forget(self) -> None:
        self._folio = None
        self._errand = PendingRequest.NONE

    def _want(self, *wishes: AnyIntent) -> None:
        self.pending_intents = (*self.pending_intents, *wishes)


def qtchess() -> Callable[[], QtChess]:
    """Return what makes the dialect of a socket; all made by one share their rooms."""
    folios = RoomStates()
    return lambda: QtChess(folios)


def _is_number(room: object) -> bool:
    return isinstance(room, str) and room != ""


def _is_in(folio: RoomState, fields: Fields) -> bool:
    """Tell whether a frame is about this room."""
    room = fields.get("room")
    return isinstance(room, str) and room.upper() == folio.code


def _dice(listed: object) -> SetDice | None:
    """Return the dice that a client threw, or None if they are none."""
    if not isinstance(listed, list) or len(listed) != _DICE:
        return None
    if not all(type(number) is int and 0 < number < 6 for number in listed):
        return None
    return SetDice("".join(LETTERS[number] for number in listed))
