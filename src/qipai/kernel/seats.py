"""Who sits where: a chair belongs to a person, never to a socket."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from .ids import Millis, Person, Seat

ABSENCE: Final = 55_000
"""How long somebody must have been lost until others may play for him: a minute, with the hall's grace."""


class TakenSeat(Struct, frozen=True, omit_defaults=True):
    """A taken seat. `lost` is the moment its person was given up as disconnected.

    A `seer`'s client plays by secrets itself, so it is told all of them. A `vacant` one is kept for
    whoever comes; its person has never been there. `since` is the version by which he came, where that is
    known; `passed` counts how often the seat has moved to another device.
    """

    person: Person
    name: str
    bot: str = ""
    disconnected_at: Millis | None = None
    player_entropy: bytes = b""
    sees_hidden: bool = False
    reserved: bool = False
    since: int = 0
    transfers: int = 0


Seats = tuple[TakenSeat | None, ...]


def seat_of(seats: Seats, person: Person) -> Seat | None:
    """Return the seat of a person, if any; one that is only kept for him is not his yet."""
    for number, taken in enumerate(seats):
        if taken is not None and taken.person == person and not taken.reserved:
            return Seat(number)
    return None


def free_seat(seats: Seats) -> Seat | None:
    """Return the first empty seat, if any."""
    for number, taken in enumerate(seats):
        if taken is None:
            return Seat(number)
    return None


def longest_seated(seats: Seats) -> Seat | None:
    """Return the seat of the person who has been there longest, if anybody is."""
    here = [(taken.since, Seat(seat)) for seat, taken in enumerate(seats) if taken and is_human(taken)]
    return min(here)[1] if here else None


def is_human(taken: TakenSeat | None) -> bool:
    """Tell whether this is somebody's seat, in reach or not."""
    return taken is not None and not taken.bot and not taken.reserved


def with_seat(seats: Seats, seat: Seat, taken: TakenSeat | None) -> Seats:
    """Return the chairs with one of them changed."""
    return (*seats[:seat], taken, *seats[seat + 1 :])


def with_disconnected(seats: Seats, seat: Seat, lost: Millis | None) -> Seats:
    """Return the chairs with one person marked as lost or back."""
    taken = seats[seat]
    return seats if taken is None else with_seat(seats, seat, replace(taken, disconnected_at=lost))
