"""All games of a person as a ZIP file: complete, private ones too, bounded, and patient."""

import asyncio
import gzip
import io
from collections.abc import Callable, Sequence
from typing import Any, cast
from zipfile import ZipFile

import pytest

from qipai.hall.history.archive_interface import FinishedGame, GameFilter
from qipai.hall.history.finished_games import FinishedGames, TooManyFromAddress, TooManyRequests
from qipai.hall.history.game_files import FoundFile
from qipai.hall.people.address_refusals import AddressLimit, AddressRefusals
from qipai.kernel.ids import Millis, Person, RoomId, Seat
from qipai.server.people import games_zip
from qipai.server.people.games_zip import MOST_DOWNLOADS, GamesDownloads

ADA = Person("p-ada")
ADDRESS = "192.0.2.7"
DAY = 24 * 60 * 60 * 1000


class Games:
    """As many games of a person as wanted, the first of which ended last."""

    def __init__(self, count: int, refuse: Callable[[], bool] = lambda: False) -> None:
        self.games = [
            FinishedGame(
                RoomId(f"r{number:05}"), 1, "chess", "", False, Millis(0), Millis(number * DAY),
                ("Ada", "Bo"), ("", ""), (Seat(0),), "mate", 9, (ADA, "p-bo"), "plain",
            )
            for number in range(count, 0, -1)
        ]  # fmt: skip
        self.refuse = refuse
        self.kept: set[bool] = set()

    async def search_own(self, wanted: GameFilter, *, address: str) -> Sequence[FinishedGame]:
        assert (wanted.person, address) == (ADA, ADDRESS)
        if self.refuse():
            raise TooManyRequests
        key = wanted.after
        later = [game for game in self.games if key is None or (game.ended, game.room, game.match) < key]
        return later[: wanted.limit]

    async def record(self, room: RoomId, match: int, *, address: str, kept: bool) -> FoundFile | None:
        if self.refuse():
            raise TooManyRequests
        self.kept.add(kept)
        text = f'[Event "{room}"]'.encode()
        return None if room == "r00002" else FoundFile(gzip.compress(text), f"chess-{room}-{match}.pgn")


def downloads(games: Games, refused: AddressRefusals | None = None) -> GamesDownloads:
    return GamesDownloads(cast(FinishedGames, games), AddressRefusals() if refused is None else refused)


def downloaded(games: Games) -> ZipFile:
    async def read() -> list[bytes]:
        return [part async for part in downloads(games).zip_file(ADA, ADDRESS)]

    return ZipFile(io.BytesIO(b"".join(asyncio.run(read()))))


def test_the_file_has_every_game_that_can_be_read() -> None:
    games = Games(250)
    found = downloaded(games)
    assert found.testzip() is None
    assert len(found.namelist()) == len(set(found.namelist())) == 249, "one game has no notation"
    assert found.namelist()[-1] == "1970-01-02-chess-r00001-1.pgn"
    assert found.read("1970-01-02-chess-r00001-1.pgn") == b'[Event "r00001"]'
    assert games.kept == {False}, "what others look at stays in memory"


def test_a_person_without_games_has_an_empty_file() -> None:
    assert downloaded(Games(0)).namelist() == []


def test_the_file_has_the_last_games_if_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_zip, "MOST_GAMES", 120)
    names = downloaded(Games(250)).namelist()
    assert len(names) == 120
    assert "r00250" in names[0]
    assert "r00131" in names[-1]


def test_a_busy_server_is_asked_again_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games_zip, "PAUSE", 0)
    turns = iter(range(10_000))
    assert len(downloaded(Games(20, lambda: next(turns) % 3 > 0)).namelist()) == 19
    with pytest.raises(TooManyRequests):
        downloaded(Games(20, lambda: True))


def test_an_address_has_one_download_and_all_have_a_few() -> None:
    refused = AddressRefusals()
    running = downloads(Games(1), refused)
    held: list[Any] = [running.place(f"192.0.2.{number}") for number in range(MOST_DOWNLOADS)]
    held[0].__enter__()
    with pytest.raises(TooManyFromAddress), running.place("192.0.2.0"):
        pass
    assert refused[AddressLimit.REPLAYS] == 1
    for place in held[1:]:
        place.__enter__()
    with pytest.raises(TooManyRequests), running.place("192.0.2.99"):
        pass
    held[0].__exit__(None, None, None)
    with running.place("192.0.2.0"):
        pass
