"""Standing offers between seats. An answer names the id; only the asked seats may answer; one per kind."""

from enum import StrEnum
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from .ids import Millis, Seat

COOL_DOWN: Final = 10_000
"""Milliseconds before a declined or withdrawn offer may be made again."""


class OfferKind(StrEnum):
    """What a seat can offer to the others."""

    DRAW = "draw"
    UNDO = "undo"
    REMATCH = "rematch"
    SWAP = "swap"


MUTUAL: Final = frozenset({OfferKind.DRAW, OfferKind.REMATCH, OfferKind.SWAP})
"""Kinds where making the same offer back accepts it."""
ENDED_BY_ANY_MOVE: Final = frozenset({OfferKind.UNDO, OfferKind.SWAP})
"""Kinds that refer to the present position: any move ends them."""
ACCEPTED_BY_BOTS: Final = frozenset({OfferKind.REMATCH, OfferKind.UNDO, OfferKind.SWAP})


class Offer(Struct, frozen=True):
    """A standing offer; `asked` are the seats that have not answered yet.

    `moved`: the seat that made it has moved since; recorded where offers stand until answered.
    """

    id: int
    kind: OfferKind
    seat: Seat
    asked: tuple[Seat, ...]
    moved: bool = False


class Declined(Struct, frozen=True):
    """A declined offer; it may not be made again before `until`."""

    kind: OfferKind
    seat: Seat
    until: Millis


def find_offer(offers: tuple[Offer, ...], kind: OfferKind) -> Offer | None:
    """Return the standing offer of this kind, if any."""
    return next((offer for offer in offers if offer.kind is kind), None)


def without_offer(offers: tuple[Offer, ...], offer_id: int) -> tuple[Offer, ...]:
    """Return the offers without this one."""
    return tuple(offer for offer in offers if offer.id != offer_id)


def offers_after_move(offers: tuple[Offer, ...], mover: Seat, *, until_answered: bool) -> tuple[Offer, ...]:
    """Return the offers that still stand after a move; a move declines what the mover was asked.

    With `until_answered` an offer stands until the asked seat has moved after the seat that made it.
    """
    standing = []
    for offer in offers:
        if offer.kind in ENDED_BY_ANY_MOVE or (mover in offer.asked and (offer.moved or not until_answered)):
            continue
        standing.append(replace(offer, moved=True) if until_answered and mover == offer.seat else offer)
    return tuple(standing)


def accepted_by(offer: Offer, seat: Seat) -> Offer:
    """Return the offer after this seat accepted; it is agreed when `asked` is empty."""
    return replace(offer, asked=tuple(other for other in offer.asked if other != seat))


def with_declined(declined: tuple[Declined, ...], offer: Offer, now: Millis) -> tuple[Declined, ...]:
    """Return the declined offers with this one, which starts its cool-down."""
    return (
        *(old for old in declined if now < old.until),
        Declined(offer.kind, offer.seat, Millis(now + COOL_DOWN)),
    )


def is_cooling_down(declined: tuple[Declined, ...], kind: OfferKind, seat: Seat, now: Millis) -> bool:
    """Tell whether a seat must still wait before it may make this offer again."""
    return any(old.kind is kind and old.seat == seat and now < old.until for old in declined)
