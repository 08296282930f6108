"""What one player asks of the other: an undo, other colours, another game."""

from collections.abc import Sequence
from typing import Final

from qipai.clients.legacy_messages import Remind
from qipai.kernel.game_interface.rules_interface import Refusal
from qipai.kernel.ids import Nonce, Seat
from qipai.kernel.offers import Offer, OfferKind
from qipai.protocol.intents import Bounce, Propose, Reply, TakeBack, Wish

from . import outgoing_messages
from .errors import FRAMES, Wrong, first
from .incoming_messages import Ask
from .room_state import REQUESTS, Folio

KINDS: Final = {
    Ask.UNDO: OfferKind.UNDO,
    Ask.ANSWER_UNDO: OfferKind.UNDO,
    Ask.SWAP: OfferKind.SWAP,
    Ask.ANSWER_SWAP: OfferKind.SWAP,
    Ask.REMATCH: OfferKind.REMATCH,
    Ask.CANCEL: OfferKind.REMATCH,
}


def propose(folio: Folio, seat: Seat, ask: Ask, nonce: Nonce) -> Wish:
    """Return what is done for somebody who asks: nothing if his opponent cannot be asked."""
    if first(ask, folio.standing(seat)) is Wrong.OPPONENT_MISSING:
        return Bounce(Refusal.BUSY, ask)
    return Propose(folio.room, KINDS[ask], nonce)


def answer(folio: Folio, seat: Seat, ask: Ask, nonce: Nonce, *, yes: bool) -> Wish:
    """Return what is done for somebody who answers; his own request for a rematch he takes back."""
    offer = folio.offers.get(KINDS[ask])
    if offer is None:
        return Bounce(Refusal.NOT_OFFERED, ask)
    if ask is Ask.CANCEL and offer.seat == seat:
        return TakeBack(folio.room, offer.id, nonce)
    if ask is Ask.ANSWER_UNDO and first(ask, folio.standing(seat)) is Wrong.OPPONENT_MISSING:
        return Bounce(Refusal.BUSY, ask)
    return Reply(folio.room, offer.id, yes, nonce)


def again(folio: Folio, seat: Seat | None, ask: Ask) -> tuple[Sequence[bytes], Sequence[Wish]]:
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
    return (FRAMES[Wrong.RATE_LIMITED],), ()


def wait(offer: Offer) -> Remind:
    """Return the wish to be reminded of a rematch that nobody has answered."""
    return Remind(outgoing_messages.REMATCH_WAIT, str(offer.id))
