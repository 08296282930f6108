"""Events with two sides: what the seat itself is told, and what everybody else is."""

from typing import Final

from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SPECTATOR, Seat

from .wire_types import ClaimAnswered, Drew, Form, Meld, Melded, Vote

VIEWERS: Final = (Seat(0), Seat(1), Seat(2), Seat(3), SPECTATOR)
OTHERS: Final = tuple(tuple([other for other in VIEWERS if other != seat]) for seat in VIEWERS[:-1])
"""Everybody but a seat."""


def drew(
    seat: Seat, tile: int | None, flowers: tuple[int, ...], *, empty: bool = False, waiting: bool = False
) -> list[AddressedEvent]:
    """Return what is told of a draw; the tile only to whoever drew it."""
    public = Drew(seat, None, flowers, empty, waiting)
    if tile is None:
        return [AddressedEvent(public)]
    return [AddressedEvent(Drew(seat, tile, flowers), (seat,)), AddressedEvent(public, OTHERS[seat])]


def voted(seat: Seat, vote: Vote) -> tuple[AddressedEvent, ...]:
    """Return what is told of an answer; what it is only to whoever gave it.

    That somebody has answered tells nothing of his tiles: everybody is asked whatever he holds, and a window
    closes early for a win only. How long he took is seen at a real table as well; pages that pass for him
    take a while that differs.
    """
    return (
        AddressedEvent(ClaimAnswered(seat, vote), (seat,)),
        AddressedEvent(ClaimAnswered(seat), OTHERS[seat]),
    )


def melded(seat: Seat, place: int, laid: Meld) -> list[AddressedEvent]:
    """Return what is told of a set; the tiles of a concealed kong only to its owner."""
    if laid.form is not Form.CONCEALED:
        return [AddressedEvent(Melded(seat, place, laid))]
    return [
        AddressedEvent(Melded(seat, place, laid), (seat,)),
        AddressedEvent(Melded(seat, place, Meld(Form.CONCEALED)), OTHERS[seat]),
    ]
