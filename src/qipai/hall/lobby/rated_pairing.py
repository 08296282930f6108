"""Whom a rated quick match seats together: the closest rating first, any rating after a short wait.

Waiting for a closer rating makes sense only while others search. If two players are alone, they play at once.
"""

from statistics import fmean
from typing import Any, Final, Protocol

from msgspec import Raw

from qipai.games.game import Game
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.clock import ClockPlan
from qipai.kernel.ids import Millis, Person, RoomId
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import persons_of
from qipai.kernel.view_values import clock_plan_view
from qipai.protocol import dialect_interface, intents
from qipai.protocol.notices import Left

from .waiting_rooms import MatchKey, WaitingRooms, key_of, match_key

AT_ONCE: Final = 50
"""Rating points between two players who never wait for others."""
POINTS_PER_SECOND: Final = 20
"""By how much this grows while the first of them waits."""
LONGEST_WAIT: Final = 20_000
"""Milliseconds after which every rating is close enough."""
RECENT: Final = 60_000
"""Milliseconds for which a player who wanted the same match counts as somebody who may come again."""
PAUSE: Final = 1_000
"""Milliseconds between two looks at the rooms that wait."""
_ALARM: Final = "rated pairing"


class PlayerRatings(Protocol):
    """The ratings of persons, in memory."""

    def rating(self, person: Person, category: str) -> float:
        """Return the rating of a person in a category."""


def wait_for(distance: float) -> float:
    """Return the milliseconds after which ratings with this distance are close enough."""
    return min(LONGEST_WAIT, max(0.0, distance - AT_ONCE) * 1_000 / POINTS_PER_SECOND)


class RatedPairing:
    """Finds rooms for rated quick matches, and moves players who wait to those who wait longer.

    A worker knows the waiting rooms of all workers, and moves only its own players, each to an older room: so
    two players never move to each other's rooms.
    """

    def __init__(
        self, executor: CommandExecutor, waiting_rooms: WaitingRooms, ratings: PlayerRatings
    ) -> None:
        self._executor = executor
        self._waiting_rooms = waiting_rooms
        self._ratings = ratings
        self._seen: dict[tuple[MatchKey, Person], Millis] = {}
        """When each person last took a seat in a rated room, the longest ago first."""
        executor.room_listeners.append(self._changed)

    def find(
        self, game: Game, options: Any, clock: ClockPlan, person: Person, now: Millis
    ) -> LiveRoom | None:
        """Return the waiting room with the closest rating, of those that are close enough by now."""
        wanted = match_key(game.name, options, clock, rated=True)
        rooms = list(self._waiting_rooms.find_all(wanted, person))
        category = game.rating_category(options, clock)
        if not rooms:
            return None
        own = self._ratings.rating(person, category)
        distances = [(abs(own - self._rating(live, category)), live) for live in rooms]
        # With more than two seats, people would wait at several tables and none would fill.
        if len(rooms[0].latest.seats) == 2 and self._others_search(wanted, {person}, rooms, now):
            distances = [
                (distance, live)
                for distance, live in distances
                if now - live.latest.opened >= wait_for(distance)
            ]
        return min(distances, key=lambda each: each[0])[1] if distances else None

    def _rating(self, live: LiveRoom, category: str) -> float:
        """Return the mean rating of the players who wait in a room."""
        persons = persons_of(live.latest.seats)
        return fmean(self._ratings.rating(person, category) for person in persons)

    def _others_search(
        self, wanted: MatchKey, known: set[Person], rooms: list[LiveRoom], now: Millis
    ) -> bool:
        """Tell whether anybody else wants such a match, or wanted one just before."""
        self._forget(now)
        if len(rooms) > 1:
            return True
        known |= persons_of(rooms[0].latest.seats)
        return any(key == wanted and person not in known for key, person in self._seen)

    def _forget(self, now: Millis) -> None:
        while self._seen:
            oldest = next(iter(self._seen))
            if now - self._seen[oldest] < RECENT:
                break
            del self._seen[oldest]

    def _changed(self, live: LiveRoom, before: AnyRoom) -> None:
        room = live.durable
        if not room.table.rated or not room.table.public:
            return
        self._forget(room.at)
        key = key_of(room)
        for person in persons_of(room.seats) - persons_of(before.seats):
            self._seen.pop((key, person), None)
            self._seen[key, person] = room.at
        if room.phase is Phase.WAITING and _ALARM not in self._executor.alarms:
            self._look_later()

    def _look_later(self) -> None:
        self._executor.alarms.set(_ALARM, Millis(self._executor.now() + PAUSE), self._look)

    def _look(self) -> None:
        """Move players of this worker who wait, each to the closest room, if that is an older one."""
        waiting = list(self._waiting_rooms.rated())
        for key, rooms in waiting:
            # One at a time: two players must not choose the same room. The oldest need not be the first here.
            any(self._moved(key, room) for room in rooms)
        if waiting:
            self._look_later()

    def _moved(self, key: MatchKey, room: RoomId) -> bool:
        """Move the player who waits in a room to an older one; tell whether there is one."""
        live = self._executor.live_rooms.get(room)
        if live is None or live.latest.phase is not Phase.WAITING or len(live.latest.seats) != 2:
            return False
        own, now = live.latest, self._executor.now()
        for seat, connection in tuple(live.holders.items()):
            taken = own.seats[seat]
            if taken is None or taken.person != connection.person or own.table.clock is None:
                continue
            found = self.find(live.game, own.options, own.table.clock, taken.person, now)
            if found is None or (found.latest.opened, found.latest.id) >= (own.opened, own.id):
                continue
            connection.send_notice(Left(own.id, reason="matched"))
            again = intents.QuickMatch(
                live.game.name,
                taken.player_entropy.hex(),
                options=Raw(key.options),
                clock=clock_plan_view(key.clock),
                rated=True,
            )
            connection.run_intents((dialect_interface.CloseRoom(room), again), now)
            return True
        return False
