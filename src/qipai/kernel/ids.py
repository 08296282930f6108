"""The small words that everything else is said in."""

from typing import Final, NewType

RoomId = NewType("RoomId", str)
Code = NewType("Code", str)
Person = NewType("Person", str)
Nonce = NewType("Nonce", str)
Seat = NewType("Seat", int)
Millis = NewType("Millis", int)

NO_NONCE: Final = Nonce("")
SEATS: Final = tuple(Seat(number) for number in range(16))
"""The seats of a table by their numbers; no game has more."""
SPECTATOR: Final = Seat(-1)
"""The viewer without a seat; as an actor, a watcher who speaks."""
SYSTEM: Final = Seat(-2)
"""The actor behind alarms, presence and seating."""
