"""The listing of an archived match has a stored form of its own."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from qipai.hall.history.archive_interface import FinishedGame, GameFilter, PackedMatch
from qipai.hall.journal.store_interface import Entry, StoreError
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.stores.archives.archive_registry import ARCHIVE_FILE, open_archive
from qipai.stores.archives.stored_listing import read_listing, searched_columns, stored_listing

WITHOUT_TWIST = (  # MessagePack
    b"\x98\xa4club\xcd\x03\xe8\x92\xa3Ada\xa2Bo\x92\xa0\xa4easy\x91\x00\xa9checkmate\x1f\x90"
)
WITHOUT_BOT_ACCOUNTS = b"\x99" + WITHOUT_TWIST[1:] + b"\xa4dice"
STORED = b"\x9a" + WITHOUT_BOT_ACCOUNTS[1:] + b"\x91\x01"
EARLIER = (
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
    twist="dice",
    bot_accounts=(Seat(1),),
)
COLUMNS = searched_columns(GAME)


def test_a_stored_listing_is_read_also_with_fields_of_a_later_release() -> None:
    assert read_listing(STORED, COLUMNS) == GAME
    assert read_listing(b"\x9b" + STORED[1:] + b"\xa5added", COLUMNS) == GAME


def test_a_listing_of_an_earlier_schema_is_read() -> None:
    assert read_listing(WITHOUT_BOT_ACCOUNTS, COLUMNS) == replace(GAME, bot_accounts=())
    assert read_listing(EARLIER, COLUMNS) == replace(GAME, twist="", bot_accounts=())
    assert read_listing(WITHOUT_TWIST, COLUMNS) == replace(GAME, twist="", bot_accounts=())
    with pytest.raises(StoreError, match="another match"):
        read_listing(EARLIER.replace(b"k3v9", b"k3v8"), COLUMNS)


def test_a_listing_is_stored_and_found(tmp_path: Path) -> None:
    assert stored_listing(GAME) == STORED
    archive = open_archive(tmp_path, "")
    entry = Entry(GAME.room, 1, Millis(1), b"{}")
    archive.store(GAME.room, [entry], [PackedMatch(GAME, ("p1",), b"body")])
    assert list(archive.search(GameFilter())) == [GAME]
    archive.close()
    with closing(sqlite3.connect(tmp_path / ARCHIVE_FILE)) as connection:
        ((summary,),) = connection.execute("select summary from finished_games").fetchall()
    assert summary == STORED


@pytest.mark.parametrize("stored", [EARLIER.replace(b"31", b"null"), STORED[:-2], b"{}", b"\xff"])
def test_a_listing_that_cannot_be_read_is_an_error(stored: bytes) -> None:
    with pytest.raises(StoreError, match="cannot be read"):
        read_listing(stored, COLUMNS)
