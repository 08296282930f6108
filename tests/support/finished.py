"""Games played to their end without a browser, to be looked at again."""

from collections.abc import Iterator
from typing import Any, Final

from tests.support.server import Client, Message

_MATE: Final = ("f2f3", "e7e5", "g2g4", "d8h4")
_FIVE: Final = ((7, 7), (0, 0), (8, 7), (0, 1), (9, 7), (0, 2), (10, 7), (0, 3), (11, 7))
_TURNS: Final = 24


def finish(port: int, game: str, names: tuple[str, str] = ("Ada", "Bo"), **options: Any) -> str:
    """Play a game of two to its end, or of mahjong with three bots, and return the table's id."""
    if game == "mahjong":
        return _match(port, names[0], options)
    ada, bo = (Client(port, name=name) for name in names)
    opened = ada.ask("open", "room", game=game, nonce="open", options=options, seat=0)
    room = str(opened["room"]["id"])
    dealt = bo.ask("join", "room", room=room, seat=1)
    moves: dict[str, list[Message]] = {
        "chess": [{"do": "move", "uci": uci} for uci in _MATE],
        "gomoku": [{"do": "place", "x": x, "y": y} for x, y in _FIVE],
        "tictactoe": [{"do": "mark", "cell": cell} for cell in (4, 0, 8)],
    }
    if not _play(room, dealt, (ada, bo), moves[game]):
        ada.send("resign", room=room, nonce="resign")
        ada.event("game_over")
    for one in (ada, bo):
        one.close()
    return room


def _play(room: str, dealt: Message, players: tuple[Client, Client], moves: list[Message]) -> bool:
    """Make moves, whoever's turn it is; tell whether the last one ended the game."""
    acting = dealt["room"]["to_act"]
    heard: Message = {}
    for number, move in enumerate(moves):
        player = players[acting[0]]
        player.send("play", room=room, move=move, nonce=f"move {number}")
        while (heard := player.until("events", "refused")).get("nonce") != f"move {number}":
            pass
        assert heard["type"] == "events", heard
        acting = heard["to_act"]
    return any(event["e"] == "game_over" for event in heard["events"])


def _match(port: int, name: str, options: dict[str, Any]) -> str:
    """Play a few turns against three bots, then leave them alone."""
    client, looker = Client(port, name=name), Client(port)
    chosen, table = {"rounds": 1} | options, {"substitute_bot": "random", "empty_timeout": 600}
    heard = client.ask(
        "open", "room", game="mahjong", nonce="open", options=chosen, table=table, bot="random"
    )
    room = str(heard["room"]["id"])
    looker.ask("watch", "room", room=room)
    for turn, _ in enumerate(carelessly(client, heard)):
        if turn == _TURNS:
            break
    client.send("leave", room=room, nonce="leave")
    looker.event("game_over")
    for one in (client, looker):
        one.close()
    return room


def carelessly(client: Client, heard: Message) -> Iterator[Message]:
    """Play mahjong on: yield the position before each move, then pass or discard the draw."""
    room, you = heard["room"]["id"], heard["you"]
    position: Message = {}
    acting: list[int] = []
    before: list[Any] = []
    sent = answered = 0
    while True:
        if heard["type"] == "room":
            position, acting = heard["room"].get("position", {}), heard["room"].get("to_act", [])
        elif heard["type"] == "events":
            position, acting = _after(position, heard["events"]), heard["to_act"]
        elif heard["type"] == "refused":
            # Somebody else was quicker: look again.
            before = []
            client.send("join", room=room)
        if heard["type"] == "room" or heard.get("nonce") == f"move {sent}":
            answered = sent
        moment = [position.get(field) for field in ("stage", "turn", "left", "tile")]
        if you in acting and answered == sent and moment != before:
            before = moment
            yield position
            sent += 1
            client.send("play", room=room, move=_move(position), nonce=f"move {sent}")
        heard = client.hear()


def _after(position: Message, events: list[Message]) -> Message:
    """Return as much of the position as a careless player looks at."""
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
    own = position["private"]
    free = [tile for tile in own["tiles"] if tile not in own.get("barred", ())]
    return {"do": "discard", "tile": free[-1] if own.get("drawn") is None else own["drawn"]}
