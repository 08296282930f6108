"""In a delayed room spectators receive nothing, and can ask for nothing, before the delay."""

import json
from typing import Any

import pytest

from qipai.hall.spectators import delay_buffer as module
from qipai.stores.memory_store import MemoryStore
from tests.clients.gomoku.gomoku_clients import names, player, room_of, without_lobby
from tests.support.faulty_store import FaultyStore
from tests.support.hall_simulation import EPOCH, HallSimulation, Message, NativeClient, mark, seat_to_act

DELAY = 60


class Scene:
    """A game of tic-tac-toe that spectators see a minute later."""

    def __init__(self, simulation: HallSimulation, **table: Any) -> None:
        self.simulation = simulation
        self.ann, self.bob, self.shown = simulation.running_room(spectator_delay=DELAY, **table)
        self.room: str = self.shown["room"]["id"]
        first = seat_to_act(self.shown)
        self.players = [self.bob, self.ann] if first == self.shown["you"] else [self.ann, self.bob]
        self.cells = 0

    def move(self, cell: int) -> Message:
        """Mark a cell for the player to act."""
        mover = self.players[self.cells % 2]
        self.cells += 1
        (made,) = [one for one in mover.ask("play", **mark(self.room, cell)) if one["type"] == "events"]
        self.ann.received(), self.bob.received()
        return made

    def watcher(self, name: str = "Eve") -> tuple[NativeClient, Message]:
        eve = self.simulation.native_client(name)
        (seen,) = eve.ask("watch", room=self.room)
        return eve, seen

    def board(self, seen: Message) -> str:
        position = seen["room"].get("position")
        return position["board"] if position else ""


def events(one: NativeClient) -> list[Message]:
    return [event for notice in one.received() if notice["type"] == "events" for event in notice["events"]]


@pytest.fixture
def scene(simulation: HallSimulation) -> Scene:
    return Scene(simulation)


def test_a_spectator_sees_the_room_as_it_was(simulation: HallSimulation, scene: Scene) -> None:
    _, early = scene.watcher()
    assert (early["version"], early["room"]["phase"], early["room"]["seats"]) == (1, "waiting", [None, None])
    simulation.wait(30)
    made = scene.move(4)
    simulation.wait(DELAY - 1)
    _, seen = scene.watcher("Fay")
    assert scene.board(seen) == "........."
    assert seen["version"] == made["version"] - 1
    simulation.wait(1)
    _, seen = scene.watcher("Gus")
    assert scene.board(seen).count(".") == 8


def test_a_spectator_receives_every_event_after_the_delay_and_in_order(
    simulation: HallSimulation, scene: Scene
) -> None:
    simulation.wait(DELAY)
    eve, seen = scene.watcher()
    simulation.wait(5)
    first = scene.move(4)
    simulation.wait(5)
    second = scene.move(0)
    assert eve.received_except_counts() == []
    simulation.wait(DELAY - 6)
    assert eve.received_except_counts() == []
    simulation.wait(1)
    (notice,) = eve.received_except_counts()
    assert (notice["version"], notice["events"]) == (first["version"], first["events"])
    assert notice["version"] == seen["version"] + 1
    simulation.wait(5)
    (notice,) = eve.received_except_counts()
    assert (notice["version"], notice["events"]) == (second["version"], second["events"])


def test_clocks_are_as_if_it_happened_now(simulation: HallSimulation) -> None:
    scene = Scene(simulation, clock={"main": [120_000]}, disconnect_timeout=90)
    simulation.wait(10)
    scene.move(4)
    simulation.wait(DELAY)
    _, seen = scene.watcher()
    clock = seen["room"]["clock"]
    assert clock["at"] == seen["at"] == EPOCH + 70_000
    assert sorted(clock["left"]) == [110_000, 120_000]
    simulation.wait(5)
    eve, seen = scene.watcher()
    assert sorted(seen["room"]["clock"]["left"]) == [110_000, 115_000]
    scene.players[1].disconnect()
    simulation.wait(5 + DELAY)
    (away,) = events(eve)
    assert (away["e"], away["forfeits_at"]) == ("disconnected", EPOCH + 75_000 + 5_000 + 1000 * (90 + DELAY))
    _, seen = scene.watcher("Fay")
    (chair,) = [chair for chair in seen["room"]["seats"] if chair.get("disconnected")]
    assert chair["forfeits_at"] == away["forfeits_at"]


def test_chat_lines_of_spectators_reach_other_spectators_at_once_and_only_once(
    simulation: HallSimulation, scene: Scene
) -> None:
    simulation.wait(DELAY)
    (eve, seen), (fay, _) = scene.watcher(), scene.watcher("Fay")
    scene.move(4)
    scene.ann.ask("say", room=scene.room, text="what a move")
    whisper, done = eve.ask("say", room=scene.room, text="corner!", nonce="s")
    assert done == {"type": "unchanged", "room": scene.room, "version": seen["version"], "nonce": "s"}
    assert (whisper["type"], whisper["room"]) == ("spectator_chat", scene.room)
    line = whisper["line"]
    assert (line["name"], line["text"], line["spectators_only"]) == ("Eve", "corner!", True)
    assert fay.received() == [whisper]
    assert scene.bob.received()[-1]["events"] == [], "players do not hear it while they play"
    gus, late = scene.watcher("Gus")
    assert [one["text"] for one in late["room"]["chat"]] == ["corner!"], "nor watchers the players, yet"
    simulation.wait(DELAY)
    assert [event["e"] for event in events(fay)] == ["marked", "said"]
    assert [event["line"]["text"] for event in events(gus) if event["e"] == "said"] == ["what a move"]
    _, late = scene.watcher("Hal")
    assert sorted(one["text"] for one in late["room"]["chat"]) == ["corner!", "what a move"]
    assert eve.ask("say", room=scene.room, text="corner!", nonce="s")[-1]["type"] == "unchanged"


def test_a_spectators_line_does_not_reveal_that_the_game_is_over(
    simulation: HallSimulation, scene: Scene
) -> None:
    simulation.wait(DELAY)
    eve, _ = scene.watcher()
    scene.ann.ask("resign", room=scene.room, nonce="r")
    whisper, done = eve.ask("say", room=scene.room, text="hm", nonce="s")
    assert whisper["line"]["spectators_only"]
    assert done["version"] == 3
    (again,) = eve.ask("say", room=scene.room, text="hm", nonce="s")
    assert again["version"] == 3
    _, seen = scene.watcher("Fay")
    assert all(line["spectators_only"] for line in seen["room"]["chat"])
    assert seen["room"]["phase"] == "playing"


def test_no_request_of_a_spectator_returns_anything_before_the_delay(
    simulation: HallSimulation, scene: Scene
) -> None:
    simulation.wait(DELAY)
    eve, seen = scene.watcher()
    scene.move(4)
    scene.move(0)
    for version in (0, 1, seen["version"], seen["version"] + 1, seen["version"] + 2, 99):
        (whole,) = eve.ask("resume", room=scene.room, version=version)
        assert (whole["type"], whole["version"]) == ("room", seen["version"])
        assert scene.board(whole) == "........."
    reported = eve.ask("report", room=scene.room, text="slow", nonce="r")
    assert reported[0]["version"] == seen["version"]
    playing = [eve.ask("join", room=scene.room, seat=seat)[0]["code"] for seat in (0, 1, 2, None)]
    scene.ann.ask("resign", room=scene.room, nonce="r")
    over = [eve.ask("join", room=scene.room, seat=seat)[0]["code"] for seat in (0, 1, 2, None)]
    assert playing == over, "whether the game still runs cannot be found out by asking"


def test_taking_a_seat_shows_the_present_and_leaving_it_the_delayed_room(simulation: HallSimulation) -> None:
    scene = Scene(simulation, empty_timeout=60)
    simulation.wait(DELAY)
    eve, _ = scene.watcher()
    scene.move(4)
    scene.ann.ask("leave", room=scene.room)
    (seat,) = [notice for notice in eve.ask("join", room=scene.room) if notice["type"] == "room"]
    assert seat["room"]["match"] == 2
    assert seat["you"] is not None
    (past,) = scene.ann.ask("watch", room=scene.room)
    assert (past["room"]["match"], past["room"]["phase"]) == (1, "playing")
    assert scene.board(past) == "........."
    assert "Eve" not in json.dumps(past["room"]["seats"])


def test_the_lobby_does_not_show_an_end_that_spectators_have_not_seen(
    simulation: HallSimulation, scene: Scene
) -> None:
    gus = simulation.native_client("Gus")
    (full,) = gus.ask("lobby")
    (row,) = full["rooms"]
    assert (row["phase"], row["spectator_delay"]) == ("playing", DELAY)
    assert [seat["name"] for seat in row["seats"]] == row["names"]
    simulation.wait(DELAY)
    gus.received()
    scene.ann.disconnect()
    simulation.wait(6)
    for notice in gus.received():
        assert notice.get("rooms", [row]) == [row], "nor of who is gone"
    scene.bob.ask("resign", room=scene.room, nonce="r")
    scene.bob.ask("leave", room=scene.room)
    simulation.wait(1)
    for notice in gus.received():
        assert notice.get("rooms", [row]) == [row]
        assert "gone" not in notice
    assert gus.ask("lobby")[0]["rooms"] == [row]
    simulation.wait(DELAY)
    assert scene.room in [room for notice in gus.received() for room in notice.get("gone", ())]


def test_a_table_that_waits_is_listed_at_once(simulation: HallSimulation) -> None:
    gus = simulation.native_client("Gus")
    gus.ask("lobby")
    ann = simulation.native_client("Ann")
    ann.ask("open", game="gomoku", nonce="t", table={"spectator_delay": 900})
    simulation.wait(1)
    (row,) = gus.received()[-1]["rooms"]
    assert (row["phase"], row["names"]) == ("waiting", ["Ann", None])


def test_older_clients_see_no_more(simulation: HallSimulation) -> None:
    ann, bob = simulation.native_client("Ann"), simulation.native_client("Bob")
    create_room = ann.ask("open", game="gomoku", nonce="t", table={"spectator_delay": DELAY})[0]["room"]
    start = bob.ask("join", room=create_room["id"])[0]
    mover = bob if seat_to_act(start) == start["you"] else ann
    simulation.wait(DELAY)
    gus = player(simulation, "Gus")
    mover.ask("play", room=create_room["id"], move={"do": "place", "x": 7, "y": 7})
    found = gus.ask("search-room", {"roomId": create_room["code"]})
    joined = room_of(gus.ask("join-room", {"roomId": create_room["code"], "asWatcher": True}))
    assert not any(map(any, joined["board"]))
    assert "place" not in json.dumps(found)
    ann.ask("resign", room=create_room["id"], nonce="r")
    simulation.wait(DELAY - 2)
    assert without_lobby(gus.received()) == []
    listed = player(simulation, "Hal").ask("refresh-rooms")
    assert '"playing"' in json.dumps(listed)
    simulation.wait(2)
    assert "stone-placed" in names(gus.received())


def test_a_closed_table_is_shown_to_its_end(simulation: HallSimulation) -> None:
    ann = simulation.native_client("Ann")
    shown = ann.ask("open", game="tictactoe", nonce="t", bot="random", table={"spectator_delay": DELAY})[0]
    eve = simulation.native_client("Eve")
    eve.ask("watch", room=shown["room"]["id"])
    ann.ask("leave", room=shown["room"]["id"])
    names = [event["e"] for event in events(eve)]
    assert names[-1] == "closed"
    assert "game_over" in names, "nothing can be given away any more"


def test_after_a_restart_spectators_see_no_more_than_before() -> None:
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        scene = Scene(simulation)
        simulation.wait(DELAY)
        for cell in (4, 0):
            simulation.wait(5)
            scene.move(cell)
        eve, before = scene.watcher()
        room, token, end = scene.room, eve.token, simulation.loop.clock
    with HallSimulation(store, clock=end + 10) as simulation:
        eve = simulation.native_client(token=token)
        (seen,) = eve.ask("watch", room=room)
        assert (seen["version"], seen["room"]["position"]) == (before["version"], before["room"]["position"])
        simulation.wait(DELAY - 16)
        assert eve.received_except_counts() == []
        simulation.wait(1)
        assert [event["e"] for event in events(eve)] == ["marked"]
        simulation.wait(5)
        assert "marked" in [event["e"] for event in events(eve)]
    with HallSimulation(store, clock=end + 1_000) as simulation:
        (seen,) = simulation.native_client(token=token).ask("watch", room=room)
        assert seen["room"]["position"]["board"].count(".") == 7


def test_a_room_whose_journal_cannot_be_read_shows_nothing_until_the_delay_has_passed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        scene = Scene(simulation)
        scene.move(4)
        room, token = scene.room, scene.watcher()[0].token
    monkeypatch.setattr(MemoryStore, "history", lambda *_: ())
    with HallSimulation(store, clock=1) as simulation:
        eve = simulation.native_client(token=token)
        (seen,) = eve.ask("watch", room=room)
        assert (seen["room"]["phase"], seen["room"].get("position")) == ("waiting", None)
        assert "seed" not in seen["room"]
        simulation.wait(DELAY)
        (whole,) = [notice for notice in eve.received_except_counts() if notice["type"] == "room"]
        assert scene.board(whole).count(".") == 8


def test_some_of_very_many_steps_are_merged(
    simulation: HallSimulation, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_STEPS", 4)
    scene = Scene(simulation)
    simulation.wait(DELAY)
    eve, _ = scene.watcher()
    made = [scene.move(cell) for cell in (4, 0, 8, 2, 6)]
    simulation.wait(DELAY)
    notices = eve.received_except_counts()
    assert len(notices) < len(made)
    assert notices[-1]["version"] == made[-1]["version"]
    seen = [notice for notice in notices if notice["type"] == "room"][-1]
    assert seen["room"]["position"]["board"].count(".") <= 5
    versions = [notice["version"] for notice in notices]
    assert versions == sorted(set(versions))


def test_a_room_that_is_read_again_reveals_nothing() -> None:
    store = FaultyStore()
    with HallSimulation(store) as other:
        scene = Scene(other)
        other.wait(DELAY)
        eve, _ = scene.watcher()
        store.fail_after = 1
        scene.players[0].ask("play", **mark(scene.room, 4, "m"))
        (whole,) = [notice for notice in eve.received() if notice["type"] == "room"]
        assert scene.board(whole) == "........."
        other.wait(DELAY)
        (whole,) = [notice for notice in eve.received() if notice["type"] == "room"]
        assert scene.board(whole).count(".") == 8


@pytest.mark.parametrize("delay", [-1, 901, 1.5, "60"])
def test_a_delay_is_a_number_of_seconds_up_to_a_quarter_of_an_hour(
    simulation: HallSimulation, delay: object
) -> None:
    (refused,) = simulation.native_client("Ann").ask(
        "open", game="gomoku", nonce="t", table={"spectator_delay": delay}
    )
    assert refused["code"] == "malformed"
