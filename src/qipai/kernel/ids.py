"""Types of ids and numbers: room, person, seat, nonce, milliseconds."""

from typing import Final, NewType

RoomId = NewType("RoomId", str)
Code = NewType("Code", str)
Person = NewType("Person", str)
Nonce = NewType("Nonce", str)
Seat = NewType("Seat", int)
Millis = NewType("Millis", int)

NO_NONCE: Final = Nonce("")
SEATS: Final = tuple(Seat(number) for number in range(16))
"""The seat numbers of a room; no game has more."""
SPECTATOR: Final = Seat(-1)
"""The viewer without a seat; as an actor, a spectator who writes in the chat."""
SYSTEM: Final = Seat(-2)
"""The actor of commands that the server issues: time-outs, presence, seats."""
