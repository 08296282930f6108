"""Index of the rooms in which each person has a seat."""

from collections.abc import Iterable

from qipai.hall.journal.group_commit import GroupCommit
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Person, RoomId
from qipai.kernel.room import AnyRoom
from qipai.kernel.seats import persons_of


class SeatIndex(dict[Person, set[RoomId]]):
    """The rooms of each person with a seat."""

    def __init__(self) -> None:
        super().__init__()
        self._expected: dict[Person, set[RoomId]] = {}

    def total(self, person: Person) -> int:
        """Return in how many rooms a person has a seat, or has asked for one."""
        return len(self.get(person, set()) | self._expected.get(person, set()))

    def expect(self, person: Person, room: RoomId, journal: GroupCommit) -> None:
        """Count a seat that was asked for until its command is written or lost."""
        expected = self._expected.setdefault(person, set())
        expected.add(room)

        def settled(_failure: object) -> None:
            expected.discard(room)
            if not expected:
                self._expected.pop(person, None)

        journal.after(settled, room)

    def count(self, live: LiveRoom, before: AnyRoom | None) -> None:
        """Index the seats of a room that changed, and note whether bots play there."""
        room = live.latest
        seats = () if before is None else before.seats
        old, new = persons_of(seats), persons_of(room.seats)
        for person in old - new:
            self._uncount(person, room.id)
        self.add(new - old, room.id)
        live.bots = any(
            taken is not None
            and (
                taken.bot
                or (room.table.substitute_bot and taken.disconnected_at is not None and not taken.reserved)
            )
            for taken in room.seats
        )

    def add(self, persons: Iterable[Person], room: RoomId) -> None:
        """Index the seats of a room by the persons who hold them."""
        for person in persons:
            self.setdefault(person, set()).add(room)

    def remove(self, persons: Iterable[Person], room: RoomId) -> None:
        """Remove seats that `add` has indexed."""
        for person in persons:
            self._uncount(person, room)

    def remove_room(self, room: AnyRoom) -> None:
        """Remove the seats of a room."""
        self.remove([taken.person for taken in room.seats if taken is not None], room.id)

    def _uncount(self, person: Person, room: RoomId) -> None:
        rooms = self.get(person, set())
        rooms.discard(room)
        if not rooms:
            self.pop(person, None)
