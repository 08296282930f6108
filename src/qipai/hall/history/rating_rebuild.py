"""Computes all ratings again from the archived matches, in the sequence in which the archive took them."""

from collections.abc import Iterable

from qipai.hall.journal.store_interface import StoreError
from qipai.ratings.rating_replay import RatingReplay, differences
from qipai.ratings.rating_values import SequenceEntry

from .archive_interface import Archive
from .archived_match import list_packed, rated_match, unpack


def rebuild(archive: Archive) -> tuple[int, list[str]]:
    """Replace all ratings by those of a replay; return its matches and erasures, and what differed.

    Raise `StoreError` if a match cannot be read: then nothing is changed.
    """
    replay = RatingReplay()
    while True:
        _replay_on(archive, replay)
        last, stored = archive.ratings.all()
        if last == replay.last and archive.ratings.replace(last, replay.result):
            return last, list(differences(stored, replay.result))


def compare(archive: Archive) -> list[str]:
    """Return what differs between the ratings and those of a replay, or raise `StoreError`."""
    replay = RatingReplay()
    while True:
        _replay_on(archive, replay)
        last, stored = archive.ratings.all()
        if last == replay.last:
            return list(differences(stored, replay.result))


def rate_again(archive: Archive, entries: Iterable[SequenceEntry]) -> None:
    """Append entries of another archive to the sequence, without the matches that this archive lacks."""
    for entry in entries:
        if entry.person:
            archive.ratings.erase(entry.person)
        elif (body := archive.match(entry.room, entry.match)) is not None:
            archive.store(entry.room, (), [list_packed(body)])


def _replay_on(archive: Archive, replay: RatingReplay) -> None:
    """Apply the entries of the sequence that a replay lacks."""
    for entry in archive.ratings.sequence(replay.last):
        if entry.person:
            replay.erase(entry.number, entry.person)
            continue
        body = archive.match(entry.room, entry.match)
        if body is None:
            raise StoreError(f"rated match {entry.match} of table {entry.room} is missing in the archive")
        replay.apply(entry.number, rated_match(unpack(body)))
