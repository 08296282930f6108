"""The qtchess dialect, one object per socket: frames to intents, notices to frames.

Of the game it knows the moves, events, views and settings of `games.chess.wire_types`.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, assert_never

from msgspec import UNSET

from qipai.clients.legacy_messages import (
    BecomeGuest,
    JoinOrWatch,
    NoteRelayed,
    RelayNote,
    ReminderDue,
    SetReminder,
)
from qipai.clients.sanctions import qtchess_messages
from qipai.kernel.ids import Millis, Nonce, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import CLOSED, Phase
from qipai.kernel.view_values import LegacyTableRulesView, TableRulesView
from qipai.protocol.dialect_interface import (
    AnyIntent,
    AnyNotice,
    CloseRoom,
    LegacyNotice,
    PlayDecoded,
    SeatHeld,
)
from qipai.protocol.intents import AnswerOffer, Leave, MakeOffer, OpenRoom, Resign
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

from . import claim_checks, errors, outgoing_messages
from .board_coordinates import MOVES, FastMove, parse_fast_move, parse_move, promotion_move
from .dice_requests import parse_dice, parse_roll
from .errors import ERROR_FRAMES, ERROR_REFUSALS, ClientError
from .incoming_messages import (
    MAX_ROOM_LENGTH,
    Fields,
    RequestType,
    is_about_room,
    open_frame,
    parse_fields,
    relayed_frame,
    request_type_of,
)
from .pending_requests import IDLE, DeferredFrames, PendingRequest
from .room_state import RESULT_DELAY, RoomState, RoomStates

GAME: Final = "chess"
TABLE_RULES: Final = TableRulesView(legacy=LegacyTableRulesView(host_starts=True))
_AFTER_LEAVE: Final = "after leave"
"""Action of a deferred frame that enters a room once the present one is left."""
_NONCE_COUNT: Final = 1024
_MOVE_NONCES: Final = tuple(Nonce(f"{RequestType.MOVE.value} {number}") for number in range(_NONCE_COUNT))
"""Nonces of moves are reused: far fewer moves of a seat are in progress or remembered at any time."""


class QtChess:
    """The dialect of one socket, which is in at most one room."""

    __slots__ = (
        "_deferred", "_relayed_match", "_request", "_room_state", "_room_states", "_seat", "pending_intents",
    )  # fmt: skip

    reconnect_grace = Millis(0)
    hides_disconnects = True
    sees_hidden = True
    lobby_chat = ""
    encoding_key = None

    def __init__(self, room_states: RoomStates) -> None:
        self.pending_intents: Sequence[AnyIntent] = ()
        self._room_states = room_states
        self._room_state: RoomState | None = None
        self._seat = Seat(0)
        self._request = PendingRequest.NONE
        self._deferred = DeferredFrames()
        self._relayed_match = 0
        """The last match whose result this client's claim has relayed."""

    def on_disconnect(self) -> Sequence[AnyIntent]:
        """Return the intent that leaves the room: these clients do not reconnect."""
        room_state, leaving = self._room_state, self._request is PendingRequest.LEAVE
        self._forget_room()
        return () if room_state is None or leaving else (Leave(room_state.room),)

    # Frames to intents

    def counts_for_rate_limit(self, frame: bytes) -> bool:
        """Tell whether the frame counts for the rate limit: it would be answered, or have an effect."""
        return (fields := parse_fields(frame)) is None or request_type_of(fields) is not None

    def decode(self, frame: bytes) -> Sequence[AnyIntent]:
        """Return the intents of a frame; none for an unknown action."""
        room_state = self._room_state
        if (
            room_state is not None
            and room_state.match
            and self._request is IDLE
            and (move := parse_fast_move(frame, room_state.code))
        ):
            return self._play(room_state, move, frame[:-1])
        if (fields := parse_fields(frame)) is None:
            return ERROR_REFUSALS[ClientError.FORMAT]
        if fields.get("action") == "move" and self._request is IDLE:
            return self._decode_move(room_state, frame, fields)
        if (request_type := request_type_of(fields)) is None:
            return ()
        if self._request is not IDLE:
            return self._deferred.defer(request_type, frame)
        if request_type is RequestType.JOIN and not (isinstance(fields.get("room"), str) and fields["room"]):
            return ERROR_REFUSALS[ClientError.NUMBER]
        if request_type is RequestType.CREATE or request_type is RequestType.JOIN:
            return self._enter_room(request_type, frame, fields)
        if room_state is None or not is_about_room(fields, room_state.code):
            return ()
        return self._decode_in_room(room_state, request_type, frame, fields)

    def _decode_move(self, room_state: RoomState | None, frame: bytes, fields: Fields) -> Sequence[AnyIntent]:
        if room_state is None or not is_about_room(fields, room_state.code):
            return ERROR_REFUSALS[ClientError.OUTSIDE]
        move = parse_move(fields, room_state.code)
        if isinstance(move, ClientError):
            return ERROR_REFUSALS[move]
        if not room_state.match and not room_state.requested_starts:
            # Before the first game, moves are relayed unchecked.
            return (RelayNote(room_state.room, relayed_frame(RequestType.MOVE, frame, fields)),)
        return self._play(room_state, move, open_frame(RequestType.MOVE, frame, fields))

    def _play(self, room_state: RoomState, move: FastMove, sent_frame: bytes) -> Sequence[AnyIntent]:
        """Return the intent of a move; both players receive `sent_frame`, with the clock added to it."""
        cell = move.from_row << 9 | move.from_col << 6 | move.to_row << 3 | move.to_col
        play, promotion = MOVES[cell], move.promotion
        if promotion is not None and promotion is not UNSET:
            play = promotion_move(cell, promotion, unchecked=room_state.options.unchecked_moves)
        room_state.nonce_number = number = room_state.nonce_number + 1
        nonce = _MOVE_NONCES[number % _NONCE_COUNT]
        room_state.sent_frames[self._seat][nonce] = sent_frame
        return (PlayDecoded(room_state.room, play, nonce),)

    def _enter_room(self, request_type: RequestType, frame: bytes, fields: Fields) -> Sequence[AnyIntent]:
        """Return the intents that enter a room; a room the socket is in is left first."""
        if self._room_state is not None:
            return (*self._leave(self._room_state.room), *self._deferred.defer(_AFTER_LEAVE, frame))
        if request_type is RequestType.JOIN:
            self._request = PendingRequest.JOIN
            return BecomeGuest(), JoinOrWatch(fields["room"][: MAX_ROOM_LENGTH + 1], GAME)
        self._request = PendingRequest.CREATE
        nonce = Nonce(f"{RequestType.CREATE.value} {self._deferred.next_number()}")
        return BecomeGuest(), OpenRoom(GAME, nonce, table=TABLE_RULES, seat=0)

    def _leave(self, room: RoomId) -> Sequence[AnyIntent]:
        self._request = PendingRequest.LEAVE
        return (Leave(room),)

    def _decode_in_room(
        self, room_state: RoomState, request_type: RequestType, frame: bytes, fields: Fields
    ) -> Sequence[AnyIntent]:
        room = room_state.room
        keep = partial(room_state.keep_frame, self._seat, request_type, frame, fields)
        match request_type:
            case RequestType.LEAVE:
                return self._leave(room)
            case RequestType.START:
                start = room_state.request_start(fields)
                return () if start is None else (start,)
            case RequestType.REQUEST_DICE:
                roll = parse_roll(fields.get("numMovablePieces"))
                return (PlayDecoded(room, roll, room_state.new_nonce(request_type.value)),)
            case RequestType.SET_DICE:
                dice = parse_dice(fields.get("dice"))
                return () if dice is None else (PlayDecoded(room, dice, keep()),)
            case RequestType.RESIGN:
                return (Resign(room, keep()),)
            case RequestType.OFFER:
                return (MakeOffer(room, OfferKind.DRAW, keep()),)
            case RequestType.ANSWER:
                offer, accepted = room_state.offers.get(OfferKind.DRAW), fields.get("accepted")
                if offer is None or type(accepted) is not bool:
                    return ()
                return (AnswerOffer(room, offer.id, accepted, keep()),)
            case RequestType.OVER | RequestType.INTERRUPTED | RequestType.RESOLVED:
                # A claim can be checked only when the moves before it have been made.
                return self._deferred.defer(request_type.value, frame)
        return ()

    # Notices to frames

    def encode(self, notice: AnyNotice) -> Sequence[bytes]:
        """Return the frames that report a notice to this client."""
        if isinstance(notice, RoomEvents):
            room_state = self._room_state
            if room_state is None or notice.room != room_state.room:
                return ()
            frames = room_state.apply(notice, self._seat)
            if room_state.offers or room_state.late_result or room_state.phase is CLOSED:
                self._after_events(room_state)
            return frames
        if isinstance(notice, OperatorNotice):
            return qtchess_messages.frames(notice)
        match notice:
            case FullRoom():
                return self._encode_full_room(notice)
            case Refused():
                return self._encode_refusal(notice)
            case Left():
                if self._is_in(notice.room):
                    self._forget_room()
                return ()
            case NoteRelayed():
                return (notice.note,) if self._is_in(notice.room) else ()
            case ReminderDue():
                return () if self._room_state is None else self._room_state.due_result(notice.about)
            case Unchanged():
                if self._room_state is not None:
                    self._room_state.drop_request(self._seat, notice.nonce)
                return ()
            case Welcome() | LobbyUpdate() | Pong() | SeatHeld() | LegacyNotice():
                return ()
            case _:
                if not isinstance(notice, NativeOnly):
                    assert_never(notice)
                return ()

    def _after_events(self, room_state: RoomState) -> None:
        """Set the reminder for a late result; answer offers that these clients cannot.

        Undo is declined, a rematch accepted unless they host.
        """
        if room_state.phase is Phase.CLOSED:
            self._forget_room()
            return
        if room_state.late_result and room_state.version == room_state.result_version:
            self._add_intents(SetReminder(RESULT_DELAY, room_state.room))
        for kind, offer in room_state.offers.items():
            if kind is OfferKind.DRAW or self._seat not in offer.asked:
                continue
            accept = kind is OfferKind.REMATCH
            if not accept or not room_state.host_starts or room_state.host != self._seat:
                nonce = Nonce(f"{kind.value} {offer.id}")
                self._add_intents(AnswerOffer(room_state.room, offer.id, accept, nonce))

    def _encode_full_room(self, notice: FullRoom) -> Sequence[bytes]:
        view, request = notice.room, self._request
        if notice.you is None or view.game != GAME:
            self._add_intents(CloseRoom(view.id))
            return ()
        self._request = PendingRequest.NONE
        room_state = self._room_state = self._room_states.get(view, notice.you)
        self._seat = notice.you
        room_state.load(view, notice.version)
        if view.phase is Phase.CLOSED:
            self._forget_room()
        match request:
            case PendingRequest.CREATE:
                return (outgoing_messages.message("roomCreated", room_state.code),)
            case PendingRequest.JOIN:
                frames = [outgoing_messages.message("joinedRoom", room_state.code)]
                if room_state.host == notice.you:
                    frames.append(outgoing_messages.message("promotedToHost", room_state.code))
                if view.phase is Phase.PLAYING:
                    frames += room_state.start_frames(view.position, notice.at)
                return frames
            case _:
                return ()

    def _encode_refusal(self, notice: Refused) -> Sequence[bytes]:
        code, nonce, room_state = notice.code, notice.nonce, self._room_state
        word, _, error_value = nonce.partition(" ")
        if word == errors.NONCE_WORD:
            return (ERROR_FRAMES[ClientError(error_value)],)
        if code is Refusal.RATE_LIMITED:
            return (ERROR_FRAMES[ClientError.TOO_FAST],)
        if nonce in self._deferred:
            return self._decode_deferred(*self._deferred.pop(nonce))
        if not nonce or word == RequestType.CREATE:
            return self._encode_room_refusal(code)
        frame = None if room_state is None else room_state.drop_request(self._seat, Nonce(nonce))
        if code is Refusal.NOT_PLAYING and frame and room_state and room_state.relays_unplayed(word):
            self._add_intents(RelayNote(room_state.room, frame + b"}"))
        by_refusal = errors.MOVE_ERRORS if word == RequestType.MOVE else errors.OTHER_ERRORS
        return errors.error_frames(by_refusal[code])

    def _encode_room_refusal(self, code: Refusal) -> Sequence[bytes]:
        """Return the error for a room that was not entered; a room that cannot be left is forgotten."""
        request, self._request = self._request, PendingRequest.NONE
        if request is PendingRequest.LEAVE:
            if code is not Refusal.UNAVAILABLE:
                self._forget_room()
            return ()
        by_refusal = errors.OTHER_ERRORS if request is PendingRequest.NONE else errors.ENTRY_ERRORS
        return errors.error_frames(by_refusal[code])

    def _decode_deferred(self, action: str, frame: bytes) -> Sequence[bytes]:
        """Decode a frame now that everything before it has taken effect."""
        fields, room_state = parse_fields(frame), self._room_state
        assert fields is not None
        if action == _AFTER_LEAVE and room_state is not None:
            # The room could not be left: another attempt would repeat without end.
            return (ERROR_FRAMES[ClientError.UNAVAILABLE],)
        if self._request is not PendingRequest.NONE or action not in claim_checks.CLAIMS:
            self._add_intents(*self.decode(frame))
            return ()
        if room_state is None or not is_about_room(fields, room_state.code):
            return ()
        note, is_result = (
            claim_checks.claim_note(room_state, action, frame, fields),
            action == RequestType.OVER,
        )
        if note is None or (is_result and self._relayed_match == room_state.match):
            return ()
        self._relayed_match = room_state.match if is_result else self._relayed_match
        self._add_intents(RelayNote(room_state.room, note))
        return () if is_result else (note,)

    def _is_in(self, room: RoomId) -> bool:
        return self._room_state is not None and self._room_state.room == room

    def _forget_room(self) -> None:
        self._room_state = None
        self._request = PendingRequest.NONE

    def _add_intents(self, *intents: AnyIntent) -> None:
        self.pending_intents = (*self.pending_intents, *intents)


def qtchess() -> Callable[[], QtChess]:
    """Return a factory of dialects; the sockets of one factory share the state of rooms."""
    room_states = RoomStates()
    return lambda: QtChess(room_states)
