"""A game as one socket knows it: what its watcher and each of its seats may see, and who holds which seat."""

from typing import Final

from qipai.games.mahjong.wire_types import View
from qipai.kernel.ids import SPECTATOR, Millis, RoomId, Seat
from qipai.kernel.room_events import Disconnected, Reconnected, SeatLeft, SeatTaken
from qipai.kernel.room_view import ClockView, SeatView
from qipai.protocol.notices import FullRoom, RoomEvents

from . import position_reducer

BEGINNING: Final = 5
"""The version of a game that has been dealt and in which nothing has happened yet: numbers count from it."""


class SeatHolder:
    """Who is known to have a seat. `free`: nobody is there; whether it may be taken the table knows.

    `left`: somebody was there, and has gone.
    """

    __slots__ = ("bot", "free", "left")

    def __init__(self, *, bot: bool, free: bool, left: bool = False) -> None:
        self.bot = bot
        self.free = free
        self.left = left


class Step:
    """A change that not all of this socket's people have been told of; the watcher's notice is told on."""

    __slots__ = ("needed", "notice", "version")

    def __init__(self, version: int, needed: set[Seat]) -> None:
        self.version = version
        self.needed = needed
        self.notice: RoomEvents | None = None


class ClientGame:
    """Follows one game for one socket.

    `views` has the watcher's view and that of each seat the socket holds, so nothing else can be told.
    `taking` are seats that were asked for, with the nonce of it. `told` is the last version that the client
    has heard of.
    """

    __slots__ = ("clock", "holders", "keyed", "room", "step", "taking", "told", "views")

    def __init__(self, shown: FullRoom) -> None:
        view = shown.room
        self.room: RoomId = view.id
        self.keyed = not view.table.legacy.open_seats
        self.views: dict[Seat, View] = {}
        self.taking: dict[Seat, str] = {}
        self.step: Step | None = None
        self.told = shown.version
        self.refresh(shown)

    @property
    def view(self) -> View:
        """Return what everybody sees."""
        return self.views[SPECTATOR]

    @property
    def seats(self) -> list[Seat]:
        """Return the seats that this socket holds."""
        return sorted(seat for seat in self.views if seat != SPECTATOR)

    def was_left(self, seat: Seat | None) -> bool:
        """Tell whether somebody who had a seat has gone from it, and nobody has it now."""
        return seat is not None and seat not in self.views and self.holders[seat].left

    @property
    def number(self) -> int:
        """Return the number of the last change that the client has heard of."""
        return self.told - BEGINNING

    @property
    def deserted(self) -> bool:
        """Tell whether nobody is in any seat but bots."""
        return all(holder.bot or holder.free for holder in self.holders)

    @property
    def deadline(self) -> Millis | None:
        """Return when the next decision is made for somebody, if it is."""
        if self.clock is None:
            return None
        left = [grant for seat in self.clock.running if (grant := self.clock.grants[seat]) is not None]
        return Millis(self.clock.at + min(left)) if left else None

    def refresh(self, shown: FullRoom) -> None:
        """Take a whole view over."""
        view = shown.room
        self.views[SPECTATOR if shown.you is None else shown.you] = view.position
        self.clock: ClockView | None = view.clock
        self.holders = [_holder(taken) for taken in view.seats]

    def follow(self, viewer: Seat, notice: RoomEvents) -> None:
        """Take over what one of this socket's people was told."""
        view = self.views[viewer]
        for event in notice.events:
            view = position_reducer.after(view, event)
        self.views[viewer] = view
        if viewer == SPECTATOR:
            self.clock = notice.clock
            for event in notice.events:
                self._hold(event)

    def _hold(self, event: object) -> None:
        match event:
            case SeatTaken():
                self.holders[event.seat] = SeatHolder(bot=bool(event.bot), free=event.reserved)
            case SeatLeft(seat):
                self.holders[seat] = SeatHolder(bot=False, free=True, left=True)
            case Disconnected(seat):
                self.holders[seat].free = self.holders[seat].left = True
            case Reconnected(seat):
                self.holders[seat].free = self.holders[seat].left = False

    def began(self, version: int, notice: RoomEvents) -> Step:
        """Return the change that this notice is a part of."""
        if self.step is None or self.step.version != version:
            mine = {seat for seat, nonce in self.taking.items() if nonce == notice.nonce}
            self.step = Step(version, {*self.views, *mine})
        return self.step


def _holder(taken: SeatView | None) -> SeatHolder:
    if taken is None:
        return SeatHolder(bot=False, free=True)
    return SeatHolder(
        bot=bool(taken.bot),
        free=taken.reserved or taken.disconnected,
        left=taken.disconnected and not taken.reserved,
    )
