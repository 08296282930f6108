"""A finished match step by step, for one viewer or without secrets, as the HTTP API returns it."""

from typing import Any

from msgspec import Struct

from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.kernel.room_view import ClockView
from qipai.kernel.view_values import OutcomeView, TableRulesView


class Frame(Struct, frozen=True):
    """One step of a match: its events, and the position after it as the viewer may see it.

    `actor` is the seat that acted, null for the server. The first frame is the start.
    """

    version: int
    at: Millis
    actor: Seat | None
    events: tuple[Any, ...]
    position: Any
    to_act: tuple[Seat, ...]
    clock: ClockView | None


class Replay(Struct, frozen=True):
    """The response of `/api/games/{room}/{match}`: a finished match from its start to its end.

    `seat` is the viewer: a seat number, `watch` for spectators, or `all` with nothing hidden. `seats`
    lists the viewers you can ask for. `bots` has the bot of each seat, empty for a person. `bot_accounts` has
    the seats for which programs played under the name of an account. `player_entropy` is the hex of the bytes
    that each player added to the randomness of the first game. `began` is the time of the start. `rules` is
    the rules number of the game when the match was played.
    """

    game: str
    rules: int
    room: RoomId
    match: int
    options: Any
    table: TableRulesView
    names: tuple[str, ...]
    bots: tuple[str, ...]
    bot_accounts: tuple[Seat, ...]
    player_entropy: tuple[str, ...]
    result: OutcomeView
    commitment: str
    seed: str
    began: Millis
    seat: str
    seats: tuple[str, ...]
    frames: tuple[Frame, ...]
