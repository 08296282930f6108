"""Who sits where: a chair belongs to a person, never to a socket."""

from msgspec import Struct
from msgspec.structs import replace

from .names import Millis, Person, Seat


class Chair(Struct, frozen=True, omit_defaults=True):
    """A taken seat. `lost` is the moment its person was given up as disconnected.

    A `seer`'s client plays by secrets itself, so it is told all of them.
    """

    person: Person
    name: str
    bot: str = ""
    lost: Millis | None = None
    luck: bytes = b""
    seer: bool = False


Chairs = tuple[Chair | None, ...]


def seat_of(chairs: Chairs, person: Person) -> Seat | None:
    """Return the seat of a person, if any."""
    for number, chair in enumerate(chairs):
        if chair is not None and chair.person == person:
            return Seat(number)
    return None


def free_seat(chairs: Chairs) -> Seat | None:
    """Return the first empty seat, if any."""
    for number, chair in enumerate(chairs):
        if chair is None:
            return Seat(number)
    return None


def with_chair(chairs: Chairs, seat: Seat, chair: Chair | None) -> Chairs:
    """Return the chairs with one of them changed."""
    return (*chairs[:seat], chair, *chairs[seat + 1 :])


def with_lost(chairs: Chairs, seat: Seat, lost: Millis | None) -> Chairs:
    """Return the chairs with one person marked as lost or back."""
    chair = chairs[seat]
    return chairs if chair is None else with_chair(chairs, seat, replace(chair, lost=lost))
