"""What one player asks of the other: an undo, other colours, another game."""

from collections.abc import Sequence
from typing import Final

from qipai.clients.legacy_messages import SetReminder
from qipai.kernel.ids import Nonce, Seat
from qipai.kernel.offers import Offer, OfferKind
from qipai.kernel.refusals import Refusal
from qipai.protocol.dialect_interface import AnyIntent, RefuseFrame
from qipai.protocol.intents import AnswerOffer, MakeOffer, WithdrawOffer

from . import outgoing_messages
from .errors import FRAMES, ClientError, first
from .incoming_messages import RequestType
from .room_state import REQUESTS, RoomState

KINDS: Final = {
    RequestType.UNDO: OfferKind.UNDO,
    RequestType.ANSWER_UNDO: OfferKind.UNDO,
    RequestType.SWAP: OfferKind.SWAP,
    RequestType.ANSWER_SWAP: OfferKind.SWAP,
    RequestType.REMATCH: OfferKind.REMATCH,
    RequestType.CANCEL: OfferKind.REMATCH,
}


def propose(folio: RoomState, seat: Seat, ask: RequestType, nonce: Nonce) -> AnyIntent:
    """Return what is done for somebody who asks: nothing if his opponent cannot be asked."""
    if first(ask, folio.standing(seat)) is ClientError.OPPONENT_MISSING:
        return RefuseFrame(Refusal.BUSY, ask)
    return MakeOffer(folio.room, KINDS[ask], nonce)


def answer(folio: RoomState, seat: Seat, ask: RequestType, nonce: Nonce, *, yes: bool) -> AnyIntent:
    """Return what is done for somebody who answers; his own request for a rematch he takes back."""
    offer = folio.offers.get(KINDS[ask])
    if offer is None:
        return RefuseFrame(Refusal.NOT_OFFERED, ask)
    if ask is RequestType.CANCEL and offer.seat == seat:
        return WithdrawOffer(folio.room, offer.id, nonce)
    if ask is RequestType.ANSWER_UNDO and first(ask, folio.standing(seat)) is ClientError.OPPONENT_MISSING:
        return RefuseFrame(Refusal.BUSY, ask)
    return AnswerOffer(folio.room, offer.id, yes, nonce)


def again(
    folio: RoomState, seat: Seat | None, ask: RequestType
) -> tuple[Sequence[bytes], Sequence[AnyIntent]]:
    """Return what is told and done when something stands already that somebody asks for.

    Nobody is pestered: who has asked waits, and is told so; who was himself asked is asked once more.
    """
    offer = folio.offers.get(KINDS[ask])
    if offer is None:
        return (), ()
    if offer.seat != seat:
        return (outgoing_messages.asked(REQUESTS[offer.kind], folio.name(offer.seat)),), ()
    if offer.kind is OfferKind.REMATCH:
        return (outgoing_messages.REMATCH_WAITING,), (wait(offer),)
    return (FRAMES[ClientError.RATE_LIMITED],), ()


def wait(offer: Offer) -> SetReminder:
    """Return the wish to be reminded of a rematch that nobody has answered."""
    return SetReminder(outgoing_messages.REMATCH_WAIT, str(offer.id))
