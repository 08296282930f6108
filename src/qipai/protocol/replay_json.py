"""A finished game, move by move, as one viewer saw it or as nobody could."""

from typing import Any

from msgspec import Struct

from qipai.kernel.commands import TableRules
from qipai.kernel.game_interface.rules_interface import Outcome
from qipai.kernel.ids import Millis, RoomId, Seat
from qipai.kernel.room_view import ClockView


class Frame(Struct, frozen=True):
    """One step of a game: what happened, and what the viewer then had before him.

    `actor` is the seat that acted, null where nobody did. The first one is the deal.
    """

    version: int
    at: Millis
    actor: Seat | None
    events: tuple[Any, ...]
    position: Any
    to_act: tuple[Seat, ...]
    clock: ClockView | None


class Replay(Struct, frozen=True):
    """What `/api/games/{room}/{match}` answers: a match that is over, from its deal to its end.

    `seat` is whose eyes it is seen through: a seat's number, `watch`, or `all` where nothing is hidden;
    `seats` are those that can be asked for. `bots` has an empty text for each person. `luck` is the hex
    of what each player added to the chance of the first game at a table. `began` is the deal.
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
