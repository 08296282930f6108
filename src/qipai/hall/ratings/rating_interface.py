"""The RatingStore interface: ratings beside the archive, and the sequence of matches behind them."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple, Protocol

from qipai.kernel.ids import Millis, Person, RoomId
from qipai.ratings.rating_values import AllRatings, Rating, RatingChange, SequenceEntry

CURVE_LIMIT: Final = 500
"""Most points of a rating curve that are read."""
LEADERS_LIMIT: Final = 100
"""Places of a leaderboard."""
BUCKET: Final = 50
"""Points of a rating in one bucket of a distribution."""


class Leaders(NamedTuple):
    """The first places of a category, and how many players each bucket of ratings has.

    Both have only players who are active and not provisional. A bucket is named by its lowest rating.
    """

    first: Sequence[tuple[Person, Rating]]
    distribution: Mapping[int, int]


class CurrentRating(NamedTuple):
    """What workers keep in memory of a rating."""

    person: Person
    category: str
    rating: float
    deviation: float


class RatingStore(Protocol):
    """Reads ratings, and replaces them by those of a replay. A match is rated when the archive stores it."""

    def ratings(self, person: Person) -> Mapping[str, Rating]:
        """Return the ratings of a person by category."""

    def curve(self, person: Person, category: str) -> Sequence[RatingChange]:
        """Return the last changes of a rating, the latest first, at most `CURVE_LIMIT`."""

    def changes(self, room: RoomId, match: int) -> Sequence[RatingChange]:
        """Return what a match changed, by seat."""

    def leaders(self, category: str, active_since: Millis) -> Leaders:
        """Return the players of a category who are not provisional and have played since a time."""

    def ranked(self, active_since: Millis) -> Mapping[str, int]:
        """Return how many such players each category has; without categories that have none."""

    def erase(self, person: Person) -> None:
        """Delete all ratings of a person; no later match of the person counts."""

    def sequence(self, after: int = 0) -> Sequence[SequenceEntry]:
        """Return the entries after a number, in their order."""

    def current(self) -> tuple[int, Sequence[CurrentRating]]:
        """Return the number of an entry, and all ratings with at least what follows from it."""

    def all(self) -> tuple[int, AllRatings]:
        """Return the number of the last entry, and all ratings and changes that follow from the entries."""

    def replace(self, last: int, ratings: AllRatings) -> bool:
        """Replace all ratings and changes in one transaction; change nothing if there are later entries."""
