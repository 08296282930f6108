"""Games that begin before anybody has come: every seat is a bot's, or kept for whoever takes it."""

from base64 import b32encode
from collections.abc import Callable, Collection
from typing import Any, Final

from qipai.hall.journal.store_interface import Entropy
from qipai.hall.people.identity import Identity
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.commands import TableRules, TakeSeat
from qipai.kernel.ids import SYSTEM, Millis, Person, RoomId, Seat

_ID_BYTES: Final = 10


class GameStarter:
    """Opens tables whose game is dealt at once."""

    def __init__(self, executor: CommandExecutor, identity: Identity, entropy: Entropy) -> None:
        self._executor = executor
        self._identity = identity
        self._entropy = entropy

    def start(
        self,
        game: str,
        options: Any,
        table: TableRules,
        bots: Collection[Seat],
        prefix: str,
        now: Millis,
        done: Callable[[RoomId | None], None],
    ) -> None:
        """Open a table and tell its id once it is durable, or None if nothing can be kept now.

        `bots` are the seats of the table's stand-in. Seats that are not open are kept for who has a token.
        """
        if self._executor.journal.full:
            done(None)
            return
        room = RoomId(prefix + b32encode(self._entropy(_ID_BYTES)).decode().lower())
        live = self._executor.open(self._executor.games[game], room, options, table, now)
        for number in range(live.rules.seats):
            self._executor.submit(live, SYSTEM, self._sit(live, Seat(number), bots), now)
        self._executor.journal.after(lambda failure: done(room if failure is None else None))

    def _sit(self, live: LiveRoom, seat: Seat, bots: Collection[Seat]) -> TakeSeat:
        table = live.latest.table
        if seat in bots:
            bot = table.substitute_bot
            return TakeSeat(Person(f"bot:{bot}:{seat}"), bot.capitalize(), seat, bot)
        person = Person(f"vacant:{seat}")
        if not table.legacy.open_seats:
            person = self._identity.sitter(live.latest.id, seat).person
        return TakeSeat(person, "", seat, reserved=True)
