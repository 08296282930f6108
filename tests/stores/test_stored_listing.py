"""The listing of an archived match has a stored form of its own."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from qipai.hall.history.archive_interface import FinishedGame, GameFilter, PackedMatch
from qipai.hall.journal.store_interface import Entry, StoreError
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, open_archive
from qipai.stores.archives.stored_listing import read_listing, stored_listing

STORED = (
    b'{"room":"k3v9","match":2,"game":"chess","title":"club","public":true,"began":1000,"ended":5000,'
    b'"names":["Ada","Bo"],"bots":["","easy"],"winners":[0],"reason":"checkmate","moves":31}'
)
GAME = FinishedGame(
    RoomId("k3v9"),
    2,
    "chess",
    "club",
    True,
    Millis(1000),
    Millis(5000),
    ("Ada", "Bo"),
    ("", "easy"),
    (Seat(0),),
    "checkmate",
    31,
)


def test_a_stored_listing_is_read_also_with_fields_of_a_later_release() -> None:
    assert read_listing(STORED) == GAME
    assert read_listing(STORED.replace(b'"moves"', b'"added_later":true,"moves"')) == GAME


def test_a_listing_is_stored_and_found(tmp_path: Path) -> None:
    assert stored_listing(GAME) == STORED
    archive = open_archive(tmp_path, "")
    entry = Entry(GAME.room, 1, Millis(1), b"{}")
    archive.store(GAME.room, [entry], [PackedMatch(GAME, ("p1",), b"body")])
    assert list(archive.search(GameFilter())) == [GAME]
    archive.close()
    with closing(sqlite3.connect(tmp_path / ARCHIVE_FILE)) as connection:
        ((summary,),) = connection.execute("select summary from finished_games").fetchall()
    assert json.loads(summary) == json.loads(STORED)


@pytest.mark.parametrize("stored", [STORED.replace(b"31", b"null"), b"{}", b"\xff"])
def test_a_listing_that_cannot_be_read_is_an_error(stored: bytes) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        read_listing(stored)
