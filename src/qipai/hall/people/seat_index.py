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

    def count(self, box: LiveRoom, before: AnyRoom | None) -> None:
        """Count the seats of a table that has changed, and whether bots play there."""
        room = box.latest
        chairs = () if before is None else before.seats
        old = {chair.person for chair in chairs if chair and not chair.reserved}
        new = {chair.person for chair in room.seats if chair and not chair.reserved}
        for person in old - new:
            self._uncount(person, room.id)
        for person in new - old:
            self.setdefault(person, set()).add(room.id)
        box.bots = any(
            chair is not None
            and (
                chair.bot
                or (room.table.substitute_bot and chair.disconnected_at is not None and not chair.reserved)
            )
            for chair in room.seats
        )

    def clear_table(self, room: AnyRoom) -> None:
        """Forget a table."""
        for chair in room.seats:
            if chair is not None:
                self._uncount(chair.person, room.id)

    def _uncount(self, person: Person, room: RoomId) -> None:
        rooms = self.get(person, set())
        rooms.discard(room)
        if not rooms:
            self.pop(person, None)
