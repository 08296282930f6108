"""Opens rooms whose game starts at once, with bots and with seats reserved for later."""

from base64 import b32encode
from collections.abc import Callable, Collection
from typing import Any, Final

from qipai.hall.client_interface import HallServices
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import TableRules, TakeSeat
from qipai.kernel.ids import SYSTEM, Millis, Person, RoomId, Seat

_ID_BYTES: Final = 10


class GameStarter:
    """Opens a room and fills all its seats, so that the game is dealt at once."""

    def __init__(self, hall: HallServices) -> None:
        self._executor = hall.executor
        self._identity = hall.identity
        self._entropy = hall.entropy

    def start(
        self,
        game: str,
        options: Any,
        table: TableRules,
        bots: Collection[Seat],
        prefix: str,
        now: Millis,
        done: Callable[[RoomId | None], None],
        address: str = "",
    ) -> None:
        """Open a room; `done` gets its id once it is durable, or None if nothing can be written now.

        `bots` are seats for the substitute bot. Where seats are not open, the others need a token. `address`
        is that of the client.
        """
        if self._executor.journal.full:
            done(None)
            return
        room = RoomId(prefix + b32encode(self._entropy(_ID_BYTES)).decode().lower())
        live = self._executor.open(self._executor.games[game], room, options, table, now)
        live.opened_from = address
        for number in range(live.rules.seats):
            self._executor.submit(live, SYSTEM, self._take_seat(live, Seat(number), bots), now)
        self._executor.journal.after(lambda failure: done(room if failure is None else None))

    def _take_seat(self, live: LiveRoom, seat: Seat, bots: Collection[Seat]) -> TakeSeat:
        table = live.latest.table
        if seat in bots:
            bot = table.substitute_bot
            return TakeSeat(Person(f"bot:{bot}:{seat}"), bot.capitalize(), seat, bot)
        person = Person(f"vacant:{seat}")
        if not table.legacy.open_seats:
            person = self._identity.seat_guest(live.latest.id, seat).person
        return TakeSeat(person, "", seat, reserved=True)
