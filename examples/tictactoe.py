"""Plays one match of tic-tac-toe against any opponent; give the server's URL and a name."""

import queue
import random
import sys
from itertools import product
from typing import Any

import requests
from echo import Recovering

url, username = sys.argv[1:]
session = requests.Session()  # Its cookie is the login.
login = session.post(f"{url}/login", {"username": username, "icon": "🐼"}, allow_redirects=False)
if login.status_code != 302:
    sys.exit(f"cannot log in as {username}")

received: queue.Queue[tuple[Any, ...]] = queue.Queue()
client = Recovering(http_session=session)
client.on("connect", lambda: received.put(("connect",)))
client.on("*", lambda *event: received.put(event))
client.connect(url, auth=client.auth)

symbol = ""  # "X" or "O"
free: set[tuple[int, int]] = set()  # The empty cells.
code = None
while code is None:
    my_turn = False
    match received.get(timeout=120):
        case ("connect",):
            print("recovered as" if client.recovered else "connected as", client.get_sid())
            if not client.recovered:
                client.emit("join_pvp")
        case ("game_start", game):
            symbol = game["your_symbol"]
            print(symbol, "in", game["left_player"]["username"], "against", game["right_player"]["username"])
            free, my_turn = set(product(range(3), repeat=2)), game["turn"] == symbol
        case ("game_reset", game):
            free, my_turn = set(product(range(3), repeat=2)), game["turn"] == symbol
        case ("move_made", move):
            print(move["symbol"], "at", move["row"], move["col"])
            free.remove((move["row"], move["col"]))
            # On the last move of a round the turn stays with its player.
            my_turn = move["turn"] == symbol != move["symbol"]
        case ("round_end", end):
            print("round", end["round_count"] + 1, "-", end["winner"], end["scores"])
            if end["match_finished"]:
                code = 0
            else:
                client.emit("reset_game")
        case ("opponent_left" | "login_required", *_):
            code = 1
        case other:
            print(*other)
    if my_turn:
        row, col = random.choice(sorted(free))
        client.emit("make_move", {"row": row, "col": col})
client.disconnect()
sys.exit(code)
