"""A bot as a mahjong client: its view is made from the received frames alone."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations
from typing import Any

from qipai.games.mahjong.bots.levels import BOTS
from qipai.games.mahjong.tiles import kind_of
from qipai.games.mahjong.wire_types import (
    AnyMove,
    Chow,
    Discard,
    DiscardedTile,
    Form,
    Hu,
    Kong,
    Meld,
    Pass,
    Player,
    Pong,
    PrivateView,
    Stage,
    View,
)
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from tests.clients.mahjong.mahjong_random_play import Command, action_of

Message = dict[str, Any]
FORMS = dict(enumerate(Form, 1))
STAGES = {"PLAYER_DISCARD": Stage.DISCARDING, "WAIT_ACTION": Stage.CLAIMING}
RANDOM = Random(bytes(32))
BOTS_BY_NAME = {each.name: each for each in BOTS}


def decide(state: Message, player: int, bot: str) -> Command | None:
    """Return what the server's bot would do in this seat, or None if it is not to act."""
    legal: list[str] = state["legal_actions"].get(str(player), [])
    if not legal or (state["stage"] == "WAIT_ACTION" and player not in state["waiting_for"]):
        return None
    if state["stage"] == "PLAYER_DRAW":
        return "draw_tile", {"player_id": player}
    if "hu" in legal:
        return action_of("hu", player)
    if legal == ["pass"]:
        return action_of("pass", player)
    moves = list(_moves(state, player, legal))
    move = BOTS_BY_NAME[bot].choose(_view(state, player), Seat(player - 1), moves, RANDOM)
    assert move in moves, (state, move)
    return _command(move, player)


def _command(move: Any, player: int) -> Command:
    match move:
        case Discard(tile):
            return "discard_tile", {"player_id": player, "tile": {"id": tile}}
        case Chow(tiles):
            return action_of("chow", player, tiles=list(tiles))
        case Kong(int(tile)):
            return action_of("kong", player, tile=tile)
        case _:
            return action_of(type(move).__name__.lower(), player)


def _hand(state: Message, player: int) -> tuple[int, ...]:
    return tuple([tile["id"] for tile in state["players"][f"player{player}"]["tiles"]])


def _moves(state: Message, player: int, legal: list[str]) -> Iterator[AnyMove]:
    """Yield the moves of the legal actions; one of equal chows."""
    hand = _hand(state, player)
    if state["stage"] == "PLAYER_DISCARD":
        yield from map(Discard, hand)
        if "kong" in legal:
            yield from _kongs(state, player, hand)
        return
    yield Pass()
    if "chow" in legal:
        tile = state["last_discard_tile"]["id"]
        one_each = {kind_of(mine): mine for mine in reversed(hand)}
        for kinds in combinations(sorted(one_each), 2):
            low = min(*kinds, kind_of(tile))
            if sorted((*kinds, kind_of(tile))) == [low, low + 1, low + 2] and low // 9 == (low + 2) // 9 < 3:
                yield Chow((one_each[kinds[0]], one_each[kinds[1]]))
    yield from [move for name, move in (("pong", Pong()), ("kong", Kong()), ("hu", Hu())) if name in legal]


def _kongs(state: Message, player: int, hand: tuple[int, ...]) -> Iterator[AnyMove]:
    counts = Counter(map(kind_of, hand))
    pongs = {
        kind_of(meld["tiles"][0]["id"])
        for meld in state["players"][f"player{player}"]["melds"]
        if meld["type"] == 2
    }
    for tile in hand:
        if counts[kind_of(tile)] == 4 or kind_of(tile) in pongs:
            yield Kong(tile)


def _view(state: Message, player: int) -> View:
    dealer = Seat(state["dealer_player_id"] - 1)
    first, second, third, fourth = (_player(state, number, dealer) for number in range(1, 5))
    last = state["last_discard_tile"]
    return View(
        STAGES[state["stage"]],
        Seat(state["current_player_id"] - 1),
        dealer,
        (first, second, third, fourth),
        place=state["round_number"] - 1,
        label=state["round_code"],
        wind=(state["round_number"] - 1) // 4,
        streak=state["dealer_streak"],
        left=state["deck_remaining"],
        drawable=state["deck_remaining"],
        tile=None if last is None else last["id"],
        private=PrivateView(_hand(state, player)),
    )


def _player(state: Message, number: int, dealer: Seat) -> Player:
    shown = state["players"][f"player{number}"]
    return Player(
        (number - 1 - dealer) % 4,
        shown["score"],
        shown["count"],
        (),
        tuple([Meld(FORMS[meld["type"]], _ids(meld["tiles"])) for meld in shown["melds"]]),
        _ids(shown["flowers"]),
        tuple([_dropped(tile) for tile in shown["discards"]]),
    )


def _dropped(tile: Message) -> DiscardedTile:
    by = tile.get("claimed_by")
    return DiscardedTile(tile["id"], None if by is None else Seat(by - 1))


def _ids(tiles: list[Message]) -> tuple[int, ...]:
    return tuple([tile["id"] for tile in tiles])
