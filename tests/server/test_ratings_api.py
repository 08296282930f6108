"""Ratings, leaderboards and rating changes over HTTP."""

import asyncio
import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.types import Message

from qipai.games.game_registry import GAMES
from qipai.hall.accounts.account_interface import Account
from qipai.hall.hall import Hall
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archived_match import pack
from qipai.hall.history.finished_games import TooManyFromAddress, TooManyRequests
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.ratings.ratings import ACTIVE_DAYS
from qipai.kernel.ids import Millis, Person, RoomId
from qipai.ratings.rating_values import DAY, AllRatings, Rating
from qipai.server.ratings_api import routes
from qipai.stores.archives.archive_registry import open_archive
from qipai.stores.memory_store import MemoryStore
from tests.support.rated_matches import rated

NOON = Millis(20_000 * DAY + DAY // 2)
ADA, BO = Person("p1"), Person("p2")
PATHS = (
    "/api/ratings/Ada",
    "/api/leaderboards",
    "/api/leaderboards/chess-blitz",
    "/api/games/r/1/ratings",
)


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with closing(open_archive(tmp_path, "")) as opened:
        yield opened


def hall_with(archive: Archive | None) -> Hall:
    hall = Hall(GAMES, MemoryStore(), lambda: NOON, archive=archive)
    for person, name in ((ADA, "Ada"), (BO, "小波")):
        skeleton = hall.account_services.names.skeleton(name)
        hall.account_services.directory.put(Account(person, name, skeleton, NOON))
    return hall


def get(hall: Hall, path: str) -> tuple[int, Any, dict[bytes, bytes]]:
    """Return status, JSON and headers of the response."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "headers": [],
        "query_string": b"",
    }
    asyncio.run(Starlette(routes=routes(hall))(scope, receive, send))
    return sent[0]["status"], json.loads(sent[1]["body"]), dict(sent[0]["headers"])


def test_the_ratings_of_an_account_are_found_by_its_name(archive: Archive) -> None:
    for number in range(2):
        match = rated("r", (ADA, BO), (1, 2), NOON + number, match=number + 1)
        archive.store(RoomId("r"), (), [pack(match)])
    hall = hall_with(archive)
    status, body, headers = get(hall, "/api/ratings/ADA")
    assert (status, body["name"], headers[b"cache-control"]) == (200, "Ada", b"no-cache")
    (rating,) = body["ratings"]
    stored = archive.ratings.ratings(ADA)["chess-blitz"]
    points = [[each.ended, round(each.after, 1)] for each in archive.ratings.curve(ADA, "chess-blitz")][::-1]
    assert rating == {
        "category": "chess-blitz",
        "rating": round(stored.rating, 1),
        "deviation": round(stored.deviation, 1),
        "provisional": True,
        "games": 2,
        "last": NOON + 1,
        "change": pytest.approx(points[1][1] - points[0][1], abs=0.11),
        "curve": points,
    }
    assert points[0][0] < points[1][0]
    assert get(hall, "/api/ratings/小波")[1]["ratings"][0]["change"] < 0


def test_an_account_without_rated_games_has_no_ratings(archive: Archive) -> None:
    assert get(hall_with(archive), "/api/ratings/Ada")[:2] == (200, {"name": "Ada", "ratings": []})


@pytest.mark.parametrize("name", ["Eve", "x" * 5_000, "%00", "' or 1 = 1 --"])
def test_a_name_without_an_account_is_not_found(archive: Archive, name: str) -> None:
    status, body, _ = get(hall_with(archive), f"/api/ratings/{name}")
    assert (status, set(body)) == (404, {"error"})


def test_the_changes_of_a_match_are_listed_by_seat(archive: Archive) -> None:
    archive.store(RoomId("r"), (), [pack(rated("r", (BO, ADA), (2, 1), NOON))])
    _, body, _ = get(hall_with(archive), "/api/games/r/1/ratings")
    assert body["category"] == "chess-blitz"
    bo, ada = body["changes"]
    assert (bo["seat"], bo["name"], bo["before"], bo["provisional"]) == (0, "小波", 1500.0, True)
    assert (ada["seat"], ada["name"], ada["change"]) == (1, "Ada", round(ada["after"] - 1500, 1))
    assert bo["change"] == -ada["change"] < 0


@pytest.mark.parametrize("path", ["/api/games/r/2/ratings", "/api/games/other/1/ratings"])
def test_a_match_that_did_not_count_changed_nothing(archive: Archive, path: str) -> None:
    archive.store(RoomId("r"), (), [pack(rated("r", (ADA, BO), (1, 2), NOON))])
    assert get(hall_with(archive), path)[:2] == (200, {"category": "", "changes": []})


def test_a_leaderboard_has_accounts_and_a_distribution_but_no_persons(archive: Archive) -> None:
    active = NOON - ACTIVE_DAYS * DAY
    ratings = {
        (ADA, "chess-blitz"): Rating(1612.34, 70.0, 0.06, 30, Millis(active)),
        (BO, "chess-blitz"): Rating(1700.0, 50.0, 0.06, 90, NOON),
        (Person("p3"), "chess-blitz"): Rating(1900.0, 50.0, 0.06, 90, Millis(active - 1)),
        (Person("p4"), "chess-blitz"): Rating(1710.0, 50.0, 0.06, 90, NOON),
    }
    archive.ratings.replace(0, AllRatings(ratings, {}))
    hall = hall_with(archive)
    status, body, _ = get(hall, "/api/leaderboards/chess-blitz")
    assert status == 200
    assert body == {
        "category": "chess-blitz",
        "players": [
            {"name": "小波", "rating": 1700.0, "deviation": 50.0, "provisional": False, "games": 90,
             "last": NOON},
            {"name": "Ada", "rating": 1612.3, "deviation": 70.0, "provisional": False, "games": 30,
             "last": active},
        ],
        "bucket": 50,
        "distribution": [[1600, 1], [1700, 2]],
    }  # fmt: skip
    assert get(hall, "/api/leaderboards/gomoku-renju")[1]["players"] == []


def test_all_categories_are_listed_with_the_players_whom_their_leaderboard_counts(archive: Archive) -> None:
    ratings = {
        (ADA, "chess-blitz"): Rating(1612.3, 70.0, 0.06, 30, NOON),
        (BO, "chess-blitz"): Rating(1700.0, 50.0, 0.06, 90, NOON),
        (ADA, "gomoku-renju"): Rating(1500.0, 110.1, 0.06, 3, NOON),
        (BO, "gomoku-renju"): Rating(1500.0, 60.0, 0.06, 3, Millis(NOON - ACTIVE_DAYS * DAY - 1)),
        (BO, "mahjong-16"): Rating(1500.0, 110.0, 0.06, 3, Millis(NOON - ACTIVE_DAYS * DAY)),
    }
    archive.ratings.replace(0, AllRatings(ratings, {}))
    status, body, _ = get(hall_with(archive), "/api/leaderboards")
    assert status == 200
    counted = {each["category"]: each["players"] for each in body["categories"]}
    assert len(counted) == len(body["categories"]) == 13
    assert {name: players for name, players in counted.items() if players} == {
        "chess-blitz": 2,
        "mahjong-16": 1,
    }


@pytest.mark.parametrize("category", ["tictactoe", "chess", "blitz", "nothing"])
def test_an_unknown_category_is_not_found(archive: Archive, category: str) -> None:
    status, body, _ = get(hall_with(archive), f"/api/leaderboards/{category}")
    assert (status, set(body)) == (404, {"error"})


@pytest.mark.parametrize("path", PATHS)
def test_without_an_archive_there_are_no_ratings(path: str) -> None:
    status, body, _ = get(hall_with(None), path)
    assert status == 200
    assert not any(body.get(part) for part in ("ratings", "players", "changes", "distribution"))
    assert not any(each["players"] for each in body.get("categories", ()))


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize(
    ("error", "status", "seconds"),
    [(TooManyFromAddress(), 429, b"2"), (TooManyRequests(), 503, b"2"), (StoreError("away"), 503, b"60")],
    ids=["address", "all", "archive"],
)
def test_a_busy_server_says_when_to_ask_again(
    archive: Archive,
    monkeypatch: pytest.MonkeyPatch,
    path: str,
    error: Exception,
    status: int,
    seconds: bytes,
) -> None:
    hall = hall_with(archive)

    def refuse(*_: object) -> None:
        raise error

    monkeypatch.setattr(hall.ratings, "_run", refuse)
    found, _, headers = get(hall, path)
    assert (found, headers[b"retry-after"], headers[b"cache-control"]) == (status, seconds, b"no-store")
