"""Undo, colour swap and rematch requests between gomoku players, mapped to offers."""

from collections.abc import Sequence
from typing import Final

from qipai.clients.legacy_messages import SetReminder
from qipai.kernel.ids import Nonce, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.view_values import OfferView
from qipai.protocol.dialect_interface import AnyIntent, RefuseFrame
from qipai.protocol.intents import AnswerOffer, MakeOffer, WithdrawOffer

from . import outgoing_messages
from .errors import ERROR_FRAMES, ClientError, status_error
from .incoming_messages import RequestType
from .room_state import RoomState

OFFER_KINDS: Final = {
    RequestType.UNDO: OfferKind.UNDO,
    RequestType.ANSWER_UNDO: OfferKind.UNDO,
    RequestType.SWAP: OfferKind.SWAP,
    RequestType.ANSWER_SWAP: OfferKind.SWAP,
    RequestType.REMATCH: OfferKind.REMATCH,
    RequestType.CANCEL: OfferKind.REMATCH,
}

_LAST_CHECKS: Final = (None, ClientError.OPPONENT_MISSING)
"""What the checks before that of the undo limit leave."""


def make_offer(room_state: RoomState, seat: Seat, request_type: RequestType, nonce: Nonce) -> AnyIntent:
    """Return the intent that makes an offer, or a refusal that the hall does not know of."""
    error = status_error(request_type, room_state.status(seat))
    if request_type is RequestType.UNDO and error in _LAST_CHECKS and not room_state.has_undos_left(seat):
        return RefuseFrame(Refusal.FORBIDDEN, ClientError.NO_UNDOS_LEFT)
    if error is ClientError.OPPONENT_MISSING:
        return RefuseFrame(Refusal.BUSY, request_type)
    return MakeOffer(room_state.room, OFFER_KINDS[request_type], nonce)


def answer_offer(
    room_state: RoomState, seat: Seat, request_type: RequestType, nonce: Nonce, *, accept: bool
) -> AnyIntent:
    """Return the intent that answers an offer; a player's own rematch request is withdrawn instead."""
    offer = room_state.offers.get(OFFER_KINDS[request_type])
    if offer is None:
        return RefuseFrame(Refusal.NOT_OFFERED, request_type)
    if request_type is RequestType.CANCEL and offer.seat == seat:
        return WithdrawOffer(room_state.room, offer.id, nonce)
    if (
        request_type is RequestType.ANSWER_UNDO
        and status_error(request_type, room_state.status(seat)) is ClientError.OPPONENT_MISSING
    ):
        return RefuseFrame(Refusal.BUSY, request_type)
    return AnswerOffer(room_state.room, offer.id, accept, nonce)


def repeat_offer(
    room_state: RoomState, seat: Seat | None, request_type: RequestType
) -> tuple[Sequence[bytes], Sequence[AnyIntent]]:
    """Return the events and intents for a request whose offer stands already.

    The player who made it is told to wait; the player who was asked receives the request again.
    """
    offer = room_state.offers.get(OFFER_KINDS[request_type])
    if offer is None:
        return (), ()
    if offer.seat != seat:
        return (room_state.offer_frame(offer),), ()
    if offer.kind is OfferKind.REMATCH:
        return (outgoing_messages.REMATCH_WAITING,), (rematch_reminder(offer),)
    return (ERROR_FRAMES[ClientError.RATE_LIMITED],), ()


def rematch_reminder(offer: OfferView) -> SetReminder:
    """Return the intent that sets the reminder of an unanswered rematch request."""
    return SetReminder(outgoing_messages.REMATCH_TIMEOUT_MS, str(offer.id))


def rematch_timeout(room_state: RoomState | None, seat: Seat | None, about: str) -> Sequence[bytes]:
    """Return `rematch-timeout` if the rematch request that a reminder is about still stands."""
    offer = None if room_state is None else room_state.offers.get(OfferKind.REMATCH)
    stands = offer is not None and offer.seat == seat and str(offer.id) == about
    return (outgoing_messages.REMATCH_TIMEOUT,) if stands else ()
