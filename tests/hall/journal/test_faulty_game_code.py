"""Game code that raises while rooms are rebuilt: that room is left out with the reason, others are loaded."""

import asyncio
from copy import copy
from typing import Any

import pytest
from structlog.testing import capture_logs

from qipai.games.game import Game
from qipai.games.game_registry import OWN_GAMES
from qipai.games.tictactoe import rules as tictactoe
from qipai.hall.cluster.replica_transitions import FOLLOWING
from qipai.hall.hall import Hall
from qipai.hall.journal.room_rebuilding import JournalError, restore, retrace
from qipai.hall.journal.snapshot_format import encode_snapshot
from qipai.hall.journal.store_interface import Snapshot
from qipai.kernel.game_interface.rules_migration import RulesMigration
from qipai.kernel.ids import Millis, RoomId
from qipai.stores.memory_store import MemoryStore
from tests.support import scripted_bus
from tests.support.hall_simulation import EPOCH, HallSimulation, mark
from tests.support.scripted_bus import ScriptedWorker, SharedStore


class UnreadableError(Exception):
    """An exception without a text."""

    def __str__(self) -> str:
        raise RuntimeError("no text either")


class FaultyRules:
    """Tic-tac-toe with some members replaced."""

    def __init__(self, **replaced: Any) -> None:
        self._replaced = replaced

    def __getattr__(self, name: str) -> Any:
        return self._replaced[name] if name in self._replaced else getattr(tictactoe.RULES, name)


def fails(error: Exception) -> Any:
    """Return a function that raises, whatever it is given."""

    def failing(*_: Any, **__: Any) -> Any:
        raise error

    return failing


def with_rules(**replaced: Any) -> Game:
    game = copy(OWN_GAMES["tictactoe"])
    game.rules = FaultyRules(**replaced)
    return game


def with_migration(**functions: Any) -> Game:
    game = copy(OWN_GAMES["tictactoe"])
    game.rules_number = 2
    game.migrations = {1: RulesMigration(**functions)}
    return game


FAULTY = {
    "play": (with_rules(play=fails(IndexError("tuple index"))), "IndexError: tuple index"),
    "state type": (with_rules(state_type=tuple[int | tuple[int, ...] | list[int], ...]), "TypeError: "),
    "migration of moves": (with_migration(move=fails(KeyError("cell"))), "KeyError: 'cell'"),
    "migration of states": (with_migration(state=fails(KeyError("board"))), "KeyError: 'board'"),
    "migration of options": (with_migration(options=fails(RecursionError("deep"))), "RecursionError: deep"),
    "unreadable": (with_rules(play=fails(UnreadableError())), "UnreadableError"),
    "several lines": (with_rules(play=fails(ValueError("first\nsecond"))), "ValueError: first second"),
}
faulty = pytest.mark.parametrize(("game", "reason"), FAULTY.values(), ids=FAULTY)


def stored_rooms() -> tuple[MemoryStore, RoomId, RoomId]:
    """Return a store with a running game of tic-tac-toe, the room of it, and a room of gomoku."""
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        ann, bob, _ = simulation.running_room()
        shown = bob.ask("open", game="gomoku", nonce="g")[0]["room"]
        (room,) = (
            each for each in simulation.hall.executor.live_rooms.values() if each.game.name == "tictactoe"
        )
        started = room.latest
        seat = room.rules.to_act(started.state)[0]
        (ann, bob)[seat].ask("play", **mark(room.latest.id, 4, "m"))
        assert room.durable.version == started.version + 1
        body = encode_snapshot(started, 1)
        store.append([], [Snapshot(started.id, started.version, live=True, body=body, code=started.code)])
        return store, started.id, RoomId(shown["id"])


@faulty
def test_the_server_starts_without_the_room_of_a_faulty_game(game: Game, reason: str) -> None:
    store, broken, other = stored_rooms()

    async def start() -> None:
        hall = Hall({**OWN_GAMES, "tictactoe": game}, store)
        with capture_logs() as lines:
            hall.start()
        assert set(hall.executor.live_rooms) == {other}
        (line,) = (line for line in lines if line["log_level"] == "error")
        assert line["reason"].startswith(f"{broken} version ")
        assert "game tictactoe" in line["reason"]
        assert reason in line["reason"]
        assert "\n" not in line["reason"]
        await hall.stop()

    asyncio.run(start())


@faulty
def test_the_error_names_room_version_and_game(game: Game, reason: str) -> None:
    store, broken, _ = stored_rooms()
    games, saved = {"tictactoe": game}, store.load(broken)
    assert saved is not None
    pattern = rf"{broken} version \d+: game tictactoe: {reason}"
    with pytest.raises(JournalError, match=pattern):
        restore(games, saved)


def test_a_room_that_cannot_be_opened_again_is_named_too() -> None:
    store, broken, _ = stored_rooms()
    game = with_migration(options=fails(KeyError("rounds")))
    with pytest.raises(JournalError, match=rf"{broken} version 1: game tictactoe: KeyError: 'rounds'"):
        list(retrace({"tictactoe": game}, store.history(broken)))


def test_an_exception_of_the_reader_of_the_steps_is_its_own() -> None:
    store, broken, _ = stored_rooms()
    steps = retrace(OWN_GAMES, store.history(broken))
    next(steps)
    with pytest.raises(ZeroDivisionError):
        steps.throw(ZeroDivisionError)  # type: ignore[attr-defined] # it is a generator


def test_a_bot_seat_of_a_faulty_game_does_not_stop_the_start() -> None:
    store = MemoryStore()
    with HallSimulation(store) as simulation:
        ann = simulation.native_client("Ann")
        room = ann.ask("open", game="tictactoe", nonce="t", bot="random")[0]["room"]["id"]
        live = simulation.hall.executor.live_rooms[room]
        assert live.durable.state is not None
        body = encode_snapshot(live.durable, 1)
        store.append([], [Snapshot(room, live.durable.version, live=True, body=body, code=live.durable.code)])

    async def start() -> None:
        hall = Hall({"tictactoe": with_rules(to_act=fails(IndexError("seat")))}, store)
        with capture_logs() as lines:
            hall.start()
        assert any("IndexError: seat" in line.get("trace", "") for line in lines)
        await hall.stop()

    asyncio.run(start())


@pytest.mark.parametrize("name", ["state type", "migration of states", "migration of options"])
def test_a_worker_on_a_shared_store_lists_the_other_rooms(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    store, broken, other = stored_rooms()
    shared = SharedStore()
    for room in (broken, other):
        saved = store.load(room)
        assert saved is not None
        shared.snapshots[room] = saved.snapshot
    monkeypatch.setattr(scripted_bus, "GAMES", {**OWN_GAMES, "tictactoe": FAULTY[name][0]})

    async def start() -> None:
        with capture_logs() as lines:
            worker = ScriptedWorker(shared, "one", lambda: Millis(EPOCH))
        assert set(worker.executor.live_rooms) == {other}
        (line,) = lines
        assert line["reason"].startswith(f"{broken} version ")

    asyncio.run(start())


@pytest.mark.parametrize("name", ["play", "migration of moves"])
def test_a_replica_takes_no_commands_where_a_record_cannot_be_applied(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, broken, _ = stored_rooms()
    saved = store.load(broken)
    assert saved is not None
    shared = SharedStore()
    shared.snapshots[broken] = saved.snapshot
    shared.journals[broken] = list(store.history(broken))
    monkeypatch.setattr(scripted_bus, "GAMES", {**OWN_GAMES, "tictactoe": FAULTY[name][0]})

    async def read() -> None:
        worker = ScriptedWorker(shared, "one", lambda: Millis(EPOCH))
        live = worker.executor.live_rooms[broken]
        live.replica = FOLLOWING
        with capture_logs() as lines:
            worker.replicas.records_written(broken, saved.tail)
        assert live.replica is not FOLLOWING
        assert live.durable.version == saved.snapshot.version
        assert FAULTY[name][1] in lines[0]["error"]

    asyncio.run(read())
