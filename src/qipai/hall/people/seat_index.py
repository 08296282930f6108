"""Which tables everybody sits at."""

from qipai.hall.journal.group_commit import GroupCommit
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Person, RoomId
from qipai.kernel.room import AnyRoom


class SeatIndex(dict[Person, set[RoomId]]):
    """The rooms of each person who has a seat anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self._coming: dict[Person, set[RoomId]] = {}

    def total(self, person: Person) -> int:
        """Return at how many tables somebody sits, or is about to."""
        return len(self.get(person, set()) | self._coming.get(person, set()))

    def expect(self, person: Person, room: RoomId, journal: GroupCommit) -> None:
        """Count a seat that has just been asked for, until it is known whether it is had."""
        coming = self._coming.setdefault(person, set())
        coming.add(room)

        def known(_failure: object) -> None:
            coming.discard(room)
            if not coming:
                self._coming.pop(person, None)

        journal.after(known, room)

    def count(self, live: LiveRoom, before: AnyRoom | None) -> None:
        """Count the seats of a table that has changed, and whether bots play there."""
        room = live.latest
        seats = () if before is None else before.seats
        old = {taken.person for taken in seats if taken and not taken.reserved}
        new = {taken.person for taken in room.seats if taken and not taken.reserved}
        for person in old - new:
            self._uncount(person, room.id)
        for person in new - old:
            self.setdefault(person, set()).add(room.id)
        live.bots = any(
            taken is not None
            and (
                taken.bot
                or (room.table.substitute_bot and taken.disconnected_at is not None and not taken.reserved)
            )
            for taken in room.seats
        )

    def remove_room(self, room: AnyRoom) -> None:
        """Remove the seats of a room."""
        for taken in room.seats:
            if taken is not None:
                self._uncount(taken.person, room.id)

    def _uncount(self, person: Person, room: RoomId) -> None:
        rooms = self.get(person, set())
        rooms.discard(room)
        if not rooms:
            self.pop(person, None)
