"""What a server has instead of an archive that is damaged: every use says so."""

from collections.abc import Iterator, Mapping, Sequence

from qipai.hall.history.archive_interface import (
    FinishedGame,
    GameFilter,
    HeadToHead,
    PackedMatch,
    PersonSummary,
)
from qipai.hall.journal.store_interface import Damaged, Entry
from qipai.hall.ratings.rating_interface import RatingStore
from qipai.kernel.ids import RoomId


class DamagedArchive:
    """Has nothing and takes nothing, so closed rooms wait in the journal."""

    damaged: Mapping[tuple[RoomId, int], str] = {}

    def __init__(self, cause: str) -> None:
        self._cause = cause

    def check(self) -> None:
        """Raise `Damaged`."""
        raise Damaged(self._cause)

    def store(self, room: RoomId, history: Sequence[Entry], matches: Sequence[PackedMatch]) -> None:
        """Raise `Damaged`."""
        raise Damaged(self._cause)

    def match(self, room: RoomId, number: int) -> bytes | None:
        """Raise `Damaged`."""
        raise Damaged(self._cause)

    def match_numbers(self, room: RoomId) -> Sequence[int]:
        """Raise `Damaged`."""
        raise Damaged(self._cause)

    def history(self, room: RoomId) -> Sequence[Entry]:
        """Raise `Damaged`."""
        raise Damaged(self._cause)

    def rooms(self) -> Iterator[RoomId]:
        """Raise `Damaged`."""
        raise Damaged(self._cause)

    def search(self, wanted: GameFilter) -> Sequence[FinishedGame]:
        """Raise `Damaged`."""
        raise Damaged(self._cause)

    @property
    def ratings(self) -> RatingStore:
        """Raise `Damaged`."""
        raise Damaged(self._cause)

    def summary(self, person: str, *, public_only: bool) -> PersonSummary:
        """Raise `Damaged`."""
        raise Damaged(self._cause)

    def head_to_head(self, person: str, other: str, *, public_only: bool) -> HeadToHead:
        """Raise `Damaged`."""
        raise Damaged(self._cause)

    def close(self) -> None:
        """Do nothing."""
