"""Steps of offers: make, answer and withdraw a draw, undo, rematch or swap."""

from typing import Any, assert_never

from qipai.kernel import offers, room_events
from qipai.kernel.commands import AnswerOffer
from qipai.kernel.game_interface.rules_interface import AddressedEvent, AnyRules, IllegalCommand, Outcome
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.offers import Offer, OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import AnyRoom, Change, Phase, require_playing
from qipai.kernel.view_values import offer_view

from . import game_steps


def make_offer(
    rules: AnyRules, room: AnyRoom, seat: Seat, kind: OfferKind, now: Millis, entropy: bytes
) -> Change:
    """Make an offer; making the same offer back accepts it, for the kinds in `MUTUAL`."""
    if kind is OfferKind.REMATCH:
        if room.phase is Phase.PLAYING:
            raise IllegalCommand(Refusal.STILL_PLAYING)
        if room.phase is not Phase.OVER or None in room.seats:
            raise IllegalCommand(Refusal.NOT_PLAYING)
    else:
        require_playing(room)
        if kind not in rules.offers:
            raise IllegalCommand(Refusal.NOT_ALLOWED)
        if kind is OfferKind.UNDO and not room.table.undo_allowed:
            raise IllegalCommand(Refusal.FORBIDDEN)
    if (standing := offers.find_offer(room.offers, kind)) is not None:
        if kind in offers.MUTUAL and seat in standing.asked:
            return answer_offer(rules, room, seat, AnswerOffer(standing.id, yes=True), now, entropy)
        raise IllegalCommand(Refusal.OFFER_STANDS)
    if not room.table.legacy.repeats_offers and offers.is_cooling_down(room.declined, kind, seat, now):
        raise IllegalCommand(Refusal.TOO_SOON)
    if kind is OfferKind.UNDO and rules.undo(room.state, seat) is None:
        raise IllegalCommand(Refusal.NOTHING_TO_UNDO)
    if kind is OfferKind.SWAP and rules.swap(room.state) is None:
        raise IllegalCommand(Refusal.NOT_ALLOWED)
    asked = tuple(Seat(other) for other in range(rules.seats) if other != seat)
    offer = Offer(room.offered + 1, kind, seat, asked)
    return {"offers": (*room.offers, offer), "offered": offer.id}, [
        AddressedEvent(room_events.OfferMade(offer_view(offer)))
    ]


def answer_offer(
    rules: AnyRules, room: AnyRoom, seat: Seat, command: AnswerOffer, now: Millis, entropy: bytes
) -> Change:
    """Answer a standing offer; the last acceptance carries it out."""
    offer = next((offer for offer in room.offers if offer.id == command.offer), None)
    if offer is None:
        raise IllegalCommand(Refusal.NOT_OFFERED)
    if seat not in offer.asked:
        raise IllegalCommand(Refusal.NOT_ASKED)
    events = [AddressedEvent(room_events.OfferAnswered(offer.id, offer.kind, seat, command.yes))]
    others = offers.without_offer(room.offers, offer.id)
    if not command.yes:
        return {"offers": others, "declined": offers.with_declined(room.declined, offer, now)}, events
    if (remaining := offers.accepted_by(offer, seat)).asked:
        return {"offers": (*others, remaining)}, events
    changes: dict[str, Any] = {"offers": others, "position_version": room.version + 1}
    match offer.kind:
        case OfferKind.DRAW:
            game_steps.write_end(rules, room, Outcome((), "agreed"), now, changes, events)
        case OfferKind.REMATCH:
            game_steps.write_start(rules, room, room.seats, now, entropy, changes, events, rematch=True)
        case OfferKind.UNDO:
            game_steps.write_undo(rules, room, offer.seat, now, changes, events)
        case OfferKind.SWAP:
            game_steps.write_swap(rules, room, now, changes, events)
        case _:
            assert_never(offer.kind)
    return changes, events


def withdraw_offer(room: AnyRoom, seat: Seat, offer_id: int, now: Millis) -> Change:
    """Withdraw the seat's own offer; the same wait as after a refusal applies before the next one."""
    offer = next((offer for offer in room.offers if offer.id == offer_id), None)
    if offer is None:
        raise IllegalCommand(Refusal.NOT_OFFERED)
    if offer.seat != seat:
        raise IllegalCommand(Refusal.NOT_ALLOWED)
    others = offers.without_offer(room.offers, offer.id)
    return {"offers": others, "declined": offers.with_declined(room.declined, offer, now)}, [
        AddressedEvent(room_events.OfferEnded(offer.id))
    ]
