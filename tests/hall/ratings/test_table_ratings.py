"""Ratings beside the players: at rated tables, in the room list, and of bots."""

import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from qipai.games.game import Game
from qipai.games.game_registry import GAMES
from qipai.hall.history.archive_interface import Archive
from qipai.hall.history.archived_match import pack
from qipai.kernel.ids import Person, RoomId
from qipai.stores.archives.archive_registry import open_archive
from tests.support.hall_simulation import HallSimulation, Message, NativeClient, seat_to_act
from tests.support.rated_matches import rated

RATED: dict[str, Any] = {
    "rated": True,
    "undo_allowed": False,
    "clock": {"main": [180_000], "increment": 2_000},
}
MEASURED = [game for game in GAMES.values() if game.bot_ratings]
UNKNOWN = {"rating": 1500, "provisional": True}
STRANGER = Person("stranger")
ENDED = 1_600_000_000_000
WON, LOST = {"rating": 1662, "provisional": True}, {"rating": 1338, "provisional": True}
"""Glicko-2 of two new players, as in docs/ratings.md."""


@pytest.fixture
def archive(tmp_path: Path) -> Iterator[Archive]:
    with closing(open_archive(tmp_path, "")) as opened:
        yield opened


@pytest.fixture
def simulation(archive: Archive) -> Iterator[HallSimulation]:
    with HallSimulation(archive=archive) as made:
        yield made


def person(one: NativeClient) -> Person:
    assert one.connection.person is not None
    return one.connection.person


def wins(archive: Archive, room: str, winner: Person, loser: Person, **more: Any) -> None:
    archive.store(RoomId(room), (), [pack(rated(room, (winner, loser), (1, 2), ENDED, **more))])


def look(simulation: HallSimulation, archive: Archive) -> None:
    """Let the server learn of ratings, as it does every few seconds."""
    simulation.run(simulation.hall.history.rating_directory._look(archive))
    simulation.settle()


def open_table(one: NativeClient, game: str = "chess", **more: Any) -> Message:
    shown, *_ = one.ask("open", **{"game": game, "nonce": "n", "table": RATED} | more)
    assert shown["type"] == "room", shown
    return dict(shown["room"])


def ratings_told(notices: list[Message]) -> list[Any]:
    return [notice["ratings"] for notice in notices if notice["type"] == "ratings"]


def test_players_and_spectators_of_a_rated_table_see_both_ratings(
    simulation: HallSimulation, archive: Archive
) -> None:
    ada, bo, eve = simulation.account("Ada"), simulation.account("Bo"), simulation.native_client("Eve")
    wins(archive, "earlier", person(ada), STRANGER)
    look(simulation, archive)
    room = open_table(ada)
    assert room["ratings"] == [WON, None]
    (shown,) = bo.ask("join", room=room["id"])
    assert shown["room"]["ratings"] == [WON, UNKNOWN]
    assert ratings_told(ada.received()) == [[WON, UNKNOWN]]
    assert eve.ask("watch", room=room["id"])[0]["room"]["ratings"] == [WON, UNKNOWN]


def test_another_category_has_another_rating(simulation: HallSimulation, archive: Archive) -> None:
    ada = simulation.account("Ada")
    wins(archive, "earlier", person(ada), STRANGER, category="chess-rapid")
    look(simulation, archive)
    assert open_table(ada)["ratings"] == [UNKNOWN, None]


def test_a_new_rating_is_told_at_the_table_and_after_a_resume(
    simulation: HallSimulation, archive: Archive
) -> None:
    ada, bo = simulation.account("Ada"), simulation.account("Bo")
    look(simulation, archive)
    room = open_table(ada)["id"]
    (shown,) = bo.ask("join", room=room)
    assert shown["room"]["ratings"] == [UNKNOWN, UNKNOWN]
    ada.received()
    wins(archive, "another", person(bo), STRANGER)
    wins(archive, "third", STRANGER, person(ada), category="chess-rapid")  # Not that of this table.
    look(simulation, archive)
    assert ratings_told(ada.received()) == ratings_told(bo.received()) == [[UNKNOWN, WON]]
    resumed = ada.ask("resume", room=room, version=shown["version"])
    until = time.monotonic() + 60
    while not ratings_told(resumed) and time.monotonic() < until:  # A thread reads what was missed.
        simulation.settle()
        resumed += ada.received()
    assert ratings_told(resumed) == [[UNKNOWN, WON]]
    look(simulation, archive)
    assert ratings_told(ada.received()) == []


def test_a_player_who_leaves_takes_the_rating_along(simulation: HallSimulation, archive: Archive) -> None:
    ada, eve = simulation.account("Ada"), simulation.native_client("Eve")
    look(simulation, archive)
    room = open_table(ada, table=RATED | {"empty_timeout": 60})["id"]
    eve.ask("watch", room=room)
    ada.ask("leave", room=room)
    assert ratings_told(eve.received()) == [[]]


def test_the_room_list_has_the_ratings_of_rated_tables_only(
    simulation: HallSimulation, archive: Archive
) -> None:
    ada, eve = simulation.account("Ada"), simulation.native_client("Eve")
    wins(archive, "earlier", person(ada), STRANGER)
    look(simulation, archive)
    open_table(ada)
    open_table(ada, nonce="m", table={"clock": RATED["clock"]})
    (listed,) = eve.ask("lobby")
    assert sorted((row.get("rated", False), row["seats"][0].get("rating")) for row in listed["rooms"]) == [
        (False, None),
        (True, WON),
    ]


def test_moves_look_nothing_up(
    simulation: HallSimulation, archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bo = simulation.account("Ada"), simulation.account("Bo")
    look(simulation, archive)
    room = open_table(ada)["id"]
    (shown,) = bo.ask("join", room=room)
    asked: list[Person] = []
    directory = simulation.hall.history.rating_directory
    monkeypatch.setattr(directory, "known", lambda person, category: asked.append(person))
    seats = {shown["you"]: bo, 1 - shown["you"]: ada}
    mover = seat_to_act(shown)
    for ply, uci in enumerate(("e2e4", "e7e5", "g1f3")):
        moved = seats[(mover + ply) % 2].ask("play", room=room, move={"do": "move", "uci": uci})
        assert any(notice["type"] == "events" for notice in moved)
    assert asked == []


def test_spectators_of_a_delayed_table_learn_no_result_from_a_rating(
    simulation: HallSimulation, archive: Archive
) -> None:
    ada, bo, eve = simulation.account("Ada"), simulation.account("Bo"), simulation.native_client("Eve")
    look(simulation, archive)
    room = open_table(ada, table=RATED | {"spectator_delay": 60})["id"]
    bo.ask("join", room=room)
    ada.received()
    eve.ask("lobby")
    eve.ask("watch", room=room)
    wins(archive, "first", person(ada), STRANGER)
    look(simulation, archive)
    assert ratings_told(ada.received()) == [[WON, UNKNOWN]]
    simulation.wait(1)
    told = eve.received()
    assert ratings_told(told) == []
    assert '"rating"' not in str(told).replace("'", '"')


def test_without_an_archive_no_rating_is_shown() -> None:
    with HallSimulation() as simulation:
        assert "ratings" not in open_table(simulation.account("Ada"))


def test_a_bot_has_its_measured_rating_where_one_is_known(simulation: HallSimulation) -> None:
    ann, eve = simulation.native_client("Ann"), simulation.native_client("Eve")
    found: list[list[Any]] = []
    for game, bot in (("gomoku", "easy"), ("tictactoe", "random")):
        room = open_table(ann, game, nonce=game, table={}, bot=bot)["id"]
        simulation.finish_bot_decisions()
        found.append(eve.ask("watch", room=room)[0]["room"].get("ratings", []))
    easy = GAMES["gomoku"].bot_ratings["free"]["easy"]
    assert found == [[None, {"rating": easy, "about": True}], []]


@pytest.mark.parametrize("game", MEASURED, ids=lambda one: one.name)
def test_every_bot_was_measured_and_a_later_one_is_not_weaker(game: Game) -> None:
    for twist, ratings in game.bot_ratings.items():
        assert list(ratings) == list(game.bots), twist
        assert [*ratings.values()] == sorted(ratings.values()), twist
        assert all(rating % 50 == 0 for rating in ratings.values()), "measured no more exactly than that"
    assert game.engine_twists <= game.bot_ratings.keys()


@pytest.mark.parametrize("engine", [False, True])
def test_clients_learn_the_ratings_of_bots_unless_an_engine_plays(engine: bool) -> None:
    game = GAMES["chess"]
    shown = game.shown_bot_ratings(engine=engine)
    assert shown.keys() == game.bot_ratings.keys() - (game.engine_twists if engine else set())
    with HallSimulation() as simulation:
        described = {each["name"]: each for each in NativeClient(simulation).hello()["games"]}
    (renju,) = (each for each in described["gomoku"]["bot_ratings"] if each["twist"] == "renju")
    assert (
        dict(zip(described["gomoku"]["bots"], renju["ratings"], strict=True))
        == GAMES["gomoku"].bot_ratings["renju"]
    )
    assert "bot_ratings" not in described["tictactoe"]
