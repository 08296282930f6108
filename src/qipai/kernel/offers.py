"""Offers with an id: the answer quotes it, only the asked may answer, one stands per kind."""

from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from .ids import Millis, Seat

COOL_DOWN: Final = 10_000


class OfferKind(StrEnum):
    """What can be proposed to the other seats."""

    DRAW = "draw"
    UNDO = "undo"
    REMATCH = "rematch"
    SWAP = "swap"


MUTUAL: Final = frozenset({OfferKind.DRAW, OfferKind.REMATCH, OfferKind.SWAP})
"""Kinds where proposing the same thing back is a yes."""
FLEETING: Final = frozenset({OfferKind.UNDO, OfferKind.SWAP})
"""Kinds that speak of the position as it stands: any move ends them."""


class Offer(Struct, frozen=True, omit_defaults=True):
    """A standing proposal; `asked` are the seats that have not answered yet.

    `moved`: its maker has moved since, where that matters.
    """

    id: int
    kind: OfferKind
    seat: Seat
    asked: tuple[Seat, ...]
    moved: bool = False


class Declined(Struct, frozen=True):
    """Remembers a no, so that it cannot be asked again at once."""

    kind: OfferKind
    seat: Seat
    until: Millis


def standing(offers: tuple[Offer, ...], kind: OfferKind) -> Offer | None:
    """Return the standing offer of this kind, if any."""
    return next((offer for offer in offers if offer.kind is kind), None)


def without(offers: tuple[Offer, ...], offer_id: int) -> tuple[Offer, ...]:
    """Return the offers less one."""
    return tuple(offer for offer in offers if offer.id != offer_id)


def surviving(offers: tuple[Offer, ...], mover: Seat, *, patient: bool) -> tuple[Offer, ...]:
    """Return what still stands after a move: nothing that the mover was asked.

    Where people are `patient`, he is asked until he answers a move of the asker's with one of his own.
    """
    kept = []
    for offer in offers:
        if offer.kind in FLEETING or (mover in offer.asked and (offer.moved or not patient)):
            continue
        kept.append(replace(offer, moved=True) if patient and mover == offer.seat else offer)
    return tuple(kept)


def agreed(offer: Offer, seat: Seat) -> Offer:
    """Return the offer after this seat said yes; it carries once nobody is left to ask."""
    return replace(offer, asked=tuple(other for other in offer.asked if other != seat))
