"""Plain moves take a short path. Here everything is played twice, with it and without it, and compared."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from qipai.games.chess.wire_types import Move as ChessMove
from qipai.games.gomoku.wire_types import Place
from qipai.games.tictactoe.rules import Mark
from qipai.hall.rooms.live_room import LiveRoom
from qipai.hall.rooms.plain_moves import PlainMoves
from qipai.kernel import step as kernel_step
from qipai.kernel.ids import RoomId, Seat
from qipai.kernel.room import PLAYING
from tests.clients.gomoku import gomoku_clients
from tests.clients.qtchess.qtchess_clients import Qt, squares, start
from tests.support.hall_simulation import HallSimulation, NativeClient, SocketIOClient

AnyClient = NativeClient | SocketIOClient | Qt
CLOCK: Final = {"main": [30_000], "increment": 1_000, "lag_compensation": True}


class Scene(NamedTuple):
    """A room with its clients."""

    simulation: HallSimulation
    live: LiveRoom
    clients: tuple[AnyClient, ...]

    def player(self, seat: Seat) -> AnyClient:
        """Return the client of a seat."""
        room = self.live.latest.id
        return next(client for client in self.clients if client.connection.rooms.get(room) == seat)


def native(game: str, clock: dict[str, Any] | None = None, **table: Any) -> Callable[[HallSimulation], Scene]:
    """Return the start of a game between native clients, with spectators."""

    def start_game(simulation: HallSimulation) -> Scene:
        clients = tuple(simulation.native_client(f"Player {number}") for number in range(5))
        host, *others = clients
        rules = {"clock": clock, **table} if clock else table
        room = host.ask("open", game=game, nonce="t", table=rules)[0]["room"]["id"]
        live = simulation.hall.executor.live_rooms[room]
        for number, client in enumerate(others, 1):
            client.ask("join" if number < live.rules.seats else "watch", room=room)
        host.connection.lag = 30
        return Scene(simulation, live, clients)

    return start_game


def older_chess(simulation: HallSimulation) -> Scene:
    """Start a game between two of the older chess clients."""
    host, guest = Qt(simulation), Qt(simulation)
    guest.join(host.create())
    host.received()
    start(host, whiteTimeMs=60_000, blackTimeMs=60_000)
    return only_room(simulation, host, guest)


def mixed_chess(simulation: HallSimulation) -> Scene:
    """Start a game between a native client and an older chess client."""
    ann, guest = simulation.native_client("Ann"), Qt(simulation)
    room = ann.ask("open", game="chess", nonce="t", table={"clock": CLOCK}, seat=0)[0]["room"]
    guest.join(room["code"])
    return only_room(simulation, ann, guest)


def older_gomoku(simulation: HallSimulation) -> Scene:
    """Start a game between two of the older gomoku clients."""
    black, white, _ = gomoku_clients.match(simulation)
    return only_room(simulation, black, white)


def older_tictactoe(simulation: HallSimulation) -> Scene:
    """Start a game between two of the older tic-tac-toe clients."""
    return only_room(simulation, *simulation.socketio_pair())


def only_room(simulation: HallSimulation, *clients: AnyClient) -> Scene:
    """Return the scene of the only room there is."""
    (live,) = simulation.hall.executor.live_rooms.values()
    return Scene(simulation, live, clients)


SCENES: Final = {
    "chess": native("chess"),
    "chess with a clock": native("chess", CLOCK),
    "chess with a delay": native("chess", CLOCK, spectator_delay=3),
    "gomoku": native("gomoku", CLOCK),
    "tictactoe": native("tictactoe", {"main": [0], "move": 5_000}),
    "mahjong": native("mahjong"),
    "older chess clients": older_chess,
    "an older and a native chess client": mixed_chess,
    "older gomoku clients": older_gomoku,
    "older tictactoe clients": older_tictactoe,
}


def send_move(scene: Scene, client: AnyClient, move: Any, nonce: str) -> None:
    """Send a move in the dialect of the client, if its players can make it."""
    room = scene.live.latest.id
    match client, move:
        case NativeClient(), _:
            client.send("play", room=room, move=msgspec.to_builtins(move), nonce=nonce)
        case Qt(), ChessMove(uci=uci):
            client.send("move", **squares(uci))
        case SocketIOClient(), Place(x=x, y=y):
            client.send("place-stone", {"roomId": scene.live.latest.code, "x": x, "y": y})
        case SocketIOClient(), Mark(cell=cell):
            client.send("make_move", {"row": cell // 3, "col": cell % 3})


class Action(NamedTuple):
    """What happens next: a legal move of some number, or something else now and then."""

    kind: str
    number: int
    settles: bool


def act(scene: Scene, action: Action, count: int) -> None:
    """Let one thing happen."""
    live, simulation = scene.live, scene.simulation
    room, rules = live.latest, live.rules
    if action.kind == "wait":
        simulation.wait((0.02, 0.4, 2.5, 31)[action.number % 4])
    elif room.phase is PLAYING:
        (mover, *_) = rules.to_act(room.state)
        legal = rules.legal(room.state, mover)
        client = scene.player(mover)
        nonce = f"n{count // 2 if action.number % 11 == 0 else count}"
        match action.kind:
            case "move":
                send_move(scene, client, legal[action.number % len(legal)], nonce)
            case "wrong seat":
                other = scene.player(Seat((mover + 1) % rules.seats))
                send_move(scene, other, legal[action.number % len(legal)], nonce)
            case "offer" if isinstance(client, NativeClient):
                client.send("offer", room=room.id, kind="draw", nonce=nonce)
            case "say" if isinstance(client, NativeClient):
                client.send("say", room=room.id, text="hello", nonce=nonce)
    if action.settles:
        simulation.settle()


KINDS: Final = (*("move",) * 12, "wait", "wrong seat", "offer", "say")
ACTIONS: Final = st.lists(
    st.builds(
        Action, st.sampled_from(KINDS), st.integers(0, 400), st.sampled_from((True, True, True, False))
    ),
    min_size=5,
    max_size=40,
)


@contextmanager
def general_path() -> Iterator[None]:
    """Let every move take the general path."""
    with ExitStack() as patches:
        patches.enter_context(patch.object(PlainMoves, "stage", lambda *_: False))
        patches.enter_context(patch.object(kernel_step, "plain_move", lambda *_: None))
        yield


def played(scene_name: str, actions: list[Action]) -> dict[str, Any]:
    """Return everything that a game leads to: rooms, records, frames, and when time is up."""
    with HallSimulation() as simulation:
        scene = SCENES[scene_name](simulation)
        for client in scene.clients:
            client.received()
            client.transport.frames.clear()
        for count, action in enumerate(actions):
            act(scene, action, count)
        simulation.settle()
        live, room = scene.live, scene.live.latest.id
        return {
            "latest": replace(live.latest, id=RoomId("")),
            "durable": replace(live.durable, id=RoomId("")),
            "records": [(entry.at, entry.body) for entry in simulation.store.history(room, after=1)],
            "frames": [
                [frame.replace(room.encode(), b"") for frame in client.transport.frames]
                for client in scene.clients
            ],
            "deadline": live.deadline,
            "moves": simulation.hall.executor.moves,
            "refused": simulation.hall.executor.refused,
        }


@pytest.mark.parametrize("scene", SCENES)
@settings(
    max_examples=8,
    deadline=None,
    database=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(actions=ACTIONS)
def test_a_move_has_the_same_record_room_and_frames_on_both_paths(scene: str, actions: list[Action]) -> None:
    plain = played(scene, actions)
    with general_path():
        general = played(scene, actions)
    assert plain == general


@pytest.mark.parametrize("scene", [name for name in SCENES if name not in {"mahjong", "chess with a delay"}])
def test_ordinary_moves_take_the_short_path(scene: str) -> None:
    with HallSimulation() as simulation:
        started = SCENES[scene](simulation)
        with patch.object(simulation.hall.executor, "_stage") as stage:
            for count in range(4):
                act(started, Action("move", 3 * count, settles=True), count)
        assert started.live.durable.version > 4
        stage.assert_not_called()
