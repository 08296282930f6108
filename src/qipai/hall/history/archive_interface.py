"""Games that are over: what is listed of them, how they are found again, and who keeps them."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Final, Protocol

from msgspec import Meta, Struct

from qipai.hall.journal.store_interface import Entry
from qipai.kernel.codec import skeleton
from qipai.kernel.ids import Millis, RoomId, Seat

MOST: Final = 100
"""Games that one search returns at most."""


class FinishedGame(Struct, frozen=True):
    """A game that is over, as it is listed; `public` is false where only its link leads to it.

    `bots` has the name of a seat's bot, and nothing where a person sat.
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


class GameFilter(Struct, frozen=True):
    """Which games are wanted, the latest first: `since` and `until` bound the moment at which they ended.

    `player` is a whole name, whichever letters are capitals. `after` is the last game of the page before.
    """

    player: str = ""
    game: str = ""
    since: Millis | None = None
    until: Millis | None = None
    after: tuple[Millis, RoomId, int] | None = None
    limit: Annotated[int, Meta(ge=1, le=MOST)] = 20
    unlisted: bool = False


class Archive(Protocol):
    """Keeps finished games for good. Every method may wait for a disk or a network."""

    def check(self) -> None:
        """Raise `StoreError` if it is out of reach: one is opened whether or not it is there."""

    def keep(self, room: RoomId, history: Sequence[Entry], games: Sequence[FinishedGame]) -> None:
        """Keep a closed room with its games, whole or not at all; keeping it again changes nothing."""

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Return every record of a kept room, oldest first; nothing for one that was not kept."""

    def rooms(self) -> Iterator[RoomId]:
        """Return every kept room, in any order."""

    def search(self, wish: GameFilter) -> Sequence[FinishedGame]:
        """Return the games that were asked for, the latest first."""

    def close(self) -> None:
        """Release everything."""


def folded(name: str) -> str:
    """Return a name as it is searched for: the same for everything that looks the same."""
    return skeleton(name) or name  # Some are made of signs only.
