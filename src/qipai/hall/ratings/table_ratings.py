"""Keeps the ratings of players at rated tables, and of bots, in their live rooms."""

from collections.abc import Mapping

from qipai.hall.lobby.room_list import RoomListFeed
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR, Person
from qipai.kernel.room import AnyRoom
from qipai.kernel.room_view import SeatRating, SeatRatings
from qipai.kernel.seats import TakenSeat
from qipai.protocol.notices import RatingsChanged

from .rating_directory import RatingDirectory


class TableRatings:
    """Looks ratings up when seats or the phase change, and when ratings do; never for a move."""

    def __init__(
        self,
        executor: CommandExecutor,
        directory: RatingDirectory,
        room_list: RoomListFeed,
        *,
        engine: bool = False,
    ) -> None:
        self._executor = executor
        self._directory = directory
        self._room_list = room_list
        self._bot_ratings = {
            name: game.shown_bot_ratings(engine=engine) for name, game in executor.games.items()
        }
        executor.room_listeners.append(self._room_changed)
        directory.listeners.append(self._rating_changed)

    def _room_changed(self, live: LiveRoom, _: AnyRoom) -> None:
        if live.durable.table.rated or live.bots or live.ratings:
            self._update(live)

    def _rating_changed(self, person: Person) -> None:
        for room in tuple(self._executor.seat_index.get(person, ())):
            live = self._executor.live_rooms.get(room)
            if live is not None and live.durable.table.rated:
                self._update(live)

    def _update(self, live: LiveRoom) -> None:
        ratings = self._ratings(live)
        if ratings == live.ratings:
            return
        live.ratings = ratings
        notice = RatingsChanged(live.durable.id, ratings)
        told = [
            connection
            for connection, viewer in live.members.items()
            if viewer != SPECTATOR or live.delay_buffer is None
        ]
        self._executor.fan_out.send_notice(told, notice)
        self._room_list.row_changed(live)

    def _ratings(self, live: LiveRoom) -> SeatRatings:
        room = live.durable
        category = live.game.rating_category(room.options, room.table.clock) if room.table.rated else ""
        bots = self._bot_ratings[room.game].get(live.game.twist(room.options), {})
        ratings = tuple(self._rating(taken, category, bots) for taken in room.seats)
        return ratings if any(ratings) else ()

    def _rating(self, taken: TakenSeat | None, category: str, bots: Mapping[str, int]) -> SeatRating | None:
        if taken is None:
            return None
        if taken.bot:
            measured = bots.get(taken.bot)
            return None if measured is None else SeatRating(measured, about=True)
        known = self._directory.known(taken.person, category) if category else None
        return None if known is None else SeatRating(round(known.points), known.provisional)
