"""One game as one socket knows it: the views of its seats and who holds which seat."""

from typing import Final

from qipai.clients.legacy_messages import TakeOpenSeat
from qipai.games.mahjong.wire_types import AnyMove, View
from qipai.kernel.ids import SPECTATOR, Millis, Nonce, RoomId, Seat
from qipai.kernel.room_events import Disconnected, Reconnected, SeatLeft, SeatTaken
from qipai.kernel.room_view import ClockView, SeatView
from qipai.protocol.notices import FullRoom, RoomEvents

from . import position_reducer

FIRST_VERSION: Final = 5
"""Version of a game that has started and in which nothing has happened; `seq` counts from it."""


class SeatHolder:
    """What a socket knows of the holder of a seat.

    `vacant`: no player is connected there; only the room knows whether it may be taken. `vacated`: a player
    was there and has left or lost the connection.
    """

    __slots__ = ("bot", "vacant", "vacated")

    def __init__(self, *, bot: bool, vacant: bool, vacated: bool = False) -> None:
        self.bot = bot
        self.vacant = vacant
        self.vacated = vacated


class GameStep:
    """A step that not all viewers of this socket have received yet; `notice` is the spectator's."""

    __slots__ = ("awaited", "notice", "version")

    def __init__(self, version: int, awaited: set[Seat]) -> None:
        self.version = version
        self.awaited = awaited
        self.notice: RoomEvents | None = None


class ClientGame:
    """One game of one socket.

    `views` has the spectator's view and that of each seat the socket holds: nothing else can be reported.
    `requested_seats` are seats being taken, with the nonce. `reported_version` is the last version reported.
    """

    __slots__ = (
        "clock",
        "holders",
        "needs_token",
        "reported_version",
        "requested_seats",
        "room",
        "step",
        "views",
    )

    def __init__(self, notice: FullRoom) -> None:
        view = notice.room
        self.room: RoomId = view.id
        self.needs_token = not view.table.legacy.open_seats
        self.views: dict[Seat, View] = {}
        self.requested_seats: dict[Seat, Nonce] = {}
        self.step: GameStep | None = None
        self.reported_version = notice.version
        self.load(notice)

    @property
    def view(self) -> View:
        """Return the view of a spectator."""
        return self.views[SPECTATOR]

    @property
    def seats(self) -> list[Seat]:
        """Return the seats that this socket holds."""
        return sorted(seat for seat in self.views if seat != SPECTATOR)

    def was_vacated(self, seat: Seat | None) -> bool:
        """Tell whether a player has left the seat, and this socket does not hold it."""
        return seat is not None and seat not in self.views and self.holders[seat].vacated

    @property
    def sequence_number(self) -> int:
        """Return the `seq` of the last reported step."""
        return self.reported_version - FIRST_VERSION

    @property
    def has_no_players(self) -> bool:
        """Tell whether no seat has a connected player."""
        return all(holder.bot or holder.vacant for holder in self.holders)

    @property
    def seats_without_bot(self) -> list[Seat]:
        """Return the seats that no bot holds."""
        return [Seat(number) for number, holder in enumerate(self.holders) if not holder.bot]

    @property
    def deadline(self) -> Millis | None:
        """Return when the next time limit ends, None without one."""
        if self.clock is None:
            return None
        vacated = [grant for seat in self.clock.running if (grant := self.clock.grants[seat]) is not None]
        return Millis(self.clock.at + min(vacated)) if vacated else None

    def take_seat(
        self, seat: Seat, nonce: Nonce, move: AnyMove | None = None, token: str = ""
    ) -> TakeOpenSeat:
        """Return the intent that takes a seat, and note that it is being taken."""
        self.requested_seats[seat] = nonce
        return TakeOpenSeat(self.room, seat, token, move, nonce)

    def load(self, notice: FullRoom) -> None:
        """Replace the view of one viewer, the clock and the holders of seats."""
        view = notice.room
        self.views[SPECTATOR if notice.you is None else notice.you] = view.position
        self.clock: ClockView | None = view.clock
        self.holders = [_holder(taken) for taken in view.seats]

    def apply(self, viewer: Seat, notice: RoomEvents) -> None:
        """Apply the events that one viewer received."""
        view = self.views[viewer]
        for event in notice.events:
            view = position_reducer.apply_event(view, event)
        self.views[viewer] = view
        if viewer == SPECTATOR:
            self.clock = notice.clock
            for event in notice.events:
                self._apply_seat_event(event)

    def _apply_seat_event(self, event: object) -> None:
        match event:
            case SeatTaken():
                self.holders[event.seat] = SeatHolder(bot=bool(event.bot), vacant=event.reserved)
            case SeatLeft(seat):
                self.holders[seat] = SeatHolder(bot=False, vacant=True, vacated=True)
            case Disconnected(seat):
                self.holders[seat].vacant = self.holders[seat].vacated = True
            case Reconnected(seat):
                self.holders[seat].vacant = self.holders[seat].vacated = False

    def step_of(self, notice: RoomEvents) -> GameStep:
        """Return the step that a notice belongs to."""
        if self.step is None or self.step.version != notice.version:
            taken = {seat for seat, nonce in self.requested_seats.items() if nonce == notice.nonce}
            self.step = GameStep(notice.version, {*self.views, *taken})
        return self.step


def _holder(taken: SeatView | None) -> SeatHolder:
    if taken is None:
        return SeatHolder(bot=False, vacant=True)
    return SeatHolder(
        bot=bool(taken.bot),
        vacant=taken.reserved or taken.disconnected,
        vacated=taken.disconnected and not taken.reserved,
    )
