"""The tic-tac-toe dialect, one object per socket: events to intents, notices to events.

Of the game it knows the moves, events and the view of `games.tictactoe.rules`, and which seat is the other.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, assert_never

from qipai.clients.legacy_messages import LobbyChatLine, SayInLobby
from qipai.clients.sanctions import tictactoe_messages
from qipai.games.tictactoe.rules import Marked, Next, RoundBegan, RoundOver, View, other
from qipai.kernel.commands import Play
from qipai.kernel.ids import Millis, Nonce, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Phase
from qipai.kernel.room_events import Closed, GameOver, GameStarted, OfferMade, Said, SeatLeft, SeatTaken
from qipai.kernel.view_values import OfferView, OutcomeView
from qipai.protocol.bot_mark import shown_name
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
    NativeOnly,
    OperatorNotice,
    Pong,
    Refused,
    RoomEvents,
    Unchanged,
    Welcome,
)

from . import outgoing_messages
from .incoming_messages import REQUEST_MOVES, RequestType, parse_request
from .outgoing_messages import LAST_MOVE_FRAMES, MOVE_FRAMES
from .room_state import RoomState

GAME: Final = "tictactoe"
_OPPONENT_LEFT_REASONS: Final = frozenset({"left", "abandoned"})
_QUICK_MATCH: Final = QuickMatch(GAME, rejoin=True)
_NEXT_ROUND: Final = Play(Next())
_NO_REPLY: Final = (RefuseFrame(Refusal.NOT_ALLOWED),)
"""Sends nothing to a logged-in client; the hall refuses it with `login_required` before login."""


DialectFinder = Callable[[str, bytes], Dialect | None]
"""Returns the dialect that knows a frame which this one does not, for a socket id."""


def _no_dialect(_sid: str, _frame: bytes) -> None:
    """Return None: no other dialect knows the frame."""


def _no_frames(_notice: OperatorNotice) -> Sequence[bytes]:
    """Return nothing: there is no other dialect."""
    return ()


class TicTacToe:
    """The dialect of one socket, which is in at most one room; clients identify themselves by `sid`."""

    __slots__ = (
        "_encode_otherwise",
        "_find_dialect",
        "_is_known",
        "_just_seated",
        "_room_state",
        "_socket_ids",
        "_socket_ids_room",
        "pending_intents",
        "sid",
    )

    reconnect_grace = Millis(15_000)
    sees_hidden = False
    hides_disconnects = True
    lobby_chat = GAME
    encoding_key = None

    def __init__(
        self,
        sid: str,
        find_dialect: DialectFinder = _no_dialect,
        encode_otherwise: Callable[[OperatorNotice], Sequence[bytes]] = _no_frames,
    ) -> None:
        self.sid = sid
        self._find_dialect = find_dialect
        self._encode_otherwise = encode_otherwise
        """Encodes for the other dialects what a client is told before it is known which one it speaks."""
        self._is_known = False
        self.pending_intents: Sequence[AnyIntent] = ()
        self._room_state: RoomState | None = None
        self._socket_ids: dict[Seat, str] = {}
        self._socket_ids_room: RoomId | None = None
        self._just_seated = False

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Return the intent that closes the room: the opponent does not play on."""
        room_state, self._room_state = self._room_state, None
        return () if room_state is None else (CloseRoom(room_state.room),)

    # Frames to intents

    def decode(self, frame: bytes) -> Sequence[AnyIntent]:
        """Return the intents of an event; none for an unknown event."""
        room_state, move = self._room_state, REQUEST_MOVES.get(frame)
        if move is not None and room_state is not None:
            return (PlayDecoded(room_state.room, move),)
        request = parse_request(frame)
        if request is None:
            dialect = self._find_dialect(self.sid, frame)
            return () if dialect is None else (SwitchDialect(dialect, frame),)
        self._is_known = True
        request_type, value = request
        match request_type:
            case RequestType.MOVE:
                return self._decode_move(value)
            case RequestType.JOIN:
                return self._decode_join()
            case RequestType.NEXT:
                if room_state is None:
                    return _NO_REPLY
                nonce = Nonce(f"next {room_state.match} {room_state.round}")
                return (PlayDecoded(room_state.room, _NEXT_ROUND, nonce, room_state.version),)
            case RequestType.NEW_MATCH:
                if room_state is None or room_state.phase is not Phase.OVER:
                    return _NO_REPLY
                return (MakeOffer(room_state.room, OfferKind.REMATCH, Nonce(f"again {room_state.version}")),)
            case RequestType.CHAT:
                if not isinstance(value, str):
                    return _NO_REPLY
                return (SayInLobby(value),) if room_state is None else (Say(room_state.room, value),)
            case RequestType.UNKNOWN:
                return _NO_REPLY
            case _:
                assert_never(request_type)

    def _decode_move(self, move: Play | str | None) -> Sequence[AnyIntent]:
        if not isinstance(move, Play):
            return (RefuseFrame(Refusal.OUT_OF_RANGE),)
        return (
            (RefuseFrame(Refusal.NOT_PLAYING),)
            if self._room_state is None
            else (PlayDecoded(self._room_state.room, move),)
        )

    def _decode_join(self) -> Sequence[AnyIntent]:
        if self._room_state is None or self._room_state.phase is not Phase.OVER:
            return (_QUICK_MATCH,)
        return (*self.on_disconnect(), _QUICK_MATCH)

    # Notices to frames

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return the events that report a notice to this client."""
        room_state = self._room_state
        if isinstance(notice, RoomEvents):
            if room_state is None or notice.room != room_state.room:
                return ()
            room_state.version = notice.version
            events = notice.events
            if len(events) == 1 and type(events[0]) is Marked:
                return MOVE_FRAMES[events[0].seat != room_state.x_seat][events[0].cell]
            return self._encode_events(room_state, events)
        if isinstance(notice, OperatorNotice):
            others = () if self._is_known else self._encode_otherwise(notice)
            return (*tictactoe_messages.frames(notice), *others)
        match notice:
            case FullRoom():
                return self._encode_full_room(notice)
            case SeatHeld():
                self._set_socket_id(notice)
                return ()
            case Refused():
                if notice.code is Refusal.MUTED and not notice.nonce:
                    return tictactoe_messages.muted(notice)
                playing = room_state is not None and room_state.playing
                return outgoing_messages.refusal_frames(
                    notice.code, playing=playing, nonced=bool(notice.nonce)
                )
            case LobbyChatLine():
                return (outgoing_messages.chat_line(notice.at, notice.name, notice.text),)
            case Left():
                if room_state is None or notice.room != room_state.room:
                    return ()
                self._room_state = None
                return (outgoing_messages.OPENED_ELSEWHERE,) if notice.replaced else ()
            case Welcome() | Unchanged() | LobbyUpdate() | Pong() | LegacyNotice():
                return ()
            case _:
                if not isinstance(notice, NativeOnly):
                    assert_never(notice)
                return ()

    def _set_socket_id(self, notice: SeatHeld) -> None:
        if notice.room != self._socket_ids_room:
            self._socket_ids, self._socket_ids_room = {}, notice.room
        self._socket_ids[notice.seat] = notice.handle
        self._just_seated = notice.new and notice.handle == self.sid

    def _encode_full_room(self, notice: FullRoom) -> Sequence[bytes]:
        view, you, before = notice.room, notice.you, self._room_state
        if you is None or view.game != GAME:
            return ()
        if before is not None and before.room != view.id:
            self._add_intent(CloseRoom(before.room))
        just_seated, self._just_seated = self._just_seated, False
        room_state = self._room_state = RoomState(view, notice.version, you, self.sid, self._socket_ids)
        if view.phase is Phase.WAITING:
            return (
                (outgoing_messages.waiting(room_state), outgoing_messages.WAITING_HINT)
                if just_seated
                else (outgoing_messages.waiting(room_state),)
            )
        result = view.result
        if view.phase is Phase.CLOSED or (result is not None and result.reason in _OPPONENT_LEFT_REASONS):
            return self._opponent_left(closed=view.phase is Phase.CLOSED)
        for offer in view.offers:
            self._accept_rematch(room_state, offer)
        position: View = view.position
        introduction = (
            outgoing_messages.introduction(room_state.names[other(you)], room_state.names[you])
            if just_seated
            else ()
        )
        start = outgoing_messages.game_start(room_state, position)
        return (
            *introduction,
            start,
            *outgoing_messages.board_moves(room_state, position),
            *_round_end(room_state, position, result),
        )

    def _encode_events(self, room_state: RoomState, events: tuple[Any, ...]) -> Sequence[bytes]:
        frames: list[bytes] = []
        event_types = {type(event) for event in events}
        for event in events:
            if self._room_state is None:
                break
            match event:
                case Marked():
                    move_frames = LAST_MOVE_FRAMES if RoundOver in event_types else MOVE_FRAMES
                    frames += move_frames[event.seat != room_state.x_seat][event.cell]
                case RoundOver():
                    room_state.round_over, room_state.wins, room_state.draws = True, event.wins, event.draws
                    frames.append(
                        outgoing_messages.round_end(
                            room_state, event.winner, event.lines, finished=GameOver in event_types
                        )
                    )
                case RoundBegan():
                    room_state.round_over, room_state.round = False, event.round
                    frames.append(outgoing_messages.game_reset(room_state, event.first))
                case Said():
                    frames.append(
                        outgoing_messages.chat_line(event.line.at, event.line.name, event.line.text)
                    )
                case SeatTaken():
                    room_state.names[event.seat] = name = shown_name(event)
                    frames += outgoing_messages.introduction(room_state.names[room_state.you], name)
                case GameStarted():
                    room_state.phase, room_state.match = Phase.PLAYING, event.match
                    room_state.set_position(event.position)
                    start_frame = (
                        outgoing_messages.game_start
                        if SeatTaken in event_types
                        else outgoing_messages.new_match
                    )
                    frames.append(start_frame(room_state, event.position))
                case OfferMade():
                    self._accept_rematch(room_state, event.offer)
                case GameOver() if event.reason in _OPPONENT_LEFT_REASONS:
                    frames += self._opponent_left(closed=Closed in event_types)
                case GameOver():
                    room_state.phase = Phase.OVER
                    if RoundOver not in event_types:
                        frames.append(
                            outgoing_messages.round_end(room_state, _winner(event.winners), finished=True)
                        )
                case SeatLeft() | Closed():
                    frames += self._opponent_left(closed=Closed in event_types)
        return frames

    def _accept_rematch(self, room_state: RoomState, offer: OfferView) -> None:
        """Accept a rematch: these clients start one without asking."""
        if offer.kind is OfferKind.REMATCH and room_state.you in offer.asked:
            self._add_intent(AnswerOffer(room_state.room, offer.id, yes=True, nonce=Nonce(f"yes {offer.id}")))

    def _opponent_left(self, *, closed: bool) -> Sequence[bytes]:
        """Forget the room and report that the opponent left."""
        room_state, self._room_state = self._room_state, None
        if room_state is not None and not closed:
            self._add_intent(Leave(room_state.room))
        return (outgoing_messages.OPPONENT_LEFT,)

    def _add_intent(self, intent: AnyIntent) -> None:
        self.pending_intents = (*self.pending_intents, intent)


def _winner(winners: tuple[Seat, ...]) -> Seat | None:
    return winners[0] if winners else None


def _round_end(room_state: RoomState, position: View, result: OutcomeView | None) -> tuple[bytes, ...]:
    """Return the `round_end` event of a round that is over when a client enters the room."""
    finished = result is not None
    if position.resting:
        return (outgoing_messages.round_end(room_state, position.taken, position.lines, finished=finished),)
    return (
        ()
        if result is None
        else (outgoing_messages.round_end(room_state, _winner(result.winners), finished=True),)
    )
