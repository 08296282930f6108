"""The public rooms that wait for a player, and what players who are matched agree on."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from qipai.games.game import Game
from qipai.hall.api_tokens.bot_seating import has_bot_account
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.hidden_information import others_may_see
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.clock import ClockPlan
from qipai.kernel.ids import Person, RoomId
from qipai.kernel.room import AnyRoom, Phase
from qipai.kernel.seats import free_seat, is_human, persons_of, seat_of


class MatchKey(NamedTuple):
    """What two players who are matched agree on; the options are encoded."""

    game: str
    options: bytes
    clock: ClockPlan | None
    rated: bool


def match_key(game: str, options: Any, clock: ClockPlan | None, *, rated: bool = False) -> MatchKey:
    """Return the key of a game with these options and this clock."""
    return MatchKey(game, encode(options), clock, rated)


def key_of(room: AnyRoom) -> MatchKey:
    """Return the key of a room."""
    return match_key(room.game, room.options, room.table.clock, rated=room.table.rated)


class WaitingRooms:
    """The public rooms that wait for a player, by game, the oldest first.

    Of the games in `single` the operator allows one public match at a time. `is_blocked` tells whether either
    of two persons has blocked the other: they are not matched.
    """

    def __init__(
        self,
        executor: CommandExecutor,
        single: frozenset[str] = frozenset(),
        is_blocked: Callable[[Person, Person], bool] = lambda _one, _other: False,
    ) -> None:
        self._live_rooms = executor.live_rooms
        self._single = single
        self._is_blocked = is_blocked
        self._waiting: dict[str, dict[RoomId, None]] = {name: {} for name in executor.games}
        """Unrated ones with the default options of their game: older clients know no others."""
        self._matchable: dict[MatchKey, dict[RoomId, None]] = {}
        """Those that quick match uses, by what their players agree on."""
        self._playing: dict[str, set[RoomId]] = {name: set() for name in executor.games}
        executor.room_listeners.append(self._changed)

    def find(self, wanted: MatchKey, person: Person) -> LiveRoom | None:
        """Return the room that has waited longest for another player, with these options and this clock."""
        return next(self.find_all(wanted, person), None)

    def find_all(self, wanted: MatchKey, person: Person) -> Iterator[LiveRoom]:
        """Yield the rooms that wait for another player and agree with this, the oldest first."""
        return self._find(self._matchable.get(wanted, ()), person)

    def find_any(self, game: str, person: Person) -> LiveRoom | None:
        """Return the room that has waited longest for another player of this game, by its default options."""
        return next(self._find(self._waiting.get(game, ()), person), None)

    def rated(self) -> Iterator[tuple[MatchKey, tuple[RoomId, ...]]]:
        """Yield the rated rooms that wait, by what their players agree on, the oldest first."""
        for key, rooms in self._matchable.items():
            if key.rated:
                yield key, tuple(rooms)

    def _find(self, rooms: Iterable[RoomId], person: Person) -> Iterator[LiveRoom]:
        for room in rooms:
            live = self._live_rooms.get(room)
            # The latest value counts, not the durable one: the last seat may be taken already.
            if (
                live is not None
                and _has_connected_player(live)
                and _waits(live.latest)
                and free_seat(live.latest.seats) is not None
                and seat_of(live.latest.seats, person) is None
                # Nobody is seated without being asked where others may see what is hidden.
                and not others_may_see(live, live.latest)
                and not any(self._is_blocked(person, other) for other in persons_of(live.latest.seats))
                # Nor at the table of a program.
                and not has_bot_account(live.latest.seats)
            ):
                yield live

    def match_taken(self, game: Game, except_room: LiveRoom | None = None) -> bool:
        """Tell whether another public room has the one match of this game that the operator allows."""
        return game.name in self._single and self._busy(game.name, except_room)

    def _busy(self, game: str, except_room: LiveRoom | None) -> bool:
        rooms = {*self._playing.get(game, ()), *self._waiting.get(game, ())}
        rooms.update(
            room for key, matchable in self._matchable.items() if key.game == game for room in matchable
        )
        live_rooms = (self._live_rooms.get(room) for room in rooms)
        return any(
            live is not None
            and live is not except_room
            and not live.bots
            and live.latest.phase is Phase.PLAYING
            for live in live_rooms
        )

    def _changed(self, live: LiveRoom, before: AnyRoom) -> None:
        room = live.durable
        if not room.table.public:
            return
        key, waiting = key_of(room), self._waiting[room.game]
        # Rooms whose host starts the game are not matched: the player would still have to wait.
        matchable = room.phase is Phase.WAITING and not room.table.legacy.host_starts
        known = not key.rated and room.options == live.rules.option_type()
        if known and (matchable or _waits_again(room)):
            waiting[room.id] = None
        else:
            waiting.pop(room.id, None)
        if matchable:
            self._matchable.setdefault(key, {})[room.id] = None
        elif (others := self._matchable.get(key)) is not None:
            others.pop(room.id, None)
            if not others:
                del self._matchable[key]
        if room.phase is Phase.PLAYING:
            self._playing[room.game].add(room.id)
        else:
            self._playing[room.game].discard(room.id)


def _waits(room: AnyRoom) -> bool:
    return room.phase is Phase.WAITING or _waits_again(room)


def _waits_again(room: AnyRoom) -> bool:
    """Tell whether a player of an older client stayed at a finished game whose other player has left."""
    # Players in the page are not drawn into another game while they look at the last one.
    return room.phase is Phase.OVER and room.table.legacy.chat_with_spectators and None in room.seats


def _has_connected_player(live: LiveRoom) -> bool:
    """Tell whether a player waits here; of a room without subscription, as far as its snapshot tells."""
    if live.replica.subscribed:
        return any(live.reach)
    return any(
        is_human(taken) and taken is not None and taken.disconnected_at is None for taken in live.latest.seats
    )
