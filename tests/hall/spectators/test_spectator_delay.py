"""Where watchers see later, nothing that they are told or can ask for is earlier."""

import json
from typing import Any

import pytest

from qipai.hall.spectators import delay_buffer as module
from qipai.stores.memory_store import MemoryStore
from tests.clients.gomoku.gomoku_clients import names, player, room_of, without_lobby
from tests.support.faulty import Faulty
from tests.support.stage import EPOCH, Message, Peer, Stage, mark, seat_to_act

DELAY = 60


class Scene:
    """A game of tic-tac-toe that watchers see a minute later."""

    def __init__(self, stage: Stage, **table: Any) -> None:
        self.stage = stage
        self.ann, self.bob, self.shown = stage.table(spectator_delay=DELAY, **table)
        self.room: str = self.shown["room"]["id"]
        first = seat_to_act(self.shown)
        self.players = [self.bob, self.ann] if first == self.shown["you"] else [self.ann, self.bob]
        self.cells = 0

    def move(self, cell: int) -> Message:
        """Let whoever is to act mark a cell."""
        mover = self.players[self.cells % 2]
        self.cells += 1
        (made,) = [one for one in mover.ask("play", **mark(self.room, cell)) if one["type"] == "events"]
        self.ann.heard(), self.bob.heard()
        return made

    def watcher(self, name: str = "Eve") -> tuple[Peer, Message]:
        eve = self.stage.peer(name)
        (seen,) = eve.ask("watch", room=self.room)
        return eve, seen

    def board(self, seen: Message) -> str:
        position = seen["room"].get("position")
        return position["board"] if position else ""


def events(one: Peer) -> list[Message]:
    return [event for notice in one.heard() if notice["type"] == "events" for event in notice["events"]]


@pytest.fixture
def scene(stage: Stage) -> Scene:
    return Scene(stage)


def test_a_watcher_sees_the_table_as_it_was(stage: Stage, scene: Scene) -> None:
    _, early = scene.watcher()
    assert (early["version"], early["room"]["phase"], early["room"]["seats"]) == (1, "waiting", [None, None])
    stage.wait(30)
    made = scene.move(4)
    stage.wait(DELAY - 1)
    _, seen = scene.watcher("Fay")
    assert scene.board(seen) == "........."
    assert seen["version"] == made["version"] - 1
    stage.wait(1)
    _, seen = scene.watcher("Gus")
    assert scene.board(seen).count(".") == 8


def test_a_watcher_is_told_everything_at_its_time_and_in_its_order(stage: Stage, scene: Scene) -> None:
    stage.wait(DELAY)
    eve, seen = scene.watcher()
    stage.wait(5)
    first = scene.move(4)
    stage.wait(5)
    second = scene.move(0)
    assert eve.news() == []
    stage.wait(DELAY - 6)
    assert eve.news() == []
    stage.wait(1)
    (told,) = eve.news()
    assert (told["version"], told["events"]) == (first["version"], first["events"])
    assert told["version"] == seen["version"] + 1
    stage.wait(5)
    (told,) = eve.news()
    assert (told["version"], told["events"]) == (second["version"], second["events"])


def test_clocks_are_as_if_it_happened_now(stage: Stage) -> None:
    scene = Scene(stage, clock={"main": [120_000]}, disconnect_timeout=90)
    stage.wait(10)
    scene.move(4)
    stage.wait(DELAY)
    _, seen = scene.watcher()
    clock = seen["room"]["clock"]
    assert clock["at"] == seen["at"] == EPOCH + 70_000
    assert sorted(clock["left"]) == [110_000, 120_000]
    stage.wait(5)
    eve, seen = scene.watcher()
    assert sorted(seen["room"]["clock"]["left"]) == [110_000, 115_000]
    scene.players[1].cut()
    stage.wait(5 + DELAY)
    (away,) = events(eve)
    assert (away["e"], away["forfeits_at"]) == ("disconnected", EPOCH + 75_000 + 5_000 + 1000 * (90 + DELAY))
    _, seen = scene.watcher("Fay")
    (chair,) = [chair for chair in seen["room"]["seats"] if chair.get("disconnected")]
    assert chair["forfeits_at"] == away["forfeits_at"]


def test_watchers_talk_among_themselves_at_once_and_hear_it_once(stage: Stage, scene: Scene) -> None:
    stage.wait(DELAY)
    (eve, seen), (fay, _) = scene.watcher(), scene.watcher("Fay")
    scene.move(4)
    scene.ann.ask("say", room=scene.room, text="what a move")
    whisper, done = eve.ask("say", room=scene.room, text="corner!", nonce="s")
    assert done == {"type": "unchanged", "room": scene.room, "version": seen["version"], "nonce": "s"}
    assert (whisper["type"], whisper["room"]) == ("spectator_chat", scene.room)
    line = whisper["line"]
    assert (line["name"], line["text"], line["spectators_only"]) == ("Eve", "corner!", True)
    assert fay.heard() == [whisper]
    assert scene.bob.heard()[-1]["events"] == [], "players do not hear it while they play"
    gus, late = scene.watcher("Gus")
    assert [one["text"] for one in late["room"]["chat"]] == ["corner!"], "nor watchers the players, yet"
    stage.wait(DELAY)
    assert [event["e"] for event in events(fay)] == ["marked", "said"]
    assert [event["line"]["text"] for event in events(gus) if event["e"] == "said"] == ["what a move"]
    _, late = scene.watcher("Hal")
    assert sorted(one["text"] for one in late["room"]["chat"]) == ["corner!", "what a move"]
    assert eve.ask("say", room=scene.room, text="corner!", nonce="s")[-1]["type"] == "unchanged"


def test_a_watchers_line_does_not_tell_that_the_game_is_over(stage: Stage, scene: Scene) -> None:
    stage.wait(DELAY)
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


def test_nothing_a_watcher_asks_for_is_earlier(stage: Stage, scene: Scene) -> None:
    stage.wait(DELAY)
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


def test_who_sits_down_sees_the_present_and_who_stands_up_the_past(stage: Stage) -> None:
    scene = Scene(stage, empty_timeout=60)
    stage.wait(DELAY)
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


def test_the_lobby_does_not_tell_of_an_end_that_watchers_have_not_seen(stage: Stage, scene: Scene) -> None:
    gus = stage.peer("Gus")
    (full,) = gus.ask("lobby")
    (row,) = full["rooms"]
    assert (row["phase"], row["spectator_delay"]) == ("playing", DELAY)
    assert [seat["name"] for seat in row["seats"]] == row["names"]
    stage.wait(DELAY)
    gus.heard()
    scene.ann.cut()
    stage.wait(6)
    for notice in gus.heard():
        assert notice.get("rooms", [row]) == [row], "nor of who is gone"
    scene.bob.ask("resign", room=scene.room, nonce="r")
    scene.bob.ask("leave", room=scene.room)
    stage.wait(1)
    for notice in gus.heard():
        assert notice.get("rooms", [row]) == [row]
        assert "gone" not in notice
    assert gus.ask("lobby")[0]["rooms"] == [row]
    stage.wait(DELAY)
    assert scene.room in [room for notice in gus.heard() for room in notice.get("gone", ())]


def test_a_table_that_waits_is_listed_at_once(stage: Stage) -> None:
    gus = stage.peer("Gus")
    gus.ask("lobby")
    ann = stage.peer("Ann")
    ann.ask("open", game="gomoku", nonce="t", table={"spectator_delay": 900})
    stage.wait(1)
    (row,) = gus.heard()[-1]["rooms"]
    assert (row["phase"], row["names"]) == ("waiting", ["Ann", None])


def test_older_clients_see_no_more(stage: Stage) -> None:
    ann, bob = stage.peer("Ann"), stage.peer("Bob")
    create_room = ann.ask("open", game="gomoku", nonce="t", table={"spectator_delay": DELAY})[0]["room"]
    start = bob.ask("join", room=create_room["id"])[0]
    mover = bob if seat_to_act(start) == start["you"] else ann
    stage.wait(DELAY)
    gus = player(stage, "Gus")
    mover.ask("play", room=create_room["id"], move={"do": "place", "x": 7, "y": 7})
    found = gus.ask("search-room", {"roomId": create_room["code"]})
    joined = room_of(gus.ask("join-room", {"roomId": create_room["code"], "asWatcher": True}))
    assert not any(map(any, joined["board"]))
    assert "place" not in json.dumps(found)
    ann.ask("resign", room=create_room["id"], nonce="r")
    stage.wait(DELAY - 2)
    assert without_lobby(gus.heard()) == []
    listed = player(stage, "Hal").ask("refresh-rooms")
    assert '"playing"' in json.dumps(listed)
    stage.wait(2)
    assert "stone-placed" in names(gus.heard())


def test_a_closed_table_is_shown_to_its_end(stage: Stage) -> None:
    ann = stage.peer("Ann")
    shown = ann.ask("open", game="tictactoe", nonce="t", bot="random", table={"spectator_delay": DELAY})[0]
    eve = stage.peer("Eve")
    eve.ask("watch", room=shown["room"]["id"])
    ann.ask("leave", room=shown["room"]["id"])
    told = [event["e"] for event in events(eve)]
    assert told[-1] == "closed"
    assert "game_over" in told, "nothing can be given away any more"


def test_after_a_restart_nobody_sees_more_than_before() -> None:
    store = MemoryStore()
    with Stage(store) as stage:
        scene = Scene(stage)
        stage.wait(DELAY)
        for cell in (4, 0):
            stage.wait(5)
            scene.move(cell)
        eve, before = scene.watcher()
        room, token, end = scene.room, eve.token, stage.loop.clock
    with Stage(store, clock=end + 10) as stage:
        eve = stage.peer(token=token)
        (seen,) = eve.ask("watch", room=room)
        assert (seen["version"], seen["room"]["position"]) == (before["version"], before["room"]["position"])
        stage.wait(DELAY - 16)
        assert eve.news() == []
        stage.wait(1)
        assert [event["e"] for event in events(eve)] == ["marked"]
        stage.wait(5)
        assert "marked" in [event["e"] for event in events(eve)]
    with Stage(store, clock=end + 1_000) as stage:
        (seen,) = stage.peer(token=token).ask("watch", room=room)
        assert seen["room"]["position"]["board"].count(".") == 7


def test_a_table_whose_past_cannot_be_read_shows_nothing_until_everything_may_be_seen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    store = MemoryStore()
    with Stage(store) as stage:
        scene = Scene(stage)
        scene.move(4)
        room, token = scene.room, scene.watcher()[0].token
    monkeypatch.setattr(MemoryStore, "history", lambda *_: ())
    with Stage(store, clock=1) as stage:
        eve = stage.peer(token=token)
        (seen,) = eve.ask("watch", room=room)
        assert (seen["room"]["phase"], seen["room"].get("position")) == ("waiting", None)
        assert "seed" not in seen["room"]
        stage.wait(DELAY)
        (whole,) = [notice for notice in eve.news() if notice["type"] == "room"]
        assert scene.board(whole).count(".") == 8


def test_of_very_many_steps_some_are_seen_together(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STEPS", 4)
    scene = Scene(stage)
    stage.wait(DELAY)
    eve, _ = scene.watcher()
    made = [scene.move(cell) for cell in (4, 0, 8, 2, 6)]
    stage.wait(DELAY)
    told = eve.news()
    assert len(told) < len(made)
    assert told[-1]["version"] == made[-1]["version"]
    seen = [notice for notice in told if notice["type"] == "room"][-1]
    assert seen["room"]["position"]["board"].count(".") <= 5
    versions = [notice["version"] for notice in told]
    assert versions == sorted(set(versions))


def test_a_table_that_had_to_be_read_again_gives_nothing_away() -> None:
    store = Faulty()
    with Stage(store) as other:
        scene = Scene(other)
        other.wait(DELAY)
        eve, _ = scene.watcher()
        store.fail_after = 1
        scene.players[0].ask("play", **mark(scene.room, 4, "m"))
        (whole,) = [notice for notice in eve.heard() if notice["type"] == "room"]
        assert scene.board(whole) == "........."
        other.wait(DELAY)
        (whole,) = [notice for notice in eve.heard() if notice["type"] == "room"]
        assert scene.board(whole).count(".") == 8


@pytest.mark.parametrize("delay", [-1, 901, 1.5, "60"])
def test_a_delay_is_a_number_of_seconds_up_to_a_quarter_of_an_hour(stage: Stage, delay: object) -> None:
    (refused,) = stage.peer("Ann").ask("open", game="gomoku", nonce="t", table={"spectator_delay": delay})
    assert refused["code"] == "malformed"
