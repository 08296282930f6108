"""The server works without the package `clients`: only native clients are served then."""

import ast
import contextlib
import http.client
import os
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from websockets.exceptions import InvalidStatus

import qipai
from tests.support.server import Client, Message, ServerProcess

PACKAGE = Path(qipai.__file__).parent
HTTP_PATHS = ("/login", "/logout", "/reset", "/api/game/start", "/api/mahjong/rules", "/socket.io/")
FOOLS_MATE = ("f2f3", "e7e5", "g2g4", "d8h4")
BLACK_FIVE = ((0, 0), (0, 1), (1, 0), (1, 1), (2, 0), (2, 1), (3, 0), (3, 1), (4, 0))


def test_only_the_composition_root_imports_clients_and_only_where_it_can_be_missing() -> None:
    found = []
    for path in PACKAGE.rglob("*.py"):
        if path.is_relative_to(PACKAGE / "clients"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                names = [node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names)]
            if any(f"{name}.".startswith("qipai.clients.") for name in names):
                found.append(path.relative_to(PACKAGE))
    assert found == [Path("app.py")]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """Yield a real server that runs from a copy of the package without `clients`."""
    folder = tmp_path_factory.mktemp("package")
    shutil.copytree(PACKAGE, folder / "qipai", ignore=shutil.ignore_patterns("clients", "__pycache__"))
    assert not (folder / "qipai" / "clients").exists()
    process = ServerProcess(tmp_path_factory.mktemp("data"), config="bot_pause = 0\n")
    process.environment = {"PYTHONPATH": os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")])}
    with process:
        yield process
    assert process.errors == []


def open_room(client: Client, game: str, **fields: Any) -> Message:
    room: Message = client.ask("open", "room", game=game, nonce=f"open {game}", **fields)["room"]
    return room


def players(server: ServerProcess, game: str, clients: contextlib.ExitStack) -> tuple[str, list[Client]]:
    """Return a room in which two native clients play, the first player first."""
    ann, bob = Client(server.port, name="Ann"), Client(server.port, name="Bob")
    clients.callback(ann.close)
    clients.callback(bob.close)
    room = open_room(ann, game)["id"]
    shown = bob.ask("join", "room", room=room)
    first = shown["room"]["to_act"][0]
    return room, [bob, ann] if shown["you"] == first else [ann, bob]


def play(client: Client, room: str, nonce: str, **move: Any) -> list[Message]:
    """Make a move and return its events."""
    client.send("play", room=room, nonce=nonce, move=move)
    while (answer := client.receive_until("events", "refused")).get("nonce") != nonce:
        pass
    assert answer["type"] == "events", answer
    events: list[Message] = answer["events"]
    return events


@pytest.mark.slow
def test_a_game_of_chess_is_played(server: ServerProcess) -> None:
    with contextlib.ExitStack() as clients:
        room, (white, black) = players(server, "chess", clients)
        for number, uci in enumerate(FOOLS_MATE):
            events = play(black if number % 2 else white, room, f"{number}", do="move", uci=uci)
        assert events[-1]["e"] == "game_over"
        assert white.receive_event("game_over")["winners"] == events[-1]["winners"] != []


@pytest.mark.slow
def test_a_game_of_gomoku_is_played(server: ServerProcess) -> None:
    with contextlib.ExitStack() as clients:
        room, (black, white) = players(server, "gomoku", clients)
        for number, (x, y) in enumerate(BLACK_FIVE):
            events = play(white if number % 2 else black, room, f"{number}", do="place", x=x, y=y)
        assert [event["e"] for event in events[-2:]] == ["five_in_row", "game_over"]


def play_against_bots(
    client: Client, room: Message, choose: Callable[[Message, int], Message | None]
) -> None:
    """Play until the game is over, each turn from a full view of the room."""
    for number in range(2_000):
        # Slow enough for the rate limit of 50 frames a second.
        time.sleep(0.05)
        client.send("resume", room=room["id"], version=0)
        while (answer := client.receive_until("room", "refused"))["type"] != "room":
            # Another player was faster, for example with a claim.
            assert answer["code"] == "stale", answer
        shown, seat = answer["room"], answer["you"]
        if shown["phase"] == "over":
            return
        move = choose(shown["position"], seat) if seat in shown["to_act"] else None
        if move is not None:
            client.send("play", room=room["id"], nonce=f"{number}", move=move, at_version=answer["version"])
    raise AssertionError("the game does not end")


def choose_mark(position: Message, seat: int) -> Message:
    if position["resting"]:
        return {"do": "next"}
    return {"do": "mark", "cell": position["board"].index(".")}


@pytest.mark.slow
def test_a_match_of_tic_tac_toe_is_played_against_a_bot(server: ServerProcess) -> None:
    with contextlib.closing(Client(server.port)) as client:
        play_against_bots(client, open_room(client, "tictactoe", bot="random"), choose_mark)


def choose_discard(position: Message, seat: int) -> Message | None:
    private = position["private"]
    if position["stage"] == "hand_over":
        return {"do": "next"}
    if position["stage"] == "claiming":
        return None if private.get("answer") else {"do": "pass"}
    tile = private["drawn"] if private.get("drawn") is not None else private["tiles"][-1]
    return {"do": "discard", "tile": tile}


@pytest.mark.slow
def test_a_round_of_mahjong_is_played_against_bots(server: ServerProcess) -> None:
    with contextlib.closing(Client(server.port)) as client:
        room = open_room(client, "mahjong", bot="normal", options={"rounds": 1})
        play_against_bots(client, room, choose_discard)


@pytest.mark.slow
@pytest.mark.parametrize("path", HTTP_PATHS)
def test_the_http_paths_of_older_clients_are_absent(server: ServerProcess, path: str) -> None:
    for method in ("GET", "POST"):
        connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        connection.request(method, path)
        assert connection.getresponse().status == 404
        connection.close()


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/ws", "/socket.io/?EIO=4&transport=websocket"])
def test_the_websocket_paths_of_older_clients_are_absent(server: ServerProcess, path: str) -> None:
    with pytest.raises(InvalidStatus) as refused:
        Client(server.port, path=path, greet=False)
    assert refused.value.response.status_code == 404
