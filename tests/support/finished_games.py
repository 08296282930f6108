"""Plays games to their end without a browser."""

from collections.abc import Iterator
from typing import Any, Final

from tests.support.server import Client, Message

_MATE: Final = ("f2f3", "e7e5", "g2g4", "d8h4")
_FIVE: Final = ((7, 7), (0, 0), (8, 7), (0, 1), (9, 7), (0, 2), (10, 7), (0, 3), (11, 7))
_TURNS: Final = 24


def finish(port: int, game: str, names: tuple[str, str] = ("Ada", "Bo"), **options: Any) -> str:
    """Play a game of two players, or mahjong with three bots, to its end; return the room id."""
    if game == "mahjong":
        return _match(port, names[0], options)
    ada, bo = (Client(port, name=name) for name in names)
    opened = ada.ask("open", "room", game=game, nonce="open", options=options, seat=0)
    room = str(opened["room"]["id"])
    started = bo.ask("join", "room", room=room, seat=1)
    moves: dict[str, list[Message]] = {
        "chess": [{"do": "move", "uci": uci} for uci in _MATE],
        "gomoku": [{"do": "place", "x": x, "y": y} for x, y in _FIVE],
        "tictactoe": [{"do": "mark", "cell": cell} for cell in (4, 0, 8)],
    }
    if not _play(room, started, (ada, bo), moves[game]):
        ada.send("resign", room=room, nonce="resign")
        ada.receive_event("game_over")
    for client in (ada, bo):
        client.close()
    return room


def _play(room: str, started: Message, players: tuple[Client, Client], moves: list[Message]) -> bool:
    """Make moves in turn; tell whether the last one ended the game."""
    acting = started["room"]["to_act"]
    notice: Message = {}
    for number, move in enumerate(moves):
        player = players[acting[0]]
        player.send("play", room=room, move=move, nonce=f"move {number}")
        while (notice := player.receive_until("events", "refused")).get("nonce") != f"move {number}":
            pass
        assert notice["type"] == "events", notice
        acting = notice["to_act"]
    return any(event["e"] == "game_over" for event in notice["events"])


def _match(port: int, name: str, options: dict[str, Any]) -> str:
    """Play a few turns against three bots, then leave; the bots finish the game."""
    client, spectator = Client(port, name=name), Client(port)
    chosen, table = {"rounds": 1} | options, {"substitute_bot": "random", "empty_timeout": 600}
    notice = client.ask(
        "open", "room", game="mahjong", nonce="open", options=chosen, table=table, bot="random"
    )
    room = str(notice["room"]["id"])
    spectator.ask("watch", "room", room=room)
    for turn, _ in enumerate(play_simple_mahjong(client, notice)):
        if turn == _TURNS:
            break
    client.send("leave", room=room, nonce="leave")
    spectator.receive_event("game_over")
    for connected in (client, spectator):
        connected.close()
    return room


def play_simple_mahjong(client: Client, notice: Message) -> Iterator[Message]:
    """Play mahjong: yield the position before each move, then pass or discard the drawn tile."""
    room, you = notice["room"]["id"], notice["you"]
    position: Message = {}
    acting: list[int] = []
    before: list[Any] = []
    sent = answered = 0
    while True:
        if notice["type"] == "room":
            position, acting = notice["room"].get("position", {}), notice["room"].get("to_act", [])
        elif notice["type"] == "events":
            position, acting = _after(position, notice["events"]), notice["to_act"]
        elif notice["type"] == "refused":
            # Another player was faster: ask for the present position.
            before = []
            client.send("join", room=room)
        if notice["type"] == "room" or notice.get("nonce") == f"move {sent}":
            answered = sent
        moment = [position.get(field) for field in ("stage", "turn", "left", "tile")]
        if you in acting and answered == sent and moment != before:
            before = moment
            yield position
            sent += 1
            client.send("play", room=room, move=_move(position), nonce=f"move {sent}")
        notice = client.receive()


def _after(position: Message, events: list[Message]) -> Message:
    """Return the fields of the position that this player needs, after the events."""
    for event in events:
        match event["e"]:
            case "game_started" | "hand_started" | "hand_ended":
                position = event["position"]
            case "turn_changed":
                position = position | {"tile": None} | event
            case "private_view_changed":
                position = position | {"private": event["private"]}
    return position


def _move(position: Message) -> Message:
    match position["stage"]:
        case "hand_over":
            return {"do": "next"}
        case "claiming":
            return {"do": "pass"}
        case "drawing":
            return {"do": "draw"}
    private = position["private"]
    allowed = [tile for tile in private["tiles"] if tile not in private.get("barred", ())]
    return {"do": "discard", "tile": allowed[-1] if private.get("drawn") is None else private["drawn"]}
