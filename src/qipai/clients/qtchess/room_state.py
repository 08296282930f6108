"""State of one room, updated once per change and shared by all chess sockets in it."""

from typing import Any, Final
from weakref import WeakValueDictionary

from qipai.clients.legacy_messages import StartGameWith
from qipai.games.chess.events import Moved
from qipai.games.chess.wire_types import DiceMode, Settings, View
from qipai.kernel.ids import Millis, Nonce, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room import Phase
from qipai.kernel.room_events import (
    Closed,
    GameOver,
    GameStarted,
    HostChanged,
    MoveUndone,
    OfferAnswered,
    OfferEnded,
    OfferMade,
    OptionsChosen,
    SeatLeft,
    SeatTaken,
)
from qipai.kernel.room_view import RoomView
from qipai.kernel.view_values import ClockPlanView, OfferView
from qipai.protocol.notices import RoomEvents

from . import outgoing_messages
from .game_state import BOARD_EVENTS, AddressedFrames, GameState
from .incoming_messages import Fields, RequestType, open_frame
from .start_request import GameStart, parse_start

RESULT_DELAY: Final = Millis(1000)
"""How late a time forfeit is sent."""
_REPORTED_REASONS: Final = frozenset({"resigned", "agreed"})
"""Ends that clients learn from the message that caused them."""
_LATE_REASONS: Final = frozenset({"time", "time_material"})
"""Ends that are sent late: clients call them mate unless their own clock, which runs behind, is at zero."""


class RoomState:
    """The state of one room.

    The first socket that passes a notice applies it; the frames of the last change are kept for the others.
    `sent_frames` are frames that have not taken effect, by seat and nonce: all their fields are relayed.
    `requested_starts` are starts by the host that have not taken effect. `result_sent`: the server sends the
    result itself; if it is sent late, `late_result` is its frame until the next game, and `result_version`
    the version at which the game ended.
    """

    __slots__ = (
        "__weakref__", "_addressed_frames", "_applied_version", "_clock_plan", "_ended_at", "_seats_taken",
        "_sees_hidden", "_single_frame", "code", "game", "host_starts", "late_result", "match",
        "nonce_number", "offers", "options", "phase", "requested_starts", "result", "result_sent",
        "result_version", "room", "sent_frames", "version",
    )  # fmt: skip

    def __init__(self, view: RoomView, you: Seat) -> None:
        self.room: RoomId = view.id
        self.code: str = view.code
        self.host_starts = view.table.legacy.host_starts
        # In a room without a host, the player who was there first.
        other = Seat(1 - you)
        self.game = GameState(self.code, you if view.seats[other] is None else other)
        self.sent_frames: tuple[dict[Nonce, bytes], dict[Nonce, bytes]] = ({}, {})
        self.requested_starts: dict[Nonce, GameStart] = {}
        self.nonce_number = 0
        self._single_frame: tuple[bytes, ...] | None = None
        self._addressed_frames: AddressedFrames = []
        self.result_sent = False
        self.result = ""
        self.late_result = b""
        self.result_version = 0
        self._ended_at = Millis(0)

    def load(self, view: RoomView, version: int) -> None:
        """Replace the state by a whole view."""
        self.version = version
        self._applied_version = -1
        self.options: Settings = view.options
        self._clock_plan: ClockPlanView | None = view.table.clock
        self.phase = view.phase
        self.match = view.match
        self._seats_taken = [taken is not None for taken in view.seats]
        self._sees_hidden = [taken is not None and taken.sees_hidden for taken in view.seats]
        self.offers: dict[OfferKind, OfferView] = {offer.kind: offer for offer in view.offers}
        if self.host_starts:
            self.game.host = view.host
        if view.position is not None:
            self.game.set_position(view.position)
        if view.result is not None:
            self.result = outgoing_messages.result_text(self.game.white, view.result.winners)

    @property
    def host(self) -> Seat:
        """Return the seat of the host."""
        return self.game.host

    def request_start(self, fields: Fields) -> StartGameWith | None:
        """Return the intent of a `startGame` request, or None if it is invalid."""
        start = parse_start(fields, self.host)
        if start is None:
            return None
        nonce = self.new_nonce(RequestType.START.value)
        self.requested_starts[nonce] = start
        return StartGameWith(self.room, start.options, start.clock, start.host_data, nonce)

    def keep_frame(self, seat: Seat, request_type: RequestType, frame: bytes, fields: Fields) -> Nonce:
        """Keep a frame that the opponent is sent when it has taken effect; return its nonce."""
        nonce = self.new_nonce(request_type.value)
        self.sent_frames[seat][nonce] = open_frame(request_type, frame, fields)
        return nonce

    def drop_request(self, seat: Seat, nonce: Nonce) -> bytes | None:
        """Forget a request that has had no effect; return its frame, if one was kept."""
        self.requested_starts.pop(nonce, None)
        return self.sent_frames[seat].pop(nonce, None)

    def new_nonce(self, word: str) -> Nonce:
        """Return a nonce that is used nowhere else in this room, and starts with `word`."""
        self.nonce_number += 1
        return Nonce(f"{word} {self.nonce_number}")

    def relays_unplayed(self, word: str) -> bool:
        """Tell whether a request is relayed when no game is played: a move before the first, a resignation.

        A client whose king stepped on a mine misses the result, and resigns so that both leave the game.
        """
        if word == RequestType.MOVE:
            return not self.match
        return word == RequestType.RESIGN and self.phase is Phase.OVER

    def due_result(self, room: str) -> tuple[bytes, ...]:
        """Return the late result of a room when the reminder is due; none if a new game has started."""
        return (self.late_result,) if self.late_result and room == self.room else ()

    # Changes

    def apply(self, notice: RoomEvents, seat: Seat) -> tuple[bytes, ...] | list[bytes]:
        """Return the frames that report a change to one seat."""
        version = notice.version
        if version != self._applied_version:
            if version <= self.version:
                return ()
            self.version = self._applied_version = version
            events = notice.events
            if len(events) == 1 and type(events[0]) is Moved:
                self._single_frame = (
                    self.game.apply_plain_move(events[0], notice, self._take_sent_frame(notice)),
                )
            else:
                self._single_frame = None
                self._addressed_frames = []
                self._apply_events(notice)
        if self._single_frame is not None:
            return self._single_frame
        return [
            frame for recipient, frame in self._addressed_frames if recipient is None or recipient == seat
        ]

    def _send(self, frame: bytes, recipient: Seat | None = None) -> None:
        self._addressed_frames.append((recipient, frame))

    def _take_sent_frame(self, notice: RoomEvents) -> bytes | None:
        """Return the frame that caused this, without its closing brace, if a client here sent it."""
        seat = notice.seat
        return None if seat is None else self.sent_frames[seat].pop(notice.nonce, None)

    def _apply_events(self, notice: RoomEvents) -> None:
        frame = self._take_sent_frame(notice)
        event_types = {type(event) for event in notice.events}
        if not event_types.isdisjoint(BOARD_EVENTS):
            increment = 0 if self._clock_plan is None else self._clock_plan.increment
            self._addressed_frames += self.game.apply(notice, frame, increment)
        for event in notice.events:
            match event:
                case OfferMade() | OfferAnswered() | OfferEnded():
                    self._apply_offer_event(event, notice, frame)
                case GameOver():
                    self._end_game(event, notice, frame, event_types)
                case _:
                    self._apply_room_event(event, notice)

    def _apply_room_event(self, event: Any, notice: RoomEvents) -> None:
        """Apply events about seats, the host, options, the start of a game and the end of the room."""
        match event:
            case SeatTaken():
                if not self._seats_taken[event.seat]:
                    self._send(outgoing_messages.message("playerJoined", self.code))
                self._seats_taken[event.seat] = True
                self._sees_hidden[event.seat] = event.sees_hidden
                if self.phase is Phase.OVER:
                    self.phase = Phase.WAITING
            case SeatLeft():
                self._seats_taken[event.seat] = self._sees_hidden[event.seat] = False
                if self.late_result and notice.at < self._ended_at + RESULT_DELAY:
                    self._send(self.late_result)
                self.late_result = b""
                self._send(outgoing_messages.message("playerLeft", self.code))
                if event.seat == self.host and not self.host_starts:
                    self._set_host(Seat(1 - event.seat))
            case HostChanged() if self.host_starts:
                self._set_host(event.seat)
            case OptionsChosen():
                self.options, self._clock_plan = event.options, event.clock
            case GameStarted():
                self._start_game(event, notice)
            case MoveUndone():
                self.game.set_position(event.position)
            case Closed():
                self.phase = Phase.CLOSED

    def _set_host(self, seat: Seat) -> None:
        self.game.host = seat
        if self._seats_taken[seat]:
            self._send(outgoing_messages.message("promotedToHost", self.code), seat)

    def _start_game(self, started: GameStarted, notice: RoomEvents) -> None:
        start = self.requested_starts.pop(notice.nonce, None)
        self.phase, self.match = Phase.PLAYING, started.match
        self.result_sent, self.result, self.late_result = False, "", b""
        self.offers.clear()
        self.game.set_position(started.position)
        for frame in self.start_frames(started.position, notice.at, start):
            self._send(frame)

    def start_frames(self, position: View, now: Millis, start: GameStart | None = None) -> list[bytes]:
        """Return the frames of the start of a game; `start` is the request of a client here."""
        modes, minefield = outgoing_messages.game_modes(self.options), position.minefield
        mines = outgoing_messages.mine_positions(() if minefield is None else minefield.all)
        if start is not None:
            modes, mines = start.modes, start.mines
        free = self.options.dice is DiceMode.FREE
        return self.game.start_frames(position, self._clock_plan, modes, mines, now, free=free)

    def _end_game(
        self, game_over: GameOver, notice: RoomEvents, frame: bytes | None, event_types: set[type]
    ) -> None:
        self.phase = Phase.OVER
        self.result = outgoing_messages.result_text(self.game.white, game_over.winners)
        self.offers.clear()
        if game_over.reason == "resigned" and notice.seat is not None:
            frame_to_send = (
                outgoing_messages.message(RequestType.RESIGN, self.code) if frame is None else frame + b"}"
            )
            self._send(frame_to_send, Seat(1 - notice.seat))
        elif game_over.reason not in _REPORTED_REASONS and SeatLeft not in event_types:
            self.result_sent = True
            result_frame = outgoing_messages.message(RequestType.OVER, self.code, result=self.result)
            if game_over.reason in _LATE_REASONS:
                self.late_result, self.result_version = result_frame, notice.version
                self._ended_at = notice.at
            else:
                self._send(result_frame)

    # Offers: clients know only those of a draw

    def _apply_offer_event(
        self, event: OfferMade | OfferAnswered | OfferEnded, notice: RoomEvents, frame: bytes | None
    ) -> None:
        match event:
            case OfferMade(offer=offer):
                self.offers[offer.kind] = offer
                if offer.kind is OfferKind.DRAW:
                    frame_to_send = (
                        outgoing_messages.message(RequestType.OFFER, self.code)
                        if frame is None
                        else frame + b"}"
                    )
                    self._send(frame_to_send, Seat(1 - offer.seat))
            case OfferAnswered():
                self.offers.pop(event.kind, None)
                if event.kind is OfferKind.DRAW:
                    self._report_answer(event, notice, frame)
            case OfferEnded():
                ended_offer = next((each for each in self.offers.values() if each.id == event.offer), None)
                if ended_offer is None:
                    return
                del self.offers[ended_offer.kind]
                if ended_offer.kind is OfferKind.DRAW and not self._sees_hidden[1 - ended_offer.seat]:
                    # Native clients decline by moving; these clients wait for an answer.
                    self._send(
                        outgoing_messages.message(RequestType.ANSWER, self.code, accepted=False),
                        ended_offer.seat,
                    )

    def _report_answer(self, event: OfferAnswered, notice: RoomEvents, frame: bytes | None) -> None:
        answer = outgoing_messages.message(RequestType.ANSWER, self.code, accepted=event.yes)
        both_offered = notice.nonce.startswith(RequestType.OFFER)
        if both_offered and frame is not None:
            # Both have offered: neither client knows yet that the offer was accepted.
            self._send(answer)
        else:
            self._send(answer if frame is None else frame + b"}", Seat(1 - event.seat))


class RoomStates:
    """The rooms that clients of this server are in, each once."""

    def __init__(self) -> None:
        self._rooms: WeakValueDictionary[RoomId, RoomState] = WeakValueDictionary()

    def get(self, view: RoomView, you: Seat) -> RoomState:
        """Return the shared state of a room; a new one if no socket uses it."""
        room_state = self._rooms.get(view.id)
        if room_state is None:
            room_state = self._rooms[view.id] = RoomState(view, you)
        return room_state
