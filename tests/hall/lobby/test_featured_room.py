"""The featured room: the most watched public game, as its spectators see it."""

from typing import Any

from tests.support.hall_simulation import HallSimulation, Message, NativeClient, mark, seat_to_act


def featured(client: NativeClient) -> list[Any]:
    """Return the featured rooms that the client has received since the last call."""
    return [notice["room"] for notice in client.received() if notice["type"] == "featured"]


def pair(simulation: HallSimulation, nonce: str, **table: Any) -> tuple[list[NativeClient], Message]:
    """Return two players at a new table, in the order of their seats, and the view of the second."""
    ann, bob = simulation.native_client(), simulation.native_client()
    room = ann.ask("open", game="tictactoe", nonce=nonce, table=table)[0]["room"]["id"]
    return [ann, bob], bob.ask("join", room=room)[0]


def test_the_lobby_shows_the_most_watched_public_game_and_its_moves(simulation: HallSimulation) -> None:
    pair(simulation, "quiet")
    seats, shown = pair(simulation, "watched")
    room = shown["room"]["id"]
    simulation.native_client("Fay").ask("watch", room=room)
    eve = simulation.native_client("Eve")
    eve.ask("lobby", featured=True)
    simulation.wait(1.5)
    (first,) = [notice["room"] for notice in all_frames(eve) if notice["type"] == "featured"]
    assert (first["id"], first["spectators"], first["position"]["board"]) == (room, 1, "." * 9)
    seats[seat_to_act(shown)].ask("play", **mark(room, 4))
    simulation.wait(1.5)
    (moved,) = featured(eve)
    assert moved["position"]["board"].count(".") == 8
    simulation.wait(5)
    assert featured(eve) == [], "nothing is sent while nothing changes"
    assert simulation.hall.executor.live_rooms[room].spectators == 1, "the lobby does not count"


def all_frames(client: NativeClient) -> list[Message]:
    """Return everything a client has received so far."""
    client.read_count = 0
    return client.received()


def test_without_a_game_that_may_be_watched_nothing_is_featured(simulation: HallSimulation) -> None:
    pair(simulation, "private", public=False)
    pair(simulation, "closed doors", spectators=False)
    simulation.native_client("Ann").ask("open", game="tictactoe", nonce="waits")
    eve = simulation.native_client("Eve")
    eve.ask("lobby", featured=True)
    assert [notice["room"] for notice in all_frames(eve) if notice["type"] == "featured"] == [None]
    pair(simulation, "open")
    simulation.wait(6)
    (shown,) = featured(eve)
    assert shown["phase"] == "playing"


def test_nothing_is_sent_without_a_request_or_after_the_subscription(simulation: HallSimulation) -> None:
    seats, shown = pair(simulation, "game")
    eve, fay = simulation.native_client("Eve"), simulation.native_client("Fay")
    eve.ask("lobby")
    fay.ask("lobby", featured=True)
    fay.ask("lobby", on=False)
    seats[seat_to_act(shown)].ask("play", **mark(shown["room"]["id"], 4))
    simulation.wait(10)
    assert featured(eve) == featured(fay) == []
    assert "featured room" not in simulation.hall.alarms


def test_the_featured_room_is_delayed_and_hides_what_spectators_may_not_see(
    simulation: HallSimulation,
) -> None:
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    table, options = {"spectator_delay": 60}, {"fog": True}
    room = ann.ask("open", game="chess", nonce="f", seat=0, table=table, options=options)[0]["room"]["id"]
    bob.ask("join", room=room)
    eve = simulation.native_client("Eve")
    eve.ask("lobby", featured=True)
    ann.ask("play", room=room, move={"do": "move", "from": "e2", "to": "e4"})
    ann.ask("say", room=room, text="secret", nonce="s")
    simulation.wait(58)
    assert all(shown is None for shown in featured(eve))
    simulation.wait(10)
    watcher = simulation.native_client("Fay")
    (full,) = watcher.ask("watch", room=room)
    shown = [each for each in featured(eve) if each is not None][-1]
    assert shown["position"] == full["room"]["position"]
    assert "chat" not in shown
    assert not shown["position"].get("fen"), "spectators of fog see no pieces"


def test_the_end_of_a_game_is_shown_before_another_one_is_chosen(simulation: HallSimulation) -> None:
    seats, shown = pair(simulation, "one")
    eve = simulation.native_client("Eve")
    eve.ask("lobby", featured=True)
    simulation.wait(1)
    eve.received()
    seats[0].ask("resign", room=shown["room"]["id"], nonce="r")
    simulation.wait(6)
    assert [room and room["phase"] for room in featured(eve)] == ["over", None]
