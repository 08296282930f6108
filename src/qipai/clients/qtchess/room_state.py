"""A room as all clients in it are told of it: whoever of them is told first turns the page for all."""

from typing import Any, Final
from weakref import WeakValueDictionary

from qipai.games.chess.wire_types import DiceMode, Moved, Settings, View
from qipai.kernel.clock import ClockPlan
from qipai.kernel.ids import Millis, Nonce, RoomId, Seat
from qipai.kernel.offers import Offer, OfferKind
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
from qipai.protocol.notices import RoomEvents

from . import outgoing_messages
from .game_state import BOARD, GameState, Said
from .incoming_messages import RequestType
from .start_request import GameStart

_SAID: Final = frozenset({"resigned", "agreed"})
"""Ends of which clients hear by the message that brought them about."""


class RoomState:
    """Follows a room, once for each change, and knows what the last one tells to whom.

    `sent` are frames on their way, by seat and nonce: the answer keeps all that was sent. `starts` is how
    the host wanted games that have not begun yet. `announced`: we have told the result ourselves.
    """

    __slots__ = (
        "__weakref__",
        "_chairs",
        "_followed",
        "_plan",
        "_seers",
        "_simple",
        "_told",
        "announced",
        "code",
        "game",
        "hosted",
        "match",
        "number",
        "offers",
        "options",
        "phase",
        "result",
        "room",
        "sent",
        "starts",
        "version",
    )  # fmt: skip

    def __init__(self, view: RoomView, you: Seat) -> None:
        self.room: RoomId = view.id
        self.code: str = view.code
        self.hosted = view.table.legacy.host_starts
        # At a table without a host it is whoever was there first.
        other = Seat(1 - you)
        self.game = GameState(self.code, you if view.seats[other] is None else other)
        self.sent: tuple[dict[Nonce, bytes], dict[Nonce, bytes]] = ({}, {})
        self.starts: dict[Nonce, GameStart] = {}
        self.number = 0
        self._simple: tuple[bytes, ...] | None = None
        self._told: Said = []
        self.announced = False
        self.result = ""

    def show(self, view: RoomView, version: int) -> None:
        """Take a whole view over."""
        self.version = version
        self._followed = -1
        self.options: Settings = view.options
        self._plan: ClockPlan | None = view.table.clock
        self.phase = view.phase
        self.match = view.match
        self._chairs = [taken is not None for taken in view.seats]
        self._seers = [taken is not None and taken.sees_hidden for taken in view.seats]
        self.offers: dict[OfferKind, Offer] = {offer.kind: offer for offer in view.offers}
        if self.hosted:
            self.game.host = view.host
        if view.position is not None:
            self.game.lay(view.position)
        if view.result is not None:
            self.result = outgoing_messages.result(self.game.white, view.result.winners)

    @property
    def host(self) -> Seat:
        """Return the seat that begins each game."""
        return self.game.host

    def once(self, word: str) -> Nonce:
        """Return a nonce that is used nowhere else in this room, and says what it is for."""
        self.number += 1
        return Nonce(f"{word} {self.number}")

    # Changes

    def follow(self, notice: RoomEvents, seat: Seat) -> tuple[bytes, ...] | list[bytes]:
        """Return what somebody in the room is told of a change."""
        version = notice.version
        if version != self._followed:
            if version <= self.version:
                return ()
            self.version = self._followed = version
            events = notice.events
            if len(events) == 1 and type(events[0]) is Moved:
                self._simple = (self.game.plainly(events[0], notice, self._taken(notice)),)
            else:
                self._simple = None
                self._told = []
                self._turn(notice)
        if self._simple is not None:
            return self._simple
        return [frame for to, frame in self._told if to is None or to == seat]

    def _tell(self, frame: bytes, to: Seat | None = None) -> None:
        self._told.append((to, frame))

    def _taken(self, notice: RoomEvents) -> bytes | None:
        """Return the frame that brought this about, less its closing brace, if a client here sent it."""
        seat = notice.seat
        return None if seat is None else self.sent[seat].pop(notice.nonce, None)

    def _turn(self, notice: RoomEvents) -> None:
        frame = self._taken(notice)
        kinds = {type(event) for event in notice.events}
        if not kinds.isdisjoint(BOARD):
            increment = 0 if self._plan is None else self._plan.increment
            self._told += self.game.follow(notice, frame, increment)
        for event in notice.events:
            match event:
                case OfferMade() | OfferAnswered() | OfferEnded():
                    self._bargain(event, notice, frame)
                case GameOver():
                    self._end(event, notice, frame, kinds)
                case _:
                    self._happen(event, notice)

    def _happen(self, event: Any, notice: RoomEvents) -> None:
        """Take over who sits, what is played, and whether the room exists."""
        match event:
            case SeatTaken():
                if not self._chairs[event.seat]:
                    self._tell(outgoing_messages.note("playerJoined", self.code))
                self._chairs[event.seat] = True
                self._seers[event.seat] = event.sees_hidden
                if self.phase is Phase.OVER:
                    self.phase = Phase.WAITING
            case SeatLeft():
                self._chairs[event.seat] = self._seers[event.seat] = False
                self._tell(outgoing_messages.note("playerLeft", self.code))
                if event.seat == self.host and not self.hosted:
                    self._promote(Seat(1 - event.seat))
            case HostChanged() if self.hosted:
                self._promote(event.seat)
            case OptionsChosen():
                self.options, self._plan = event.options, event.clock
            case GameStarted():
                self._begin(event, notice)
            case MoveUndone():
                self.game.lay(event.position)
            case Closed():
                self.phase = Phase.CLOSED

    def _promote(self, seat: Seat) -> None:
        self.game.host = seat
        if self._chairs[seat]:
            self._tell(outgoing_messages.note("promotedToHost", self.code), seat)

    def _begin(self, dealt: GameStarted, notice: RoomEvents) -> None:
        start = self.starts.pop(notice.nonce, None)
        self.phase, self.match = Phase.PLAYING, dealt.match
        self.announced, self.result = False, ""
        self.offers.clear()
        self.game.lay(dealt.position)
        for frame in self.beginning(dealt.position, notice.at, start):
            self._tell(frame)

    def beginning(self, position: View, now: Millis, start: GameStart | None = None) -> list[bytes]:
        """Return that a game begins; `start` is how a client here wanted it."""
        modes, field = outgoing_messages.modes(self.options), position.minefield
        mines = outgoing_messages.mines(() if field is None else field.all)
        if start is not None:
            modes, mines = start.modes, start.mines
        free = self.options.dice is DiceMode.FREE
        return self.game.beginning(position, self._plan, modes, mines, now, free=free)

    def _end(self, over: GameOver, notice: RoomEvents, frame: bytes | None, kinds: set[type]) -> None:
        self.phase = Phase.OVER
        self.result = outgoing_messages.result(self.game.white, over.winners)
        self.offers.clear()
        if over.reason == "resigned" and notice.seat is not None:
            said = outgoing_messages.note(RequestType.RESIGN, self.code) if frame is None else frame + b"}"
            self._tell(said, Seat(1 - notice.seat))
        elif over.reason not in _SAID and SeatLeft not in kinds:
            self.announced = True
            self._tell(outgoing_messages.note(RequestType.OVER, self.code, result=self.result))

    # Offers; clients know only those of a draw

    def _bargain(
        self, event: OfferMade | OfferAnswered | OfferEnded, notice: RoomEvents, frame: bytes | None
    ) -> None:
        match event:
            case OfferMade(offer=offer):
                self.offers[offer.kind] = offer
                if offer.kind is OfferKind.DRAW:
                    said = (
                        outgoing_messages.note(RequestType.OFFER, self.code)
                        if frame is None
                        else frame + b"}"
                    )
                    self._tell(said, Seat(1 - offer.seat))
            case OfferAnswered():
                self.offers.pop(event.kind, None)
                if event.kind is OfferKind.DRAW:
                    self._answer(event, notice, frame)
            case OfferEnded():
                gone = next((known for known in self.offers.values() if known.id == event.offer), None)
                if gone is None:
                    return
                del self.offers[gone.kind]
                if gone.kind is OfferKind.DRAW and not self._seers[1 - gone.seat]:
                    # Other clients decline by moving; these wait for a word.
                    self._tell(
                        outgoing_messages.note(RequestType.ANSWER, self.code, accepted=False), gone.seat
                    )

    def _answer(self, event: OfferAnswered, notice: RoomEvents, frame: bytes | None) -> None:
        built = outgoing_messages.note(RequestType.ANSWER, self.code, accepted=event.yes)
        crossed = notice.nonce.startswith(RequestType.OFFER)
        if crossed and frame is not None:
            # Both have offered: nobody would tell either that it was accepted.
            self._tell(built)
        else:
            self._tell(built if frame is None else frame + b"}", Seat(1 - event.seat))


class RoomStates:
    """The rooms that clients of this server are in, each once."""

    def __init__(self) -> None:
        self._rooms: WeakValueDictionary[RoomId, RoomState] = WeakValueDictionary()

    def of(self, view: RoomView, you: Seat) -> RoomState:
        """Return the page of a room, a new one if nobody holds it."""
        known = self._rooms.get(view.id)
        if known is None:
            known = self._rooms[view.id] = RoomState(view, you)
        return known
