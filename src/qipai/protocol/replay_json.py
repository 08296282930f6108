"""JSON of a replay: every step of a finished game as one viewer saw it, or with nothing hidden."""

from typing import Any

from msgspec import Struct

from qipai.kernel.commands import TableRules
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.kernel.room_view import ClockView


class Frame(Struct, frozen=True):
    """One step of a game: its events, and the position that the viewer saw after it.

    `actor` is the seat that acted, null if none did. The first frame is the deal.
    """

    version: int
    at: Millis
    actor: Seat | None
    events: tuple[Any, ...]
    position: Any
    to_act: tuple[Seat, ...]
    clock: ClockView | None


class Replay(Struct, frozen=True):
    """The answer of `/api/games/{room}/{match}`: a finished game, from its deal to its end.

    `seat` is the viewer: a seat number, `watch` for a spectator, or `all` with nothing hidden; `seats` lists
    the viewers there are. `bots` has an empty text for each human seat. `player_entropy` is the hex of what
    each player added to the randomness of the first game of a room. `began` is the time of the deal.
    """

    game: str
    room: RoomId
    match: int
    options: Any
    table: TableRules
    names: tuple[str, ...]
    bots: tuple[str, ...]
    player_entropy: tuple[str, ...]
    result: Outcome
    commitment: str
    seed: str
    began: Millis
    seat: str
    seats: tuple[str, ...]
    frames: tuple[Frame, ...]
