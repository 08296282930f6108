"""A room as all clients in it are told of it: whoever of them is told first turns the page for all."""

from typing import Any, Final

from qipai.clients.legacy_messages import SpectatorNames
from qipai.games.gomoku.rules import OTHER, FiveInRow, Placed, View
from qipai.kernel.ids import Seat
from qipai.kernel.offers import Offer, OfferKind
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
from qipai.protocol.notices import RoomEvents

from . import outgoing_messages
from .errors import RoomStatus
from .room_json import RoomJson

_PLAYERS: Final = (Seat(0), Seat(1))
REQUESTS: Final = {
    OfferKind.UNDO: "undo-requested",
    OfferKind.SWAP: "swap-requested",
    OfferKind.REMATCH: "rematch-requested",
}
SECOND: Final = 1_000
_BY_STONE: Final = frozenset({"five", "full"})
_TURNS: Final = frozenset({Placed, GameStarted, MoveUndone, SidesSwapped})
"""Events after which somebody has to think anew."""

Audience = tuple[Seat, ...] | None
"""Who is told: these seats, or everybody."""


class RoomState:
    """Follows a room, once for each change, and knows what the last one tells to whom."""

    __slots__ = (
        "__weakref__", "_aside", "_changed", "_company", "_followed", "_murmured", "_simple", "_timer",
        "_told", "code", "limit", "offers", "room", "sheet", "version",
    )  # fmt: skip

    def __init__(self, view: RoomView) -> None:
        self.room = view.id
        self.code = view.code
        plan = view.table.clock
        self.limit = 0 if plan is None else plan.move
        names = [None if taken is None else taken.name for taken in view.seats]
        self.sheet = RoomJson(view.code, view.table.title or outgoing_messages.room_name(names))
        self.offers: dict[OfferKind, Offer] = {}
        self.version = 0
        self._followed = self._murmured = -1
        self._company: tuple[SpectatorNames | None, tuple[bytes, ...]] = (None, ())
        self._clear()

    def _clear(self) -> None:
        self._simple: bytes | None = None
        self._told: list[tuple[Audience, bytes]] = []
        self._aside: list[bytes] = []
        self._changed = False
        self._timer: bytes | None = None

    @property
    def phase(self) -> Phase:
        """Return the age of the room."""
        return self.sheet.phase

    def show(self, view: RoomView, version: int, *, watching: bool) -> None:
        """Take a whole view over."""
        self.version = version
        self._followed = -1
        self.offers = {offer.kind: offer for offer in view.offers}
        sheet, position = self.sheet, view.position
        sheet.phase = view.phase
        sheet.names = [None if taken is None else taken.name for taken in view.seats]
        sheet.away = [taken is not None and taken.disconnected for taken in view.seats]
        sheet.black = Seat(0) if position is None else position.black
        winners = () if view.result is None else view.result.winners
        sheet.winner = sheet.color(winners[0]) if winners else 0
        sheet.decided = (
            view.phase is Phase.OVER and view.result is not None and view.result.reason in _BY_STONE
        )
        sheet.recall(view.chat, watching=watching)
        # Who sits down at a table that others have left finds an empty board.
        sheet.lay(() if position is None or view.phase is Phase.WAITING else position.moves)

    def standing(self, seat: Seat | None) -> RoomStatus:
        """Return how the table stands for somebody."""
        sheet, other = self.sheet, None if seat is None else OTHER[seat]
        opponent = other is not None and sheet.names[other] is not None and not sheet.away[other]
        turn = OTHER[sheet.black] if sheet.stones & 1 else sheet.black
        return RoomStatus(sheet.phase, sheet.stones, turn, seat, opponent)

    def timer(self, clock: ClockView | None = None) -> bytes | None:
        """Return how long the present turn may take, if it is limited; with a clock, how long still."""
        if not self.limit or self.sheet.phase is not Phase.PLAYING:
            return None
        left = self.limit
        if clock is not None:
            began = max((since for since in clock.since if since is not None), default=clock.at)
            # In whole seconds, as clients count; one that has only just begun is whole.
            left = -(-max(0, left - (clock.at - began)) // SECOND) * SECOND
        return outgoing_messages.timer(left, 1 + (self.sheet.stones & 1))

    def gather(self, notice: SpectatorNames, seat: Seat | None) -> tuple[bytes, ...]:
        """Return what is told of watchers who come and go."""
        if notice is not self._company[0]:
            others = self.sheet.gather(notice.names)
            if not others and not notice.came and not notice.gone:
                return ()
            came = (outgoing_messages.joined(notice.came, "watcher"),) if notice.came else ()
            gone = (outgoing_messages.left(notice.gone),) if notice.gone else ()
            self._company = (notice, (*came, *gone))
        return (*self._company[1], self.sheet.updated(seat))

    # Changes

    def follow(self, notice: RoomEvents, seat: Seat | None) -> tuple[bytes, ...] | list[bytes]:
        """Return what somebody in the room is told of a change."""
        version = notice.version
        if version != self._followed:
            if version <= self.version:
                return ()
            self.version = self._followed = version
            self._turn(notice.events)
        if self._simple is not None:
            return (self._simple, self.sheet.updated(seat))
        if seat is None and version != self._murmured:
            self._murmur(notice)
        told = [frame for to, frame in self._told if to is None or seat in to]
        if seat is None:
            told += self._aside
        if self._changed:
            told.append(self.sheet.updated(seat))
        if self._timer is not None:
            told.append(self._timer)
        return told

    def _turn(self, events: tuple[Any, ...]) -> None:
        if len(events) == 1 and type(events[0]) is Placed and not self.limit:
            self._simple = self._place(events[0])
            return
        self._clear()
        kinds = {type(event) for event in events}
        line: tuple[int, ...] = ()
        ended: GameOver | None = None
        for event in events:
            match event:
                case Placed():
                    self._tell(self._place(event))
                    self._changed = True
                case FiveInRow():
                    line = event.cells
                case GameOver():
                    ended = event
                case OfferMade():
                    self._offer(event.offer)
                case OfferAnswered() | OfferEnded():
                    self._settle(event, kinds)
                case Said():
                    if not event.line.spectators_only:
                        self._tell(self.sheet.hear(event.line))
                case _:
                    self._happen(event, kinds)
        if ended is not None:
            self._end(ended, line, closed=Closed in kinds)
        if self._changed:
            self.sheet.touch()
        if kinds & _TURNS:
            self._timer = self.timer()

    def _tell(self, frame: bytes, to: Audience = None) -> None:
        self._told.append((to, frame))

    def _place(self, stone: Placed) -> bytes:
        return self.sheet.place(stone.seat != self.sheet.black, stone.x, stone.y)

    def _end(self, over: GameOver, line: tuple[int, ...], *, closed: bool) -> None:
        sheet = self.sheet
        sheet.phase = Phase.CLOSED if closed else Phase.OVER
        sheet.winner = sheet.color(over.winners[0]) if over.winners else 0
        sheet.decided = over.reason in _BY_STONE
        self.offers.clear()
        self._tell(outgoing_messages.over(sheet.winner, over.reason, line))
        self._changed = True

    def _happen(self, event: Any, kinds: set[type]) -> None:
        """Take over who sits, what is on the board, and whether the room exists."""
        sheet = self.sheet
        match event:
            case SeatTaken():
                new = sheet.names[event.seat] is None
                if new:
                    self._tell(outgoing_messages.joined(event.name, sheet.role(event.seat)))
                sheet.names[event.seat] = event.name
                if new and sheet.phase is Phase.OVER and None in sheet.names:
                    sheet.phase, sheet.decided = Phase.WAITING, False
                    sheet.lay(())
            case SeatLeft():
                self._tell(outgoing_messages.left(sheet.names[event.seat] or ""))
                sheet.names[event.seat] = None
                sheet.away[event.seat] = False
            case GameStarted():
                sheet.phase, sheet.decided = Phase.PLAYING, False
                self.offers.clear()
                self._lay(event.position)
                if OfferAnswered in kinds:
                    for seat in _PLAYERS:
                        self._tell(outgoing_messages.rematch(sheet.role(seat)), (seat,))
            case MoveUndone():
                self._lay(event.position)
                self._tell(outgoing_messages.undone(sheet.board, accepted=True))
            case SidesSwapped():
                self._lay(event.position)
                self._tell(outgoing_messages.swapped(accepted=True), _PLAYERS)
            case Disconnected() | Reconnected():
                sheet.away[event.seat] = isinstance(event, Disconnected)
            case Closed():
                sheet.phase = Phase.CLOSED
            case _:
                return
        self._changed = True

    def _lay(self, position: View) -> None:
        self.sheet.black = position.black
        self.sheet.lay(position.moves)

    # Requests

    def _offer(self, offer: Offer) -> None:
        self.offers[offer.kind] = offer
        if offer.kind is OfferKind.REMATCH:
            self._tell(outgoing_messages.REMATCH_WAITING, (offer.seat,))
        if offer.kind in REQUESTS:
            self._tell(outgoing_messages.asked(REQUESTS[offer.kind], self.name(offer.seat)), offer.asked)

    def _settle(self, event: OfferAnswered | OfferEnded, kinds: set[type]) -> None:
        """Take over that a request has been answered, or stands no longer."""
        known = next((offer for offer in self.offers.values() if offer.id == event.offer), None)
        if known is None:
            return
        del self.offers[known.kind]
        if isinstance(event, OfferEnded):
            # Who has left is missed anyway.
            if known.kind is OfferKind.REMATCH and SeatLeft not in kinds:
                self._tell(outgoing_messages.asked("rematch-cancelled", self.name(known.seat)), known.asked)
        elif not event.yes:
            self._decline(known, event.seat)

    def _decline(self, offer: Offer, by: Seat) -> None:
        match offer.kind:
            case OfferKind.UNDO:
                self._tell(outgoing_messages.undone(self.sheet.board, accepted=False))
            case OfferKind.SWAP:
                self._tell(outgoing_messages.swapped(accepted=False), _PLAYERS)
            case OfferKind.REMATCH:
                self._tell(outgoing_messages.asked("rematch-cancelled", self.name(by)), (offer.seat,))
            case OfferKind.DRAW:
                pass

    def name(self, seat: Seat) -> str:
        """Return the name of whoever sits there."""
        return self.sheet.names[seat] or ""

    def _murmur(self, notice: RoomEvents) -> None:
        """Take over what watchers said among themselves; players are not told."""
        self._murmured = notice.version
        for event in notice.events:
            if isinstance(event, Said) and event.line.spectators_only:
                self._aside.append(self.sheet.hear(event.line))
