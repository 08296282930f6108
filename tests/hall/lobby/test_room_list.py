"""The live list: whole once, then deltas, coalesced and encoded once."""

import pytest

from qipai.hall.lobby.room_rows import update_interval
from tests.support.stage import EPOCH, Peer, Stage, mark, seat_to_act


def test_followers_get_the_list_and_then_only_changes(stage: Stage) -> None:
    ann = stage.peer("Ann")
    room = ann.ask("open", game="tictactoe", nonce="1")[0]["room"]
    eve = stage.peer("Eve")
    (full,) = eve.ask("lobby")
    assert full["full"]
    assert [(row["id"], row["names"], row["phase"]) for row in full["rooms"]] == [
        (room["id"], ["Ann", None], "waiting")
    ]
    stage.wait(0.2)
    eve.heard()
    bob = stage.peer("Bob")
    bob.ask("join", room=room["id"])
    stage.wait(0.2)
    (delta,) = eve.heard()
    assert "full" not in delta
    assert [(row["names"], row["phase"]) for row in delta["rooms"]] == [(["Ann", "Bob"], "playing")]
    bob.ask("resign", room=room["id"])
    stage.wait(0.2)
    (gone,) = eve.heard()
    assert gone["gone"] == [room["id"]]


def test_moves_do_not_disturb_the_lobby(stage: Stage) -> None:
    ann, bob, shown = stage.table()
    eve = stage.peer("Eve")
    eve.ask("lobby")
    stage.wait(0.2)
    eve.heard()
    (ann, bob)[seat_to_act(shown)].ask("play", **mark(shown["room"]["id"], 4))
    stage.wait(1)
    assert eve.heard() == []


def test_many_changes_in_a_moment_are_one_message(stage: Stage) -> None:
    eve = stage.peer("Eve")
    eve.ask("lobby")
    stage.wait(0.2)
    eve.heard()
    for number in range(20):
        stage.peer(f"P{number}").ask("open", game="tictactoe", nonce="1")
    stage.wait(0.3)
    heard = eve.heard()
    assert len(heard) == 1
    assert len(heard[0]["rooms"]) == 20
    assert heard[0]["online"] == 21


def test_unlisted_tables_are_never_listed(stage: Stage) -> None:
    eve = stage.peer("Eve")
    eve.ask("lobby")
    stage.peer("Ann").ask("open", game="tictactoe", nonce="1", table={"public": False})
    stage.wait(0.3)
    assert all("rooms" not in news for news in eve.heard())
    (full,) = Peer(stage).stage.peer("Wat").ask("lobby")
    assert "rooms" not in full


def test_who_stops_following_hears_no_more(stage: Stage) -> None:
    eve = stage.peer("Eve")
    eve.ask("lobby")
    eve.ask("lobby", on=False)
    stage.peer("Ann").ask("open", game="tictactoe", nonce="1")
    stage.wait(0.3)
    assert eve.heard() == []


def test_the_same_person_twice_counts_once(stage: Stage) -> None:
    ann = stage.peer("Ann")
    Peer(stage).hello(ann.token)
    (full,) = ann.ask("lobby")
    assert full["online"] == 1


def test_nothing_is_remembered_for_followers_that_are_not_there(stage: Stage) -> None:
    for number in range(20):
        ann = stage.peer(f"P{number}")
        room = ann.ask("open", game="tictactoe", nonce="1")[0]["room"]["id"]
        ann.ask("leave", room=room)
    (full,) = stage.peer("Eve").ask("lobby")
    assert "gone" not in full
    assert stage.hall.room_list._dirty == {}


@pytest.mark.parametrize(
    ("readers", "seconds"), [(0, 0.1), (1, 0.1), (500, 0.1), (1_000, 0.2), (20_000, 4.0)]
)
def test_a_crowd_is_told_less_often_so_that_it_never_takes_the_servers_time(
    readers: int, seconds: float
) -> None:
    assert update_interval(readers) == pytest.approx(seconds)


def test_a_row_says_who_sits_where_who_is_a_bot_who_is_gone_and_since_when(stage: Stage) -> None:
    ann, _, shown = stage.table(title="Club night", clock={"main": [60000]})
    stage.wait(3)
    cyd = stage.peer("Cyd")
    clock = {"main": [60000]}
    options = {"dice": "free"}
    cyd.ask("open", game="chess", nonce="c", bot="level1", options=options, table={"clock": clock})
    eve = stage.peer("Eve")
    eve.ask("watch", room=shown["room"]["id"])
    rows = {row["game"]: row for row in eve.ask("lobby")[0]["rooms"]}
    played, against = rows["tictactoe"], rows["chess"]
    names = [chair["name"] for chair in shown["room"]["seats"]]
    assert played["seats"] == [{"name": name} for name in names]
    assert (played["phase"], played["title"], played["spectators"]) == ("playing", "Club night", 1)
    assert played["since"] == EPOCH
    assert against["since"] == EPOCH + 3_000
    assert against["seats"] == [{"name": "Cyd"}, {"name": "Level1", "bot": "level1"}]
    assert (against["clock"], against["options"]["dice"]) == (clock, "free")
    ann.cut()
    stage.wait(6)
    (row,) = eve.heard()[-1]["rooms"]
    assert row["seats"][names.index("Ann")] == {"name": "Ann", "disconnected": True}
