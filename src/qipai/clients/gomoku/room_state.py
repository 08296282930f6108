"""State of one room, updated once per change and shared by all gomoku sockets in it."""

from typing import Any, Final

from qipai.clients.legacy_messages import SpectatorNames
from qipai.games.gomoku.wire_types import OTHER, FiveInRow, Placed, View
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room import Phase
from qipai.kernel.room_events import (
    Closed,
    Disconnected,
    GameOver,
    GameStarted,
    MoveUndone,
    OfferAnswered,
    OfferEnded,
    OfferMade,
    Reconnected,
    Said,
    SeatLeft,
    SeatTaken,
    SidesSwapped,
)
from qipai.kernel.room_view import ClockView, RoomView
from qipai.kernel.view_values import OfferView
from qipai.protocol.bot_mark import shown_name
from qipai.protocol.notices import RoomEvents

from . import outgoing_messages
from .errors import RoomStatus
from .room_json import RoomJson

_PLAYERS: Final = (Seat(0), Seat(1))
OFFER_EVENTS: Final = {
    OfferKind.UNDO: "undo-requested",
    OfferKind.SWAP: "swap-requested",
    OfferKind.REMATCH: "rematch-requested",
}
SECOND: Final = 1_000
_STONE_REASONS: Final = frozenset({"five", "full"})
_LEFT: Final = "left"
_TURN_EVENTS: Final = frozenset({Placed, GameStarted, MoveUndone, SidesSwapped})
"""Events after which the timer of a turn starts."""

Recipients = tuple[Seat, ...] | None
"""The seats that receive an event; None: everybody in the room."""


class RoomState:
    """The state of one room.

    The first socket that passes a notice applies it; the frames of the last change are kept for the others.
    """

    __slots__ = (
        "__weakref__", "_addressed_frames", "_applied_version", "_changed_at", "_last_spectators",
        "_room_changed", "_single_frame", "_spectator_frames", "_spectator_version", "_timer_frame",
        "_undo_limit", "_undone_by", "_undos", "code", "offers", "room", "room_json", "turn_limit", "version",
    )  # fmt: skip

    def __init__(self, view: RoomView, undo_limit: int = 0) -> None:
        self.room = view.id
        self.code = view.code
        plan = view.table.clock
        self.turn_limit = 0 if plan is None else plan.move
        names = [None if taken is None else shown_name(taken) for taken in view.seats]
        self.room_json = RoomJson(view.code, view.table.title or outgoing_messages.default_title(names))
        self.offers: dict[OfferKind, OfferView] = {}
        self._undo_limit = undo_limit
        self._undos = [0, 0]
        """Undos of each seat in this game."""
        self._undone_by = Seat(0)
        self.version = 0
        self._changed_at = Millis(0)
        self._applied_version = self._spectator_version = -1
        self._last_spectators: tuple[SpectatorNames | None, tuple[bytes, ...]] = (None, ())
        self._clear()

    def _clear(self) -> None:
        self._single_frame: bytes | None = None
        self._addressed_frames: list[tuple[Recipients, bytes]] = []
        self._spectator_frames: list[bytes] = []
        self._room_changed = False
        self._timer_frame: bytes | None = None

    @property
    def phase(self) -> Phase:
        """Return the phase of the room."""
        return self.room_json.phase

    def load(self, view: RoomView, version: int, *, spectator: bool) -> None:
        """Replace the state by a whole view."""
        self.version = version
        self._applied_version = -1
        self.offers = {offer.kind: offer for offer in view.offers}
        self._undos = list(view.undos or (0, 0))
        room_json, position = self.room_json, view.position
        room_json.phase = view.phase
        room_json.names = [None if taken is None else shown_name(taken) for taken in view.seats]
        room_json.disconnected = [taken is not None and taken.disconnected for taken in view.seats]
        room_json.black = Seat(0) if position is None else position.black
        winners = () if view.result is None else view.result.winners
        room_json.winner = room_json.color_number(winners[0]) if winners else 0
        reason = "" if view.phase is not Phase.OVER or view.result is None else view.result.reason
        room_json.ended_by_stone = reason in _STONE_REASONS
        room_json.ended_by_leaving = reason == _LEFT
        room_json.load_chat(view.chat, spectator=spectator)
        # A room that waits again for a second player shows an empty board.
        room_json.set_moves(() if position is None or view.phase is Phase.WAITING else position.moves)

    def status(self, seat: Seat | None) -> RoomStatus:
        """Return what the error checks read, for one seat or a spectator."""
        room_json, other = self.room_json, None if seat is None else OTHER[seat]
        opponent_connected = (
            other is not None and room_json.names[other] is not None and not room_json.disconnected[other]
        )
        turn = OTHER[room_json.black] if room_json.stone_count & 1 else room_json.black
        return RoomStatus(
            room_json.phase, room_json.stone_count, turn, seat, opponent_connected, room_json.waits_again
        )

    def turn_timer(self, clock: ClockView | None = None) -> bytes | None:
        """Return the event that starts the timer of the turn, None without a time limit.

        With a clock it has the time that remains.
        """
        if not self.turn_limit or self.room_json.phase is not Phase.PLAYING:
            return None
        remaining = self.turn_limit
        if clock is not None:
            turn_started = max(
                (started_at for started_at in clock.since if started_at is not None), default=clock.at
            )
            # Clients count whole seconds: round up.
            remaining = -(-max(0, remaining - (clock.at - turn_started)) // SECOND) * SECOND
        return outgoing_messages.turn_timer(remaining, 1 + (self.room_json.stone_count & 1))

    def set_spectators(self, notice: SpectatorNames, seat: Seat | None) -> tuple[bytes, ...]:
        """Return the events that report spectators who entered or left."""
        if notice is not self._last_spectators[0]:
            changed = self.room_json.set_spectators(notice.names)
            if not changed and not notice.came and not notice.gone:
                return ()
            entered = (outgoing_messages.player_joined(notice.came, "watcher"),) if notice.came else ()
            left = (outgoing_messages.player_left(notice.gone),) if notice.gone else ()
            self._last_spectators = (notice, (*entered, *left))
        return (*self._last_spectators[1], self.room_json.room_updated(seat))

    # Changes

    def apply(self, notice: RoomEvents, seat: Seat | None) -> tuple[bytes, ...] | list[bytes]:
        """Return the events that report a change to one seat or a spectator."""
        version = notice.version
        if version != self._applied_version:
            if version <= self.version:
                return ()
            self.version = self._applied_version = version
            self._changed_at = notice.at
            self._apply_events(notice.events)
        if self._single_frame is not None:
            return (self._single_frame, self.room_json.room_updated(seat))
        if seat is None and version != self._spectator_version:
            self._add_spectator_chat(notice)
        frames = [
            frame for recipients, frame in self._addressed_frames if recipients is None or seat in recipients
        ]
        if seat is None:
            frames += self._spectator_frames
        if self._room_changed:
            frames.append(self.room_json.room_updated(seat))
        if self._timer_frame is not None:
            frames.append(self._timer_frame)
        return frames

    def _apply_events(self, events: tuple[Any, ...]) -> None:
        if len(events) == 1 and type(events[0]) is Placed and not self.turn_limit:
            self._single_frame = self._place_stone(events[0])
            return
        self._clear()
        event_types = {type(event) for event in events}
        winning_line: tuple[int, ...] = ()
        game_over: GameOver | None = None
        for event in events:
            match event:
                case Placed():
                    self._send(self._place_stone(event))
                    self._room_changed = True
                case FiveInRow():
                    winning_line = event.cells
                case GameOver():
                    game_over = event
                case OfferMade():
                    self._make_offer(event.offer)
                case OfferAnswered() | OfferEnded():
                    self._end_offer(event, event_types)
                case Said():
                    if not event.line.spectators_only:
                        self._send(self.room_json.add_chat_line(event.line))
                case _:
                    self._apply_room_event(event, event_types)
        if game_over is not None:
            self._end_game(game_over, winning_line, closed=Closed in event_types)
        if self._room_changed:
            self.room_json.invalidate()
        if event_types & _TURN_EVENTS:
            self._timer_frame = self.turn_timer()

    def _send(self, frame: bytes, recipients: Recipients = None) -> None:
        self._addressed_frames.append((recipients, frame))

    def _place_stone(self, stone: Placed) -> bytes:
        return self.room_json.place_stone(stone.seat != self.room_json.black, stone.x, stone.y)

    def _end_game(self, over: GameOver, winning_line: tuple[int, ...], *, closed: bool) -> None:
        room_json = self.room_json
        room_json.phase = Phase.CLOSED if closed else Phase.OVER
        room_json.winner = room_json.color_number(over.winners[0]) if over.winners else 0
        room_json.ended_by_stone = over.reason in _STONE_REASONS
        room_json.ended_by_leaving = over.reason == _LEFT
        self.offers.clear()
        self._send(outgoing_messages.game_over(room_json.winner, over.reason, winning_line))
        self._room_changed = True

    def _apply_room_event(self, event: Any, event_types: set[type]) -> None:
        """Apply events about seats, the start of a game, the board and the end of the room."""
        room_json = self.room_json
        match event:
            case SeatTaken():
                is_new = room_json.names[event.seat] is None
                if is_new:
                    self._send(outgoing_messages.player_joined(shown_name(event), room_json.role(event.seat)))
                room_json.names[event.seat] = shown_name(event)
                if is_new and room_json.phase is Phase.OVER and None in room_json.names:
                    room_json.phase, room_json.ended_by_stone = Phase.WAITING, False
                    room_json.set_moves(())
            case SeatLeft():
                self._send(outgoing_messages.player_left(room_json.names[event.seat] or ""))
                room_json.names[event.seat] = None
                room_json.disconnected[event.seat] = False
            case GameStarted():
                room_json.phase, room_json.ended_by_stone = Phase.PLAYING, False
                self.offers.clear()
                self._undos = [0, 0]
                self._set_position(event.position)
                if OfferAnswered in event_types:
                    for seat in _PLAYERS:
                        self._send(outgoing_messages.rematch_start(room_json.role(seat)), (seat,))
            case MoveUndone():
                self._set_position(event.position)
                remaining = self._remaining_undos(self._undone_by)
                self._send(outgoing_messages.undo_result(room_json.board, remaining, accepted=True))
            case SidesSwapped():
                self._set_position(event.position)
                self._send(outgoing_messages.swap_result(accepted=True), _PLAYERS)
            case Disconnected() | Reconnected():
                gone = isinstance(event, Disconnected)
                if gone is not room_json.disconnected[event.seat]:
                    name = self.player_name(event.seat)
                    self._send(outgoing_messages.presence_line(self._changed_at, name, gone=gone))
                room_json.disconnected[event.seat] = gone
            case Closed():
                room_json.phase = Phase.CLOSED
            case _:
                return
        self._room_changed = True

    def _set_position(self, position: View) -> None:
        self.room_json.black = position.black
        self.room_json.set_moves(position.moves)

    # Offers

    def _make_offer(self, offer: OfferView) -> None:
        self.offers[offer.kind] = offer
        if offer.kind is OfferKind.REMATCH:
            self._send(outgoing_messages.REMATCH_WAITING, (offer.seat,))
        if offer.kind in OFFER_EVENTS:
            self._send(self.offer_frame(offer), offer.asked)

    def offer_frame(self, offer: OfferView) -> bytes:
        """Return the event that asks the opponent; with a limit, how many undos are left after this one."""
        remaining = self._remaining_undos(offer.seat) if offer.kind is OfferKind.UNDO else None
        after = None if remaining is None else remaining - 1
        return outgoing_messages.offer_event(OFFER_EVENTS[offer.kind], self.player_name(offer.seat), after)

    def has_undos_left(self, seat: Seat) -> bool:
        """Tell whether a player may ask for another undo in this game."""
        return self._remaining_undos(seat) != 0

    def _remaining_undos(self, seat: Seat) -> int | None:
        """Return how many undos a player has left in this game, None without a limit."""
        return max(0, self._undo_limit - self._undos[seat]) if self._undo_limit else None

    def _end_offer(self, event: OfferAnswered | OfferEnded, event_types: set[type]) -> None:
        """Remove an offer that was answered or ended, and report it."""
        offer = next((offer for offer in self.offers.values() if offer.id == event.offer), None)
        if offer is None:
            return
        del self.offers[offer.kind]
        if isinstance(event, OfferEnded):
            if offer.kind is OfferKind.REMATCH and SeatLeft in event_types:
                # The page of the player who stays has a dialog open, no matter which of the two has asked.
                self._send(outgoing_messages.OPPONENT_LEFT_REMATCH, _PLAYERS)
            elif offer.kind is OfferKind.REMATCH:
                self._send(
                    outgoing_messages.offer_event("rematch-cancelled", self.player_name(offer.seat)),
                    offer.asked,
                )
        elif not event.yes:
            self._decline_offer(offer, event.seat)
        elif offer.kind is OfferKind.UNDO:
            self._undone_by = offer.seat
            self._undos[offer.seat] += 1

    def _decline_offer(self, offer: OfferView, by: Seat) -> None:
        match offer.kind:
            case OfferKind.UNDO:
                self._send(outgoing_messages.undo_result(self.room_json.board, accepted=False))
            case OfferKind.SWAP:
                self._send(outgoing_messages.swap_result(accepted=False), _PLAYERS)
            case OfferKind.REMATCH:
                self._send(
                    outgoing_messages.offer_event("rematch-cancelled", self.player_name(by)), (offer.seat,)
                )
            case OfferKind.DRAW:
                pass

    def player_name(self, seat: Seat) -> str:
        """Return the name of the player in a seat."""
        return self.room_json.names[seat] or ""

    def _add_spectator_chat(self, notice: RoomEvents) -> None:
        """Add chat lines that only spectators may read."""
        self._spectator_version = notice.version
        for event in notice.events:
            if isinstance(event, Said) and event.line.spectators_only:
                self._spectator_frames.append(self.room_json.add_chat_line(event.line))
