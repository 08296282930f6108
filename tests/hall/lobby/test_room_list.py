"""The room list: sent once in full, then as changes, each encoded once."""

import pytest

from qipai.hall.lobby.room_rows import update_interval
from tests.support.hall_simulation import EPOCH, HallSimulation, NativeClient, mark, seat_to_act


def test_subscribers_receive_the_list_and_then_only_changes(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    room = ann.ask("open", game="tictactoe", nonce="1")[0]["room"]
    eve = simulation.native_client("Eve")
    (full,) = eve.ask("lobby")
    assert full["full"]
    assert [(row["id"], row["names"], row["phase"]) for row in full["rooms"]] == [
        (room["id"], ["Ann", None], "waiting")
    ]
    simulation.wait(0.2)
    eve.received()
    bob = simulation.native_client("Bob")
    bob.ask("join", room=room["id"])
    simulation.wait(0.2)
    (delta,) = eve.received()
    assert "full" not in delta
    assert [(row["names"], row["phase"]) for row in delta["rooms"]] == [(["Ann", "Bob"], "playing")]
    bob.ask("resign", room=room["id"])
    simulation.wait(0.2)
    (gone,) = eve.received()
    assert gone["gone"] == [room["id"]]


def test_moves_cause_no_lobby_update(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room()
    eve = simulation.native_client("Eve")
    eve.ask("lobby")
    simulation.wait(0.2)
    eve.received()
    (ann, bob)[seat_to_act(shown)].ask("play", **mark(shown["room"]["id"], 4))
    simulation.wait(1)
    assert eve.received() == []


def test_many_changes_in_a_moment_are_one_message(simulation: HallSimulation) -> None:
    eve = simulation.native_client("Eve")
    eve.ask("lobby")
    simulation.wait(0.2)
    eve.received()
    for number in range(20):
        simulation.native_client(f"P{number}").ask("open", game="tictactoe", nonce="1")
    simulation.wait(0.3)
    notices = eve.received()
    assert len(notices) == 1
    assert len(notices[0]["rooms"]) == 20
    assert notices[0]["online"] == 21


def test_unlisted_tables_are_never_listed(simulation: HallSimulation) -> None:
    eve = simulation.native_client("Eve")
    eve.ask("lobby")
    simulation.native_client("Ann").ask("open", game="tictactoe", nonce="1", table={"public": False})
    simulation.wait(0.3)
    assert all("rooms" not in news for news in eve.received())
    (full,) = NativeClient(simulation).simulation.native_client("Wat").ask("lobby")
    assert "rooms" not in full


def test_after_the_subscription_ends_no_update_is_sent(simulation: HallSimulation) -> None:
    eve = simulation.native_client("Eve")
    eve.ask("lobby")
    eve.ask("lobby", on=False)
    simulation.native_client("Ann").ask("open", game="tictactoe", nonce="1")
    simulation.wait(0.3)
    assert eve.received() == []


def test_the_same_person_twice_counts_once(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    NativeClient(simulation).hello(ann.token)
    (full,) = ann.ask("lobby")
    assert full["online"] == 1


def test_nothing_is_remembered_for_followers_that_are_not_there(simulation: HallSimulation) -> None:
    for number in range(20):
        ann = simulation.native_client(f"P{number}")
        room = ann.ask("open", game="tictactoe", nonce="1")[0]["room"]["id"]
        ann.ask("leave", room=room)
    (full,) = simulation.native_client("Eve").ask("lobby")
    assert "gone" not in full
    assert simulation.hall.room_list._dirty == {}


@pytest.mark.parametrize(
    ("readers", "seconds"), [(0, 0.1), (1, 0.1), (500, 0.1), (1_000, 0.2), (20_000, 4.0)]
)
def test_many_subscribers_receive_updates_less_often(readers: int, seconds: float) -> None:
    assert update_interval(readers) == pytest.approx(seconds)


def test_a_row_names_players_bots_and_disconnected_players(simulation: HallSimulation) -> None:
    ann, _, shown = simulation.running_room(title="Club night", clock={"main": [60000]})
    simulation.wait(3)
    cyd = simulation.native_client("Cyd")
    clock = {"main": [60000]}
    options = {"dice": "free"}
    cyd.ask("open", game="chess", nonce="c", bot="level1", options=options, table={"clock": clock})
    eve = simulation.native_client("Eve")
    eve.ask("watch", room=shown["room"]["id"])
    rows = {row["game"]: row for row in eve.ask("lobby")[0]["rooms"]}
    played, against = rows["tictactoe"], rows["chess"]
    names = [chair["name"] for chair in shown["room"]["seats"]]
    assert played["seats"] == [{"name": name} for name in names]
    assert (played["phase"], played["title"], played["spectators"]) == ("playing", "Club night", 1)
    assert played["since"] == EPOCH
    assert against["since"] == EPOCH + 3_000
    assert against["seats"] == [{"name": "Cyd"}, {"name": "Level1", "bot": "level1"}]
    assert (against["clock"], against["options"]["dice"]) == (clock | {"lag_compensation": True}, "free")
    ann.disconnect()
    simulation.wait(6)
    (row,) = eve.received()[-1]["rooms"]
    assert row["seats"][names.index("Ann")] == {"name": "Ann", "disconnected": True}


def listed(simulation: HallSimulation) -> list[str]:
    """Return the ids of the rooms that a newcomer finds in the list."""
    return [row["id"] for row in simulation.native_client().ask("lobby")[0].get("rooms", ())]


def test_a_game_leaves_the_list_half_a_minute_after_its_last_player_has_gone(
    simulation: HallSimulation,
) -> None:
    ann, bob, shown = simulation.running_room(disconnect_timeout=0)
    room = shown["room"]["id"]
    eve = simulation.native_client("Eve")
    eve.ask("lobby")
    ann.disconnect()
    simulation.wait(60)
    assert listed(simulation) == [room], "Bob is still there"
    bob.disconnect()
    simulation.wait(29)
    assert listed(simulation) == [room], "Bob may be back soon"
    eve.received()
    simulation.wait(1.5)
    assert listed(simulation) == []
    assert [room] in [notice.get("gone") for notice in eve.received()]
    back = simulation.native_client(token=bob.token)
    back.ask("join", room=room)
    assert listed(simulation) == [room]


def test_a_spectator_alone_keeps_no_game_in_the_list(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room(disconnect_timeout=0)
    simulation.native_client("Eve").ask("watch", room=shown["room"]["id"])
    ann.disconnect()
    bob.disconnect()
    simulation.wait(31)
    assert listed(simulation) == []


def test_a_table_is_offered_only_while_a_player_waits_there(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    room = ann.ask("open", game="mahjong", nonce="1")[0]["room"]["id"]
    bob = simulation.native_client("Bob")
    bob.ask("join", room=room)
    ann.disconnect()
    simulation.wait(6)
    assert listed(simulation) == [room], "Bob waits"
    bob.disconnect()
    simulation.wait(6)
    assert listed(simulation) == []
    simulation.native_client(token=ann.token).ask("join", room=room)
    assert listed(simulation) == [room]


def test_a_room_that_stays_open_without_players_is_not_listed(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    table = {"empty_timeout": 300}
    room = ann.ask("open", game="tictactoe", nonce="1", table=table)[0]["room"]["id"]
    ann.ask("leave", room=room)
    assert listed(simulation) == []
    assert simulation.native_client("Bob").ask("join", room=room)[0]["type"] == "room"
    assert listed(simulation) == [room]


def test_the_list_tells_nothing_that_delayed_spectators_may_not_know(simulation: HallSimulation) -> None:
    ann, bob, shown = simulation.running_room(disconnect_timeout=0, spectator_delay=120)
    room = shown["room"]["id"]
    simulation.wait(200)
    ann.disconnect()
    bob.disconnect()
    simulation.wait(149)
    assert listed(simulation) == [room]
    simulation.wait(2)
    assert listed(simulation) == []
