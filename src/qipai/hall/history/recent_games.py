"""Which matches of a person ended lately: the archive lists a match only when its room is closed."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Final

from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Person, RoomId
from qipai.kernel.room import PLAYING, AnyRoom
from qipai.kernel.seats import is_human

MOST_PERSONS: Final = 20_000
"""Persons whose matches are kept."""
MOST_MATCHES: Final = 20
"""Matches that are kept of one person."""

MatchKey = tuple[RoomId, int]


class RecentGames:
    """Keeps the last matches of each person in memory; after a restart the archive has them."""

    def __init__(self) -> None:
        self._matches: OrderedDict[Person, tuple[MatchKey, ...]] = OrderedDict()

    def room_changed(self, live: LiveRoom, before: AnyRoom) -> None:
        """Keep a match that ended for everybody who had a seat in it; a person who left has none any more."""
        room = live.durable
        if before.phase is not PLAYING or room.phase is PLAYING or room.result is None:
            return
        key = (room.id, room.match)
        persons = {taken.person for taken in (*before.seats, *room.seats) if taken and is_human(taken)}
        for person in persons:
            others = [each for each in self._matches.pop(person, ()) if each != key]
            self._matches[person] = (key, *others[: MOST_MATCHES - 1])
        while len(self._matches) > MOST_PERSONS:
            self._matches.popitem(last=False)

    def of(self, person: Person) -> Sequence[MatchKey]:
        """Return the matches of a person, the latest first."""
        return self._matches.get(person, ())

    def forget(self, person: Person, listed: Iterable[MatchKey]) -> None:
        """Forget matches that the archive lists."""
        known = {*listed}
        left = tuple(each for each in self.of(person) if each not in known)
        if left:
            self._matches[person] = left
        else:
            self._matches.pop(person, None)
