"""Valid messages of every endpoint, as templates for random input."""

from typing import Any, Final

from tests.fuzz.fuzz_input import LAST_ID, LEARNED

Templates = tuple[Any, ...]
Opening = tuple[tuple[int, Any], ...]
"""The valid frames that the sockets of a run send first, by the number of the socket."""
Requests = tuple[tuple[str, str, Any], ...]
"""HTTP requests: method, path, and the template of a JSON body or a form as text."""

SOCKETS: Final = 3
ROOM: Final = {"room": LEARNED}
CELL: Final = range(9)

NATIVE: Final[Templates] = (
    {"type": "hello", "token": LEARNED, "name": "Ann"},
    {"type": "open", "game": "tictactoe", "nonce": LEARNED, "table": {"clock": {"main": [60000]}}},
    {"type": "open", "game": "chess", "nonce": "c", "options": {"dice": "free", "mines": 5, "fog": True}},
    {"type": "open", "game": "gomoku", "nonce": "g", "bot": "easy"},
    {"type": "open", "game": "mahjong", "nonce": "m", "options": {}},
    {"type": "join", **ROOM},
    {"type": "watch", **ROOM},
    {"type": "quick_match", "game": "tictactoe"},
    {"type": "quick_match", "game": "chess", "options": {"fog": True}, "clock": {"main": [300_000]}},
    {"type": "play", **ROOM, "move": {"do": "mark", "cell": CELL}, "nonce": LEARNED, "at_version": CELL},
    {"type": "play", **ROOM, "move": {"do": "move", "uci": "e2e4"}, "nonce": "n"},
    {"type": "offer", **ROOM, "kind": "draw", "nonce": "o"},
    {"type": "answer", **ROOM, "offer": CELL, "yes": True, "nonce": "a"},
    {"type": "say", **ROOM, "text": "hello", "nonce": "s"},
    {"type": "resume", **ROOM, "version": CELL},
    {"type": "claim_seat", "ticket": LEARNED},
    {"type": "transfer_seat", **ROOM},
    {"type": "report", **ROOM, "text": "spam"},
    {"type": "resign", **ROOM, "nonce": "r"},
    {"type": "leave", **ROOM},
    {"type": "lobby", "on": True, "featured": True},
    {"type": "ping", "n": 1},
)  # fmt: skip
QTCHESS: Final[Templates] = (
    {"action": "createRoom"},
    {"action": "joinRoom", **ROOM},
    {"action": "startGame", **ROOM, "hostColor": "White", "whiteTimeMs": 60000, "blackTimeMs": 0,
     "gameModes": {"骰子": True, "踩地雷": True}, "minePositions": [{"x": 4, "y": 4}]},
    {"action": "move", **ROOM, "fromRow": range(8), "fromCol": range(8), "toRow": range(8), "toCol": range(8),
     "promotion": None},
    {"action": "requestDice", **ROOM, "numMovablePieces": range(7)},
    {"action": "diceRoll", **ROOM, "dice": [1, 3, range(6)]},
    {"action": "diceCheckInterruption", **ROOM, "savedMovesRemaining": range(3)},
    {"action": "diceCheckResolved", **ROOM},
    {"action": "drawOffer", **ROOM},
    {"action": "drawResponse", **ROOM, "accepted": True},
    {"action": "gameOver", **ROOM, "result": "1-0"},
    {"action": "surrender", **ROOM},
    {"action": "leaveRoom", **ROOM},
    {"type": "TimeSettings", "whiteTimeMs": 60000},
)  # fmt: skip
_MAHJONG_TYPES: Final = (
    "roll_positions", "roll_dealer", "deal_tiles", "discard_tile", "player_action", "draw_tile", "next_round",
    "join_room", "get_state", "get_hands", "get_deck_count", "sort_hand", "verify_wall",
)  # fmt: skip
MAHJONG: Final[Templates] = tuple(
    {
        "type": kind,
        "game_id": LEARNED,
        "req_id": LEARNED,
        "data": {
            "player_id": range(6),
            "tile": range(144),
            "action": "pong",
            "tiles": [range(144)],
            "token": LEARNED,
        },
    }
    for kind in _MAHJONG_TYPES
)
SOCKETIO: Final[Templates] = (
    ["join-lobby", {"nickname": "Ann"}],
    ["create-room", {"roomName": "r", "isPrivate": False}],
    ["quick-match", {}],
    ["join-room", {"roomId": LEARNED}],
    ["place-stone", {"roomId": LEARNED, "x": range(15), "y": range(15)}],
    ["request-undo", {"roomId": LEARNED}],
    ["respond-undo", {"roomId": LEARNED, "accept": True}],
    ["chat-message", {"roomId": LEARNED, "message": "hi"}],
    ["request-rematch", {"roomId": LEARNED}],
    ["request-swap", {"roomId": LEARNED}],
    ["search-room", {"roomId": LEARNED}],
    ["surrender", {"roomId": LEARNED}],
    ["join_pvp", {"mode": "pvp"}],
    ["make_move", {"row": range(3), "col": range(3)}],
    ["reset_game"],
    ["chat message", "hi"],
    ["leave-room", {"roomId": LEARNED}],
)
HAND: Final = {"variant": 13, "hand": "234m567p123456s99p", "win": "2m"}
START: Final = {"game_type": 16, "seats": "open", "bots": [4], "rules": {}, "timeouts": True, "base": 100}

# HTTP

LOGIN: Final[Requests] = (
    ("GET", "/login", None),
    ("POST", "/login", f"name={LEARNED}&icon={LEARNED}"),
    ("POST", "/login", f"name=Ann&icon=🐼&more={LEARNED}&offered={LEARNED}"),
    ("POST", "/logout", ""),
    ("GET", "/logout", None),
    ("GET", "/reset", None),
)
HTTP_API: Final[Requests] = (
    (
        "GET",
        f"/api/games?player={LEARNED}&game={LEARNED}&since={LEARNED}&until={LEARNED}&limit={LEARNED}",
        None,
    ),
    ("GET", f"/api/games?after={LEARNED}", None),
    ("GET", f"/api/my-games?after={LEARNED}&limit={LEARNED}", None),
    ("GET", f"/api/people/{LEARNED}", None),
    ("GET", f"/api/people/{LEARNED}/games?opponent={LEARNED}&twist={LEARNED}&result={LEARNED}", None),
    ("GET", f"/api/people/{LEARNED}/head-to-head?with={LEARNED}", None),
    ("GET", f"/api/games/{LEARNED}/1", None),
    ("GET", f"/api/games/{LEARNED}/{LEARNED}?seat={LEARNED}&form=compact", None),
    ("GET", f"/api/games/{LEARNED}/1/record", None),
    ("POST", "/api/mahjong/score", HAND),
    ("GET", "/health", None),
    ("GET", "/ready", None),
    ("GET", f"/docs/{LEARNED}", None),
    ("GET", f"/games/{LEARNED}", None),
    ("GET", f"/assets/{LEARNED}", None),
    ("GET", f"/{LEARNED}", None),
    ("GET", "/play", None),
)
MAHJONG_REST: Final[Requests] = (
    ("POST", "/api/game/start", START),
    ("POST", "/api/game/start", {}),
    ("GET", "/api/mahjong/rules", None),
)

# The first frames

NATIVE_OPENING: Final[Opening] = (
    *((number, {"type": "hello"}) for number in range(SOCKETS)),
    (0, {"type": "open", "game": "tictactoe", "nonce": "first"}),
    (1, {"type": "join", "room": LAST_ID}),
)
QTCHESS_OPENING: Final[Opening] = (
    (0, {"action": "createRoom"}),
    (1, {"action": "joinRoom", "room": LAST_ID}),
    (0, {"action": "startGame", "room": LAST_ID, "hostColor": "White", "gameModes": {"骰子": True}}),
    (0, {"action": "requestDice", "room": LAST_ID, "numMovablePieces": 1}),
)
