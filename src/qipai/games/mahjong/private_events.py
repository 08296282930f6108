"""Events with two sides: what the seat itself is told, and what everybody else is."""

from typing import Final

from qipai.kernel.game_interface.rules_interface import Told
from qipai.kernel.ids import SPECTATOR, Seat

from .wire_types import Drew, Form, Melded, Set, Vote, Voted

VIEWERS: Final = (Seat(0), Seat(1), Seat(2), Seat(3), SPECTATOR)
OTHERS: Final = tuple(tuple([other for other in VIEWERS if other != seat]) for seat in VIEWERS[:-1])
"""Everybody but a seat."""


def drew(
    seat: Seat, tile: int | None, flowers: tuple[int, ...], *, empty: bool = False, waiting: bool = False
) -> list[Told]:
    """Return what is told of a draw; the tile only to whoever drew it."""
    public = Drew(seat, None, flowers, empty, waiting)
    if tile is None:
        return [Told(public)]
    return [Told(Drew(seat, tile, flowers), (seat,)), Told(public, OTHERS[seat])]


def voted(seat: Seat, vote: Vote) -> tuple[Told, ...]:
    """Return what is told of an answer; what it is only to whoever gave it.

    That somebody has answered tells nothing of his tiles: everybody is asked whatever he holds, and a window
    closes early for a win only. How long he took is seen at a real table as well; pages that pass for him
    take a while that differs.
    """
    return (Told(Voted(seat, vote), (seat,)), Told(Voted(seat), OTHERS[seat]))


def melded(seat: Seat, place: int, laid: Set) -> list[Told]:
    """Return what is told of a set; the tiles of a concealed kong only to its owner."""
    if laid.form is not Form.CONCEALED:
        return [Told(Melded(seat, place, laid))]
    return [
        Told(Melded(seat, place, laid), (seat,)),
        Told(Melded(seat, place, Set(Form.CONCEALED)), OTHERS[seat]),
    ]
