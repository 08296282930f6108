"""The Archive interface: the listed finished game, search filters, store and fetch."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, Final, NamedTuple, Protocol

from msgspec import Meta, Struct

from qipai.hall.journal.store_interface import Entry
from qipai.hall.ratings.rating_interface import RatingStore
from qipai.kernel.codec import skeleton
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.ratings.rating_values import RatedMatch

SEARCH_LIMIT: Final = 100
"""Most games that one search returns."""
MOST_COUNTED: Final = 10_000
"""Most games of a person that are counted."""
LAST_RESULTS: Final = 5
"""Results that are returned of two persons."""


class GameResult(StrEnum):
    """How a game ended for a person."""

    WON = "won"
    LOST = "lost"
    DRAWN = "drawn"


class Opponents(StrEnum):
    """Whom a person played against: `people` if at least one other player was no bot or bot account."""

    PEOPLE = "people"
    BOTS = "bots"


class FinishedGame(Struct, frozen=True):
    """A finished match as it is listed; one that is not `public` is found only by its link.

    `bots` has the name of the bot of each seat, and an empty text where a person sat. `seated` has the person
    of each seat, and is sent to nobody. It is empty for games that an earlier release listed, and so is
    `twist`, which is also empty for games that have none. `bot_accounts`: the seats of bot accounts.
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
    twist: str = ""
    bot_accounts: tuple[Seat, ...] = ()


class GameFilter(Struct, frozen=True):
    """Which public games a search returns, the latest first; `since` and `until` bound the time of their end.

    `player` is a full name in any case. `after` is the last game of the previous page. With a `person`, the
    search returns the games of this person, also those that are not public, unless `public_only`.

    The following are for a search with a person. `result` and `against` are those of the person, as of
    `result_of` and `opponents_of`. `opponent` is the full name of somebody else at the table, and
    `opponent_person` the person of somebody else.
    """

    player: str = ""
    game: str = ""
    since: Millis | None = None
    until: Millis | None = None
    after: tuple[Millis, RoomId, int] | None = None
    limit: Annotated[int, Meta(ge=1, le=SEARCH_LIMIT)] = 20
    person: str = ""
    public_only: bool = False
    twist: str = ""
    result: GameResult | None = None
    against: Opponents | None = None
    opponent: str = ""
    opponent_person: str = ""


class ResultCount(NamedTuple):
    """How many games of a person ended with a result; `result` and `against` are empty if unknown."""

    game: str
    twist: str
    against: str
    result: str
    games: int


class PersonSummary(NamedTuple):
    """The last games of a person, at most `MOST_COUNTED`, in numbers; streaks are of games with a result."""

    counts: tuple[ResultCount, ...] = ()
    longest_wins: int = 0
    streak_result: str = ""
    streak: int = 0


class HeadToHead(NamedTuple):
    """Games of two persons at one table, from the view of the first one; `last` has the last results."""

    won: int = 0
    lost: int = 0
    drawn: int = 0
    last: tuple[str, ...] = ()


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

    def summary(self, person: str, *, public_only: bool) -> PersonSummary:
        """Return the results of a person."""

    def head_to_head(self, person: str, other: str, *, public_only: bool) -> HeadToHead:
        """Return the results of a person against another one."""

    def close(self) -> None:
        """Release all resources."""


def search_name(name: str) -> str:
    """Return the form of a name that searches compare: the same for all names that look the same."""
    return skeleton(name) or name  # A name may consist of symbols only, whose skeleton is empty.


def result_of(game: FinishedGame, person: str) -> GameResult | None:
    """Return how a game ended for a person; None if the person did not sit there at its start."""
    if person not in game.seated:
        return None
    if not game.winners:
        return GameResult.DRAWN
    return GameResult.WON if game.seated.index(person) in game.winners else GameResult.LOST


def opponents_of(game: FinishedGame, person: str) -> Opponents | None:
    """Return whom a person played against; None if the person did not sit there at its start."""
    if person not in game.seated:
        return None
    others = (
        bot or seat in game.bot_accounts
        for seat, bot in enumerate(game.bots)
        if game.seated[seat] != person and game.names[seat]
    )
    return Opponents.BOTS if all(others) else Opponents.PEOPLE


def is_wanted(game: FinishedGame, wanted: GameFilter) -> bool:
    """Tell whether a search for games of a person returns this one, apart from its pages."""
    others = [
        (seated, search_name(name))
        for seated, name, bot in zip(game.seated, game.names, game.bots, strict=True)
        if seated != wanted.person and name and not bot
    ]
    return (
        (game.public or not wanted.public_only)
        and wanted.game in ("", game.game)
        and wanted.twist in ("", game.twist)
        and wanted.result in (None, result_of(game, wanted.person))
        and wanted.against in (None, opponents_of(game, wanted.person))
        and (wanted.since is None or game.ended >= wanted.since)
        and (wanted.until is None or game.ended < wanted.until)
        and (not wanted.opponent or search_name(wanted.opponent) in {name for _, name in others})
        and wanted.opponent_person in {"", *(seated for seated, _ in others)}
    )
