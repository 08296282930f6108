"""Plays one match of tic-tac-toe against whoever comes; give the server's URL and a name."""

import queue
import random
import sys
from itertools import product
from typing import Any

import requests
from echo import Recovering

url, username = sys.argv[1:]
session = requests.Session()  # Its cookie says who we are.
login = session.post(f"{url}/login", {"username": username, "icon": "🐼"}, allow_redirects=False)
if login.status_code != 302:
    sys.exit(f"cannot log in as {username}")

heard: queue.Queue[tuple[Any, ...]] = queue.Queue()
client = Recovering(http_session=session)
client.on("connect", lambda: heard.put(("connect",)))
client.on("*", lambda *event: heard.put(event))
client.connect(url, auth=client.auth)

mine = ""  # "X" or "O"
free: set[tuple[int, int]] = set()  # The cells nobody has taken.
code = None
while code is None:
    my_turn = False
    match heard.get(timeout=120):
        case ("connect",):
            print("back again as" if client.recovered else "connected as", client.get_sid())
            if not client.recovered:
                client.emit("join_pvp")
        case ("game_start", game):
            mine = game["your_symbol"]
            print(mine, "in", game["left_player"]["username"], "against", game["right_player"]["username"])
            free, my_turn = set(product(range(3), repeat=2)), game["turn"] == mine
        case ("game_reset", game):
            free, my_turn = set(product(range(3), repeat=2)), game["turn"] == mine
        case ("move_made", made):
            print(made["symbol"], "at", made["row"], made["col"])
            free.remove((made["row"], made["col"]))
            # On the last move of a round the turn stays with the one who made it.
            my_turn = made["turn"] == mine != made["symbol"]
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
