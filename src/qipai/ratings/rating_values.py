"""Ratings as values: the rating of a person, a match that may count, what it changed, and the sequence."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from msgspec import Struct

from qipai.kernel.ids import Millis, Person, RoomId

START_RATING: Final = 1500.0
START_DEVIATION: Final = 350.0
START_VOLATILITY: Final = 0.06
LEAST_DEVIATION: Final = 45.0
"""A rating that many games have settled still follows a player who improves."""
PROVISIONAL_DEVIATION: Final = 110.0
"""Above it, too little is known of a player: the rating is shown with a question mark."""
SAME_PLAYERS_A_DAY: Final = 10
"""Rated matches of the same players on one day (UTC) that count."""
DAY: Final = 24 * 60 * 60 * 1000


class Rating(Struct, frozen=True):
    """The rating of a person in one category; `last`: the end of the last match that counted."""

    rating: float = START_RATING
    deviation: float = START_DEVIATION
    volatility: float = START_VOLATILITY
    games: int = 0
    last: Millis = Millis(0)

    @property
    def provisional(self) -> bool:
        """Tell whether too little is known of the player."""
        return self.deviation > PROVISIONAL_DEVIATION


NEW: Final = Rating()
"""The rating of a person who has not played in a category."""


class RatedMatch(Struct, frozen=True):
    """What ratings need of a finished match at a rated table.

    `ranks` has the place of each seat from 1 on; seats with equal places have drawn.
    """

    room: RoomId
    match: int
    category: str
    ended: Millis
    persons: tuple[Person, ...]
    ranks: tuple[int, ...]

    @property
    def day(self) -> int:
        """Return the number of the day (UTC) on which the match ended."""
        return self.ended // DAY


class RatingChange(Struct, frozen=True):
    """What a match changed for the person of a seat; `deviation` is that after the match.

    `number`: that of the match in the sequence in which the archive took them.
    """

    number: int
    room: RoomId
    match: int
    seat: int
    person: Person
    category: str
    ended: Millis
    before: float
    after: float
    deviation: float


class SequenceEntry(NamedTuple):
    """A rated match in the order in which the archive took it, or the person whose ratings were erased then.

    A match has an empty `person`, an erasure an empty `room`.
    """

    number: int
    room: RoomId
    match: int
    person: Person


RatingKey = tuple[Person, str]
"""A person and a category."""


class AllRatings(NamedTuple):
    """Every rating, and every change by room, match and seat."""

    ratings: Mapping[RatingKey, Rating]
    changes: Mapping[tuple[RoomId, int, int], RatingChange]
