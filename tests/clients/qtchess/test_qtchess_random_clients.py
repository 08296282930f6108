"""Chess and web clients in the same rooms with random actions."""

import json
import random
from typing import Any

import msgspec
import pytest

from qipai.games.chess.wire_types import Move, Roll
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import Seat
from qipai.kernel.room import Phase
from tests.clients.qtchess.qtchess_clients import DICE, FOG, MINES, Qt, squares
from tests.support.hall_simulation import HallSimulation, Message, NativeClient

STEPS = 400
ACTIONS = [
    "createRoom",
    "joinRoom",
    "joinRoom",
    "startGame",
    "startGame",
    "startGame",
    "drawOffer",
    "drawResponse",
    "surrender",
    "leaveRoom",
    "gameOver",
    "diceCheckInterruption",
    "diceCheckResolved",
    "move",
]


def legal_act(simulation: HallSimulation, chance: random.Random, code: str, seat: int) -> object | None:
    """Return a legal move of this seat, if it is its turn."""
    live_room = simulation.hall.executor.live_rooms[simulation.hall.executor.rooms_by_code[code]]
    if live_room.durable.phase is not Phase.PLAYING:
        return None
    moves = live_room.rules.legal(live_room.durable.state, Seat(seat))
    return chance.choice(moves) if moves else None


def qt_acts(simulation: HallSimulation, chance: random.Random, one: Qt) -> None:
    """Let a chess client act at random."""
    codes = [*simulation.hall.executor.rooms_by_code, "1234"]
    mine = next(iter(one.connection.rooms), None)
    code = one.code = (
        simulation.hall.executor.live_rooms[mine].durable.code if mine is not None else chance.choice(codes)
    )
    act = None if mine is None else legal_act(simulation, chance, code, one.connection.rooms[mine])
    kind = chance.random()
    if act is not None and kind < 0.75:
        if isinstance(act, Move):
            one.send("move", **squares(act.uci))
        elif isinstance(act, Roll) and chance.random() < 0.5:
            one.send("requestDice", numMovablePieces=act.kinds)
        else:
            one.send("diceRoll", dice=[chance.randint(1, 5) for _ in range(3)])
        return
    action = chance.choice(ACTIONS)
    if mine is not None and action in {"createRoom", "joinRoom", "leaveRoom"} and chance.random() < 0.8:
        return
    room = chance.choice(codes) if action == "joinRoom" else code
    modes = {mode: chance.random() < 0.4 for mode in (DICE, FOG, MINES, "地吸引力")}
    modes["地吸引力"] &= chance.random() < 0.3
    mines = [{"x": chance.randrange(8), "y": chance.randint(2, 5)}]
    one.send(
        action,
        room=room,
        hostColor=chance.choice(["White", "Black"]),
        whiteTimeMs=chance.choice([0, 30_000]),
        gameModes=modes,
        minePositions=mines,
        accepted=chance.random() < 0.3,
        result="1-0",
        savedMovesRemaining=chance.randrange(3),
        fromRow=1,
    )


def web_acts(simulation: HallSimulation, chance: random.Random, one: NativeClient) -> None:
    """Let a web client act at random."""
    mine = next(iter(one.connection.rooms), None)
    if mine is None:
        if chance.random() < 0.5 and simulation.hall.executor.rooms_by_code:
            room = chance.choice(list(simulation.hall.executor.rooms_by_code))
            one.send("join", room=room, accept_sees_hidden=chance.random() < 0.9)
            return
        options = {
            "dice": chance.choice(["", "sequential", "free"]),
            "fog": chance.random() < 0.3,
            "mines": chance.choice([0, 5]),
        }
        one.send("open", game="chess", nonce=f"{chance.random()}", options=options)
        return
    live_room, seat = simulation.hall.executor.live_rooms[mine], one.connection.rooms[mine]
    act = legal_act(simulation, chance, live_room.durable.code, seat) if seat >= 0 else None
    kind = chance.random()
    if act is not None and kind < 0.85:
        move = json.loads(msgspec.json.encode(act))
        one.send("play", room=mine, move=move, nonce=f"{chance.random()}")
    elif kind < 0.9:
        one.send(
            "offer", room=mine, kind=chance.choice(["draw", "undo", "rematch"]), nonce=f"{chance.random()}"
        )
    elif kind < 0.95:
        one.send("start", room=mine, nonce=f"{chance.random()}")
    elif kind < 0.97:
        one.send("resign", room=mine)
    else:
        one.send("leave", room=mine)


def follows(received: list[Message], live_room: LiveRoom) -> None:
    """Check that the messages give whose turn it is and how many dice are left."""
    room: Any = live_room.durable
    if room.phase is not Phase.PLAYING:
        return
    state, cup = room.state, room.state.dice
    messages = [message for message in received if message.get("room") == room.code]
    said = [message.get("timerState", message) for message in messages]
    last = [each["currentPlayer"] for each in said if "currentPlayer" in each][-1]
    assert last == ("White" if state.turn == state.white else "Black")
    if cup is None:
        assert "diceState" not in messages[-1]
        return
    usable = 0 if cup.awaiting_roll or cup.free_move else cup.rolls[-1].used.count(".")
    left = 0
    for message in messages:
        if message["action"] == "gameStart":
            left = 0
        elif message["action"] in {"diceRoll", "diceRolled"}:
            left = 3
        elif "diceState" in message:
            left = message["diceState"]["movesRemaining"]
    # A client is not sent its own roll.
    assert left == usable or (left, usable) == (0, 3)


@pytest.mark.parametrize("seed", range(12))
def test_every_frame_is_json_for_any_mix_of_clients(simulation: HallSimulation, seed: int) -> None:
    chance = random.Random(seed)
    clients = [Qt(simulation) for _ in range(4)]
    pages = [simulation.native_client(f"P{number}") for number in range(3)]
    for _ in range(STEPS):
        if chance.random() < 0.6:
            qt_acts(simulation, chance, chance.choice(clients))
        else:
            web_acts(simulation, chance, chance.choice(pages))
        simulation.wait(chance.choice([0, 0, 0.03, 0.3]))
    simulation.wait(1)
    assert simulation.hall.internal_errors.count == 0
    for one in clients:
        assert (one.transport.closed, one.transport.aborted) == (None, False)
        received = [json.loads(frame) for frame in one.transport.frames]
        assert all(isinstance(message["action"], str) for message in received)
        for room in one.connection.rooms:
            follows(received, simulation.hall.executor.live_rooms[room])
    for live_room in simulation.hall.executor.live_rooms.values():
        assert live_room.latest is live_room.durable
