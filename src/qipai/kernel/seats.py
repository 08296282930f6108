"""Seats and the persons who hold them. A seat belongs to a person, never to a connection."""

from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from .ids import Millis, Person, Seat

SEAT_OPEN_AFTER: Final = 55_000
"""Milliseconds of absence after which others may play a seat: a minute, with the grace period."""


class TakenSeat(Struct, frozen=True):
    """A seat with its person. `disconnected_at`: since when the person counts as disconnected.

    `sees_hidden`: the person's client needs hidden information and receives it. `reserved`: the person has
    never connected; the seat is kept. `since`: the version in which the seat was taken. `transfers`: how
    often the seat has moved to another device. `bot_account`: the person is an account for which a program
    plays; apart from that it is a person as any other, unlike a `bot` of the server.
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
    bot_account: bool = False


Seats = tuple[TakenSeat | None, ...]


def seat_of(seats: Seats, person: Person) -> Seat | None:
    """Return the seat that a person holds, if any; a reserved seat is not held."""
    for number, taken in enumerate(seats):
        if taken is not None and taken.person == person and not taken.reserved:
            return Seat(number)
    return None


def persons_of(seats: Seats) -> frozenset[Person]:
    """Return the persons who hold a seat; a reserved seat is not held."""
    return frozenset([taken.person for taken in seats if taken is not None and not taken.reserved])


def free_seat(seats: Seats) -> Seat | None:
    """Return the first empty seat, if any."""
    for number, taken in enumerate(seats):
        if taken is None:
            return Seat(number)
    return None


def longest_seated(seats: Seats) -> Seat | None:
    """Return the seat that was taken first by a person, if any."""
    humans = [(taken.since, Seat(seat)) for seat, taken in enumerate(seats) if taken and is_human(taken)]
    return min(humans)[1] if humans else None


def is_human(taken: TakenSeat | None) -> bool:
    """Tell whether a person holds this seat, connected or not."""
    return taken is not None and not taken.bot and not taken.reserved


def with_seat(seats: Seats, seat: Seat, taken: TakenSeat | None) -> Seats:
    """Return the seats with one of them replaced."""
    return (*seats[:seat], taken, *seats[seat + 1 :])


def with_disconnected(seats: Seats, seat: Seat, since: Millis | None) -> Seats:
    """Return the seats with one person marked as disconnected since then, or as connected (None)."""
    taken = seats[seat]
    return seats if taken is None else with_seat(seats, seat, replace(taken, disconnected_at=since))
