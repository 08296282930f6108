"""The tic-tac-toe dialect: one object per socket, with what its client has been told of its table."""

from collections.abc import Callable, Sequence
from typing import Any, Final, assert_never

from qipai.clients.legacy_messages import (
    LobbyChatLine,
    SayInLobby,
)
from qipai.games.tictactoe.rules import Marked, Next, RoundBegan, RoundOver, View, other
from qipai.kernel.commands import Play
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.ids import Millis, Nonce, RoomId, Seat
from qipai.kernel.offers import Offer, OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase
from qipai.kernel.room_events import Closed, GameOver, GameStarted, OfferMade, Said, SeatLeft, SeatTaken
from qipai.protocol.dialect_interface import (
    AnyIntent,
    AnyNotice,
    CloseRoom,
    Dialect,
    LegacyNotice,
    PlayDecoded,
    RefuseFrame,
    SeatHeld,
    SwitchDialect,
)
from qipai.protocol.intents import AnswerOffer, Leave, MakeOffer, QuickMatch, Say
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

from . import outgoing_messages
from .incoming_messages import MARKS, RequestType, question
from .outgoing_messages import LAST, MADE
from .room_state import RoomState

GAME: Final = "tictactoe"
_DESERTED: Final = frozenset({"left", "abandoned"})
_MATCH: Final = QuickMatch(GAME, rejoin=True)
_NEXT: Final = Play(Next())
# What is refused in silence when somebody has logged in, and with a word when he has not.
_SILENT: Final = (RefuseFrame(Refusal.NOT_ALLOWED),)


Elsewhere = Callable[[str, bytes], Dialect | None]
"""Returns the dialect that knows a frame which this one does not, for a socket of this id."""


def _nowhere(_sid: str, _frame: bytes) -> None:
    """Nobody else knows the frame."""


class TicTacToe:
    """Remembers one table at most; its own `sid` is what clients know themselves by."""

    __slots__ = ("_elsewhere", "_faces", "_faces_of", "_new", "_table", "pending_intents", "sid")

    reconnect_grace = Millis(15_000)
    sees_hidden = False
    hides_disconnects = True
    lobby_chat = GAME
    encoding_key = None

    def __init__(self, sid: str, elsewhere: Elsewhere = _nowhere) -> None:
        self.sid = sid
        self._elsewhere = elsewhere
        self.pending_intents: Sequence[AnyIntent] = ()
        self._table: RoomState | None = None
        self._faces: dict[Seat, str] = {}
        self._faces_of: RoomId | None = None
        self._new = False

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """End the table: nobody plays on alone."""
        table, self._table = self._table, None
        return () if table is None else (CloseRoom(table.room),)

    # In

    def decode(self, frame: bytes) -> Sequence[AnyIntent]:
        """Return what the event asks for; unknown events ask for nothing."""
        table, move = self._table, MARKS.get(frame)
        if move is not None and table is not None:
            return (PlayDecoded(table.room, move),)
        asked = question(frame)
        if asked is None:
            other = self._elsewhere(self.sid, frame)
            return () if other is None else (SwitchDialect(other, frame),)
        ask, value = asked
        match ask:
            case RequestType.MOVE:
                return self._mark(value)
            case RequestType.JOIN:
                return self._join()
            case RequestType.NEXT:
                if table is None:
                    return _SILENT
                once = Nonce(f"next {table.match} {table.round}")
                return (PlayDecoded(table.room, _NEXT, once, table.version),)
            case RequestType.AGAIN:
                if table is None or table.phase is not Phase.OVER:
                    return _SILENT
                return (MakeOffer(table.room, OfferKind.REMATCH, Nonce(f"again {table.version}")),)
            case RequestType.CHAT:
                if not isinstance(value, str):
                    return _SILENT
                return (SayInLobby(value),) if table is None else (Say(table.room, value),)
            case RequestType.UNKNOWN:
                return _SILENT
            case _:
                assert_never(ask)

    def _mark(self, move: Play | str | None) -> Sequence[AnyIntent]:
        if not isinstance(move, Play):
            return (RefuseFrame(Refusal.OUT_OF_RANGE),)
        return (
            (RefuseFrame(Refusal.NOT_PLAYING),)
            if self._table is None
            else (PlayDecoded(self._table.room, move),)
        )

    def _join(self) -> Sequence[AnyIntent]:
        if self._table is None or self._table.phase is not Phase.OVER:
            return (_MATCH,)
        return (*self.on_disconnect(), _MATCH)

    # Out

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return what the client is told of this."""
        table = self._table
        if isinstance(notice, RoomEvents):
            if table is None or notice.room != table.room:
                return ()
            table.version = notice.version
            events = notice.events
            if len(events) == 1 and type(events[0]) is Marked:
                return MADE[events[0].seat != table.x][events[0].cell]
            return self._happened(table, events)
        match notice:
            case FullRoom():
                return self._shown(notice)
            case SeatHeld():
                self._meet(notice)
                return ()
            case Refused():
                playing = table is not None and table.playing
                return outgoing_messages.refused(notice.code, playing=playing, quietly=bool(notice.nonce))
            case LobbyChatLine():
                return (outgoing_messages.line(notice.at, notice.name, notice.text),)
            case Left():
                if table is None or notice.room != table.room:
                    return ()
                self._table = None
                return (outgoing_messages.ELSEWHERE,) if notice.replaced else ()
            case (
                Welcome()
                | Unchanged()
                | LobbyUpdate()
                | Pong()
                | TransferTicket()
                | SpectatorChat()
                | SpectatorCount()
            ):
                return ()
            case LegacyNotice():
                return ()
            case _:
                assert_never(notice)

    def _meet(self, notice: SeatHeld) -> None:
        if notice.room != self._faces_of:
            self._faces, self._faces_of = {}, notice.room
        self._faces[notice.seat] = notice.handle
        self._new = notice.new and notice.handle == self.sid

    def _shown(self, notice: FullRoom) -> Sequence[bytes]:
        view, you, before = notice.room, notice.you, self._table
        if you is None or view.game != GAME:
            return ()
        if before is not None and before.room != view.id:
            self._want(CloseRoom(before.room))
        new, self._new = self._new, False
        table = self._table = RoomState(view, notice.version, you, self.sid, self._faces)
        if view.phase is Phase.WAITING:
            return (
                (outgoing_messages.waiting(table), outgoing_messages.WAIT)
                if new
                else (outgoing_messages.waiting(table),)
            )
        result = view.result
        if view.phase is Phase.CLOSED or (result is not None and result.reason in _DESERTED):
            return self._deserted(closed=view.phase is Phase.CLOSED)
        for offer in view.offers:
            self._offered(table, offer)
        position: View = view.position
        met = outgoing_messages.met(table.names[other(you)], table.names[you]) if new else ()
        start = outgoing_messages.game_start(table, position)
        return (*met, start, *outgoing_messages.moves(table, position), *_ending(table, position, result))

    def _happened(self, table: RoomState, events: tuple[Any, ...]) -> Sequence[bytes]:
        frames: list[bytes] = []
        kinds = {type(event) for event in events}
        for event in events:
            if self._table is None:
                break
            match event:
                case Marked():
                    made = LAST if RoundOver in kinds else MADE
                    frames += made[event.seat != table.x][event.cell]
                case RoundOver():
                    table.resting, table.wins, table.draws = True, event.wins, event.draws
                    frames.append(
                        outgoing_messages.round_end(
                            table, event.winner, event.lines, finished=GameOver in kinds
                        )
                    )
                case RoundBegan():
                    table.resting, table.round = False, event.round
                    frames.append(outgoing_messages.game_reset(table, event.first))
                case Said():
                    frames.append(outgoing_messages.line(event.line.at, event.line.name, event.line.text))
                case SeatTaken():
                    table.names[event.seat] = event.name
                    frames += outgoing_messages.met(table.names[table.you], event.name)
                case GameStarted():
                    table.phase, table.match = Phase.PLAYING, event.match
                    table.place(event.position)
                    begin = (
                        outgoing_messages.game_start if SeatTaken in kinds else outgoing_messages.new_match
                    )
                    frames.append(begin(table, event.position))
                case OfferMade():
                    self._offered(table, event.offer)
                case GameOver() if event.reason in _DESERTED:
                    frames += self._deserted(closed=Closed in kinds)
                case GameOver():
                    table.phase = Phase.OVER
                    if RoundOver not in kinds:
                        frames.append(
                            outgoing_messages.round_end(table, _winner(event.winners), finished=True)
                        )
                case SeatLeft() | Closed():
                    frames += self._deserted(closed=Closed in kinds)
        return frames

    def _offered(self, table: RoomState, offer: Offer) -> None:
        """Agree to another match: these clients ask nobody before they begin one."""
        if offer.kind is OfferKind.REMATCH and table.you in offer.asked:
            self._want(AnswerOffer(table.room, offer.id, yes=True, nonce=Nonce(f"yes {offer.id}")))

    def _deserted(self, *, closed: bool) -> Sequence[bytes]:
        """Forget the table: the other one is gone."""
        table, self._table = self._table, None
        if table is not None and not closed:
            self._want(Leave(table.room))
        return (outgoing_messages.OPPONENT_LEFT,)

    def _want(self, wish: AnyIntent) -> None:
        self.pending_intents = (*self.pending_intents, wish)


def _winner(winners: tuple[Seat, ...]) -> Seat | None:
    return winners[0] if winners else None


def _ending(table: RoomState, position: View, result: Outcome | None) -> tuple[bytes, ...]:
    """Return how the round ended that a client comes back to, if it has."""
    finished = result is not None
    if position.resting:
        return (outgoing_messages.round_end(table, position.taken, position.lines, finished=finished),)
    return (
        ()
        if result is None
        else (outgoing_messages.round_end(table, _winner(result.winners), finished=True),)
    )
