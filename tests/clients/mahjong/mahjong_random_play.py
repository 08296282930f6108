"""Mahjong clients that play any legal command, from the received states alone."""

import random
import re
from typing import Any

from tests.clients.mahjong.mahjong_clients import Message

Command = tuple[str, Message]
SINGLE = {"WAITING_PLAYERS": "roll_positions", "DETERMINE_DEALER": "roll_dealer", "DEALING": "deal_tiles"}
CALM = 0.85
TILE = re.compile(rb'"id":(\d+),"type"')


def choose(state: Message, player: int, chance: random.Random) -> Command | None:
    """Return a player's command in a received state, or None if the player is not to act."""
    legal: list[str] = state["legal_actions"].get(str(player), [])
    stage = state["stage"]
    if not legal:
        return None
    if stage == "PLAYER_DRAW":
        return "draw_tile", {"player_id": player}
    if stage == "WAIT_ACTION" and player not in state["waiting_for"]:
        return None
    keen = [action for action in legal if action not in ("pass", "discard")]
    if "hu" in keen:
        return action_of("hu", player)
    if keen and chance.random() < CALM:
        return action_of(chance.choice(keen), player)
    if stage == "WAIT_ACTION":
        return action_of("pass", player)
    tiles = state["players"][f"player{player}"]["tiles"]
    return "discard_tile", {"player_id": player, "tile": chance.choice(tiles)}


def action_of(action: str, player: int, **more: Any) -> Command:
    return "player_action", {"player_id": player, "action": action, **more}


def answered(command: Command, answer: Message, chance: random.Random) -> Command | None:
    """Return the same command with a choice made, if one is needed."""
    if answer.get("code") != "choice_needed":
        return None
    kind, data = command
    option = chance.choice(answer["options"])
    return kind, {**data, "tiles" if isinstance(option, list) else "tile": option}


def tiles_in(frame: bytes) -> set[int]:
    """Return the id of every tile that is shown anywhere in a frame."""
    return {int(tile) for tile in TILE.findall(frame)}
