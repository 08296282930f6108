"""The Archive interface: the listed finished game, search filters, store and fetch."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Final, Protocol

from msgspec import Meta, Struct

from qipai.hall.journal.store_interface import Entry
from qipai.hall.ratings.rating_interface import RatingStore
from qipai.kernel.codec import skeleton
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.ratings.rating_values import RatedMatch

SEARCH_LIMIT: Final = 100
"""Most games that one search returns."""


class FinishedGame(Struct, frozen=True):
    """A finished match as it is listed; one that is not `public` is found only by its link.

    `bots` has the name of the bot of each seat, and an empty text where a person sat. `seated` has the person
    of each seat, and is sent to nobody; it is empty for games that an earlier release listed.
    """

    room: RoomId
    match: int
    game: str
    title: str
    public: bool
    began: Millis
    ended: Millis
    names: tuple[str, ...]
    bots: tuple[str, ...]
    winners: tuple[Seat, ...]
    reason: str
    moves: int
    seated: tuple[str, ...] = ()


class GameFilter(Struct, frozen=True):
    """Which public games a search returns, the latest first; `since` and `until` bound the time of their end.

    `player` is a full name in any case. `after` is the last game of the previous page. With a `person`, the
    search returns the games of this person, also those that are not public.
    """

    player: str = ""
    game: str = ""
    since: Millis | None = None
    until: Millis | None = None
    after: tuple[Millis, RoomId, int] | None = None
    limit: Annotated[int, Meta(ge=1, le=SEARCH_LIMIT)] = 20
    person: str = ""


class PackedMatch(Struct, frozen=True):
    """A match for the archive: how it is listed, who played, and its archived match as opaque bytes.

    `rated`: what ratings need of it, if it counts.
    """

    game: FinishedGame
    persons: tuple[str, ...]
    body: bytes
    rated: RatedMatch | None = None


class Archive(Protocol):
    """Stores finished games for good. Every method may wait for a disk or a network."""

    @property
    def damaged(self) -> Mapping[tuple[RoomId, int], str]:
        """Return what was found damaged so far, by room and match (0 for the journal of a room), and how."""

    @property
    def ratings(self) -> RatingStore:
        """Return the ratings, which are stored together with the matches."""

    def check(self) -> None:
        """Raise `StoreError` if the archive cannot be reached or is damaged: opening one does not connect."""

    def store(self, room: RoomId, history: Sequence[Entry], matches: Sequence[PackedMatch]) -> None:
        """Store a closed room with its matches in one transaction; storing it again changes nothing.

        Matches that count are rated in the same transaction, in the order in which they are stored.

        Without a history, the room is open: its matches are stored, and searches find them when it is closed.
        No search finds a match without a move.
        """

    def match(self, room: RoomId, number: int) -> bytes | None:
        """Return the body of a match of an archived room, or None; raise `Damaged` if it is."""

    def match_numbers(self, room: RoomId) -> Sequence[int]:
        """Return the numbers of the matches of an archived room, in ascending order."""

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of an archived room, oldest first; empty for any other room."""

    def rooms(self) -> Iterator[RoomId]:
        """Return every archived room and every open room with archived matches, in any order."""

    def search(self, wanted: GameFilter) -> Sequence[FinishedGame]:
        """Return the games that match a filter, the latest first."""

    def close(self) -> None:
        """Release all resources."""


def search_name(name: str) -> str:
    """Return the form of a name that searches compare: the same for all names that look the same."""
    return skeleton(name) or name  # A name may consist of symbols only, whose skeleton is empty.
