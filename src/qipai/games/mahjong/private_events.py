"""Events with two versions: one for the seat they concern, one for everybody else."""

from typing import Final

from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SPECTATOR, Seat

from .events import ClaimAnswered, Drew, Melded
from .wire_types import ClaimAnswer, Form, Meld

VIEWERS: Final = (Seat(0), Seat(1), Seat(2), Seat(3), SPECTATOR)
ALL_BUT: Final = tuple(tuple([other for other in VIEWERS if other != seat]) for seat in VIEWERS[:-1])
"""All viewers except a seat."""


def draw_events(
    seat: Seat, tile: int | None, flowers: tuple[int, ...], *, empty: bool = False, waiting: bool = False
) -> list[AddressedEvent]:
    """Return the events of a draw; only the seat that drew learns the tile."""
    public = Drew(seat, None, flowers, empty, waiting)
    if tile is None:
        return [AddressedEvent(public)]
    return [AddressedEvent(Drew(seat, tile, flowers), (seat,)), AddressedEvent(public, ALL_BUT[seat])]


def answer_events(seat: Seat, answer: ClaimAnswer) -> tuple[AddressedEvent, ...]:
    """Return the events of an answer; only the seat that answered learns what it is.

    That a seat has answered reveals nothing about its tiles: every other seat is asked, and only a win closes
    a window early. The thinking time is visible at a real table too; pages that pass automatically vary it.
    Bots draw it before they think.
    """
    return (
        AddressedEvent(ClaimAnswered(seat, answer), (seat,)),
        AddressedEvent(ClaimAnswered(seat), ALL_BUT[seat]),
    )


def meld_events(seat: Seat, place: int, meld: Meld) -> list[AddressedEvent]:
    """Return the events of a meld; only its owner learns the tiles of a concealed kong."""
    if meld.form is not Form.CONCEALED:
        return [AddressedEvent(Melded(seat, place, meld))]
    return [
        AddressedEvent(Melded(seat, place, meld), (seat,)),
        AddressedEvent(Melded(seat, place, Meld(Form.CONCEALED)), ALL_BUT[seat]),
    ]
