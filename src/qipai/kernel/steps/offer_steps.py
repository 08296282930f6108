"""Proposals between seats: draw, undo, rematch, swap of sides."""

from typing import Any, assert_never

from qipai.kernel import offers, room_events
from qipai.kernel.commands import AnswerOffer
from qipai.kernel.game_interface.rules_interface import AddressedEvent, AnyRules, IllegalCommand, Outcome
from qipai.kernel.ids import Millis, Seat
from qipai.kernel.offers import Declined, Offer, OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import AnyRoom, Change, Phase, playing

from . import game_steps


def offer(rules: AnyRules, room: AnyRoom, seat: Seat, kind: OfferKind, now: Millis, entropy: bytes) -> Change:
    """Propose something; proposing back what stands is a yes where that makes sense."""
    if kind is OfferKind.REMATCH:
        if room.phase is Phase.PLAYING:
            raise IllegalCommand(Refusal.STILL_PLAYING)
        if room.phase is not Phase.OVER or None in room.seats:
            raise IllegalCommand(Refusal.NOT_PLAYING)
    else:
        playing(room)
        if kind not in rules.offers:
            raise IllegalCommand(Refusal.NOT_ALLOWED)
        if kind is OfferKind.UNDO and not room.table.undo_allowed:
            raise IllegalCommand(Refusal.FORBIDDEN)
    if (known := offers.standing(room.offers, kind)) is not None:
        if kind in offers.MUTUAL and seat in known.asked:
            return answer(rules, room, seat, AnswerOffer(known.id, yes=True), now, entropy)
        raise IllegalCommand(Refusal.OFFER_STANDS)
    if not (room.table.relaxed or room.table.hosted) and any(
        no.kind is kind and no.seat == seat and now < no.until for no in room.declined
    ):
        raise IllegalCommand(Refusal.TOO_SOON)
    if kind is OfferKind.UNDO and rules.undo(room.state, seat) is None:
        raise IllegalCommand(Refusal.NOTHING_TO_UNDO)
    if kind is OfferKind.SWAP and rules.swap(room.state) is None:
        raise IllegalCommand(Refusal.NOT_ALLOWED)
    asked = tuple(Seat(other) for other in range(rules.seats) if other != seat)
    offer = Offer(room.offered + 1, kind, seat, asked)
    return {"offers": (*room.offers, offer), "offered": offer.id}, [
        AddressedEvent(room_events.OfferMade(offer))
    ]


def answer(
    rules: AnyRules, room: AnyRoom, seat: Seat, command: AnswerOffer, now: Millis, entropy: bytes
) -> Change:
    """Answer a standing offer; the last yes carries it out."""
    offer = next((offer for offer in room.offers if offer.id == command.offer), None)
    if offer is None:
        raise IllegalCommand(Refusal.NOT_OFFERED)
    if seat not in offer.asked:
        raise IllegalCommand(Refusal.NOT_ASKED)
    told = [AddressedEvent(room_events.OfferAnswered(offer.id, offer.kind, seat, command.yes))]
    others = offers.without(room.offers, offer.id)
    if not command.yes:
        return {"offers": others, "declined": _declined(room, offer, now)}, told
    if (left := offers.agreed(offer, seat)).asked:
        return {"offers": (*others, left)}, told
    changes: dict[str, Any] = {"offers": others, "position_version": room.version + 1}
    match offer.kind:
        case OfferKind.DRAW:
            game_steps.end(rules, room, Outcome((), "agreed"), now, changes, told)
        case OfferKind.REMATCH:
            game_steps.deal(rules, room, room.seats, now, entropy, changes, told, rematch=True)
        case OfferKind.UNDO:
            game_steps.undo(rules, room, offer.seat, now, changes, told)
        case OfferKind.SWAP:
            game_steps.swap(rules, room, now, changes, told)
        case _:
            assert_never(offer.kind)
    return changes, told


def withdraw(room: AnyRoom, seat: Seat, offer_id: int, now: Millis) -> Change:
    """Take a seat's own offer back; it may be made again as soon as one that was declined."""
    offer = next((offer for offer in room.offers if offer.id == offer_id), None)
    if offer is None:
        raise IllegalCommand(Refusal.NOT_OFFERED)
    if offer.seat != seat:
        raise IllegalCommand(Refusal.NOT_ALLOWED)
    left = offers.without(room.offers, offer.id)
    return {"offers": left, "declined": _declined(room, offer, now)}, [
        AddressedEvent(room_events.OfferEnded(offer.id))
    ]


def _declined(room: AnyRoom, offer: Offer, now: Millis) -> tuple[Declined, ...]:
    no = Declined(offer.kind, offer.seat, Millis(now + offers.COOL_DOWN))
    return (*(old for old in room.declined if now < old.until), no)
