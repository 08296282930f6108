"""Applies rated matches one after the other; a replay of all of them gives the ratings that are stored."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final, Protocol

from qipai.kernel.ids import Person, RoomId

from .match_rating import rate
from .rating_values import (
    NEW,
    SAME_PLAYERS_A_DAY,
    AllRatings,
    RatedMatch,
    Rating,
    RatingChange,
    RatingKey,
)


class RatingState(Protocol):
    """Ratings as they are between two matches of the sequence."""

    def erased(self, persons: Sequence[Person]) -> bool:
        """Tell whether the ratings of one of these persons were erased."""

    def matches_of_day(self, persons: Sequence[Person], day: int) -> int:
        """Return how many matches of exactly these persons on a day have counted."""

    def rating(self, person: Person, category: str) -> Rating:
        """Return a rating; `NEW` for a person without one."""

    def put(self, change: RatingChange, rating: Rating) -> None:
        """Add a change, and replace the rating of its person."""


def apply(number: int, match: RatedMatch, state: RatingState) -> None:
    """Rate the match with this number in the sequence, unless it does not count."""
    if state.erased(match.persons) or state.matches_of_day(match.persons, match.day) >= SAME_PLAYERS_A_DAY:
        return
    before = [state.rating(person, match.category) for person in match.persons]
    after = rate(match.ranks, match.ended, before)
    for seat, (person, old, new) in enumerate(zip(match.persons, before, after, strict=True)):
        change = RatingChange(
            number,
            match.room,
            match.match,
            seat,
            person,
            match.category,
            match.ended,
            old.rating,
            new.rating,
            new.deviation,
        )
        state.put(change, new)


class RatingReplay:
    """Ratings in memory, from the sequence alone."""

    def __init__(self) -> None:
        self.last = 0
        """The number of the last entry that was applied."""
        self._erased: set[Person] = set()
        self._ratings: dict[RatingKey, Rating] = {}
        self._changes: dict[tuple[RoomId, int, int], RatingChange] = {}
        self._played: defaultdict[tuple[frozenset[Person], int], int] = defaultdict(int)

    def apply(self, number: int, match: RatedMatch | None) -> None:
        """Apply a match of the sequence; None if it does not count any more."""
        self.last = number
        if match is None:
            return
        counted = len(self._changes)
        apply(number, match, self)
        if len(self._changes) > counted:
            self._played[frozenset(match.persons), match.day] += 1

    def erase(self, number: int, person: Person) -> None:
        """Apply an erasure of the sequence."""
        self._erased.add(person)
        self._ratings = {key: rating for key, rating in self._ratings.items() if key[0] != person}
        self._changes = {key: each for key, each in self._changes.items() if each.person != person}
        self.last = number

    @property
    def result(self) -> AllRatings:
        """Return what follows from the entries so far."""
        return AllRatings(self._ratings, self._changes)

    def erased(self, persons: Sequence[Person]) -> bool:
        """Tell whether the ratings of one of these persons were erased."""
        return not self._erased.isdisjoint(persons)

    def matches_of_day(self, persons: Sequence[Person], day: int) -> int:
        """Return how many matches of exactly these persons on a day have counted."""
        return self._played[frozenset(persons), day]

    def rating(self, person: Person, category: str) -> Rating:
        """Return a rating; `NEW` for a person without one."""
        return self._ratings.get((person, category), NEW)

    def put(self, change: RatingChange, rating: Rating) -> None:
        """Add a change, and replace the rating of its person."""
        self._ratings[change.person, change.category] = rating
        self._changes[change.room, change.match, change.seat] = change


TOLERANCE: Final = 1e-6
"""Points by which a rating may differ: other machines round logarithms in another way."""


def differences(stored: AllRatings, computed: AllRatings) -> Iterable[str]:
    """Yield a line for each rating and for each match whose change is not as computed."""
    for key in sorted({*stored.ratings, *computed.ratings}):
        one, other = stored.ratings.get(key), computed.ratings.get(key)
        if not _same_rating(one, other):
            yield f"rating of {key[0]} in {key[1]}: stored {_text(one)}, computed {_text(other)}"
    wrong = {
        key[:2]
        for key in {*stored.changes, *computed.changes}
        if not _same_change(stored.changes.get(key), computed.changes.get(key))
    }
    for room, match in sorted(wrong):
        yield f"match {match} of table {room}: its rating changes are not as computed"


def _same_rating(one: Rating | None, other: Rating | None) -> bool:
    if one is None or other is None:
        return one is other
    return (one.games, one.last) == (other.games, other.last) and _close(
        (one.rating, one.deviation, one.volatility), (other.rating, other.deviation, other.volatility)
    )


def _same_change(one: RatingChange | None, other: RatingChange | None) -> bool:
    if one is None or other is None:
        return one is other
    same = (one.number, one.person, one.category, one.ended) == (
        other.number,
        other.person,
        other.category,
        other.ended,
    )
    return same and _close(
        (one.before, one.after, one.deviation), (other.before, other.after, other.deviation)
    )


def _close(one: Sequence[float], other: Sequence[float]) -> bool:
    return all(abs(a - b) <= TOLERANCE for a, b in zip(one, other, strict=True))


def _text(rating: Rating | None) -> str:
    return "none" if rating is None else f"{rating.rating:.2f} ± {rating.deviation:.2f}, {rating.games} games"
