"""Steps of seats: take, leave, transfer, disconnect, reconnect; host."""

from typing import Any

from msgspec.structs import replace

from qipai.kernel import clock, room_events
from qipai.kernel.commands import Play, StartGame, TakeSeat, TransferSeat
from qipai.kernel.game_interface.rules_interface import AddressedEvent, AnyRules, IllegalCommand
from qipai.kernel.ids import Millis, Person, Seat
from qipai.kernel.randomness import SEED_BYTES
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import AnyRoom, Change, Phase
from qipai.kernel.seats import (
    SEAT_OPEN_AFTER,
    TakenSeat,
    free_seat,
    is_human,
    longest_seated,
    seat_of,
    with_disconnected,
    with_seat,
)
from qipai.kernel.view_values import clock_plan_view

from . import game_steps


def take_seat(rules: AnyRules, room: AnyRoom, command: TakeSeat, now: Millis, entropy: bytes) -> Change:
    """Give a person a seat; the last seat taken starts the game. A seated person is renamed."""
    held = seat_of(room.seats, command.person)
    if held is not None:
        return _rename(room, held, command.name)
    if room.phase is Phase.PLAYING:
        return _take_seat_in_play(rules, room, command, now)
    seat = command.seat if command.seat is not None else free_seat(room.seats)
    if seat is None:
        raise IllegalCommand(Refusal.ROOM_FULL)
    if not 0 <= seat < rules.seats:
        raise IllegalCommand(Refusal.OUT_OF_RANGE)
    if room.seats[seat] is not None:
        raise IllegalCommand(Refusal.SEAT_TAKEN)
    if len(command.player_entropy) > SEED_BYTES:
        raise IllegalCommand(Refusal.OUT_OF_RANGE)
    taken = TakenSeat(
        command.person,
        command.name,
        command.bot,
        now if command.reserved else None,
        command.player_entropy,
        command.sees_hidden,
        command.reserved,
        room.version + 1,
        bot_account=command.bot_account,
    )
    changes, events = _occupy(room, seat, taken)
    changes["offers"] = ()
    seats = changes["seats"]
    events += [AddressedEvent(room_events.OfferEnded(offer.id)) for offer in room.offers]
    if room.table.legacy.host_starts:
        if room.seats[room.host] is None:
            _set_host(room, seat, changes, events)
    else:
        _set_host(room, longest_seated(seats), changes, events)
    if None in seats or room.table.legacy.host_starts:
        changes["phase"] = Phase.WAITING
    else:
        game_steps.write_start(rules, room, seats, now, entropy, changes, events)
    return changes, events


def _occupy(room: AnyRoom, seat: Seat, taken: TakenSeat) -> tuple[dict[str, Any], list[AddressedEvent]]:
    """Return the changes and events of a seat that gets another holder."""
    events = [
        AddressedEvent(
            room_events.SeatTaken(
                seat,
                taken.name,
                taken.bot,
                taken.player_entropy.hex(),
                taken.sees_hidden,
                taken.reserved,
                taken.bot_account,
            )
        )
    ]
    # The nonces were another person's: the new holder may use the same ones.
    nonces = (*room.nonces[:seat], (), *room.nonces[seat + 1 :])
    return {"seats": with_seat(room.seats, seat, taken), "nonces": nonces}, events


def _take_seat_in_play(rules: AnyRules, room: AnyRoom, command: TakeSeat, now: Millis) -> Change:
    """Give a person a seat of a running game: a reserved one, or any abandoned one where seats are open."""
    seat = command.seat
    if seat is None:
        raise IllegalCommand(Refusal.ROOM_FULL)
    if not 0 <= seat < rules.seats:
        raise IllegalCommand(Refusal.OUT_OF_RANGE)
    old = room.seats[seat]
    if old is None or not (room.table.legacy.open_seats or (old.reserved and old.person == command.person)):
        # With a spectator delay the refusal must not tell whether the game still runs.
        raise IllegalCommand(Refusal.SEAT_TAKEN if room.table.spectator_delay else Refusal.ROOM_FULL)
    if (
        old.bot
        or old.disconnected_at is None
        or not (old.reserved or now - old.disconnected_at >= SEAT_OPEN_AFTER)
    ):
        raise IllegalCommand(Refusal.SEAT_TAKEN)
    taken = TakenSeat(
        command.person,
        command.name,
        sees_hidden=command.sees_hidden,
        since=room.version + 1,
        bot_account=command.bot_account,
    )
    changes, events = _occupy(room, seat, taken)
    if not room.table.legacy.host_starts:
        _set_host(room, longest_seated(changes["seats"]), changes, events)
    if room.table.legacy.open_seats:
        # With open seats, a nonce belongs to the seat: a repeat by another person is not carried out again.
        del changes["nonces"]
    if room.clock is not None:
        changes["clock"] = clock.end_head_start(room.clock, seat, now)
    if command.move is not None:
        played = game_steps.play(rules, replace(room, **changes), seat, Play(command.move), now, 0)
        assert played is not None
        changes |= played[0]
        events += played[1]
    return changes, events


def _set_host(
    room: AnyRoom, seat: Seat | None, changes: dict[str, Any], events: list[AddressedEvent]
) -> None:
    """Make this seat the host, if it is not; None changes nothing."""
    if seat is not None and seat != room.host:
        changes["host"] = seat
        events.append(AddressedEvent(room_events.HostChanged(seat)))


def start_game(
    rules: AnyRules, room: AnyRoom, seat: Seat, command: StartGame, now: Millis, entropy: bytes
) -> Change:
    """Start a game with the host's options; only where hosts start games, with all seats taken."""
    if not room.table.legacy.host_starts or seat != room.host:
        raise IllegalCommand(Refusal.NOT_ALLOWED)
    if room.phase is Phase.PLAYING:
        raise IllegalCommand(Refusal.STILL_PLAYING)
    if None in room.seats:
        raise IllegalCommand(Refusal.NOT_PLAYING)
    table = replace(room.table, clock=command.clock)
    changes: dict[str, Any] = {"options": command.options, "table": table}
    events = [AddressedEvent(room_events.OfferEnded(offer.id)) for offer in room.offers]
    events.append(AddressedEvent(room_events.OptionsChosen(command.options, clock_plan_view(command.clock))))
    configured = replace(room, options=command.options, table=table)
    game_steps.write_start(
        rules, configured, room.seats, now, entropy, changes, events, host_data=command.host_data
    )
    return changes, events


def _rename(room: AnyRoom, seat: Seat, name: str) -> Change:
    taken = room.seats[seat]
    if taken is None or not name or taken.name == name:
        return None
    events = [
        AddressedEvent(
            room_events.SeatTaken(
                seat,
                name,
                taken.bot,
                taken.player_entropy.hex(),
                taken.sees_hidden,
                bot_account=taken.bot_account,
            )
        )
    ]
    return {"seats": with_seat(room.seats, seat, replace(taken, name=name))}, events


def leave_seat(rules: AnyRules, room: AnyRoom, seat: Seat, now: Millis) -> Change:
    """Empty a seat; in a running game its player forfeits, or a substitute bot plays on."""
    changes: dict[str, Any] = {}
    events: list[AddressedEvent] = []
    others = [Seat(other) for other, taken in enumerate(room.seats) if other != seat and is_human(taken)]
    bot, host_starts = room.table.substitute_bot, room.table.legacy.host_starts
    if room.phase is Phase.PLAYING and bot and others:
        changes, events = _occupy(room, seat, TakenSeat(Person(f"bot:{bot}:{seat}"), bot.capitalize(), bot))
        if host_starts and seat == room.host:
            _set_host(room, others[0], changes, events)
        elif not host_starts:
            _set_host(room, longest_seated(changes["seats"]), changes, events)
        return changes, events
    if room.phase is Phase.PLAYING:
        changes["position_version"] = room.version + 1
        game_steps.write_end(rules, room, rules.forfeit(room.state, seat, "left"), now, changes, events)
    else:
        changes["offers"] = ()
        events += [AddressedEvent(room_events.OfferEnded(offer.id)) for offer in room.offers]
    changes["seats"] = with_seat(room.seats, seat, None)
    events.append(AddressedEvent(room_events.SeatLeft(seat)))
    if host_starts and seat == room.host:
        successors = (Seat(other) for other, taken in enumerate(changes["seats"]) if taken is not None)
        _set_host(room, next(successors, seat), changes, events)
    elif not host_starts:
        _set_host(room, longest_seated(changes["seats"]), changes, events)
    return changes, events


def transfer_seat(room: AnyRoom, command: TransferSeat, now: Millis) -> Change:
    """Give a seat to another person, who is connected; nothing else of it changes."""
    seat, person = command.seat, command.person
    taken = room.seats[seat] if 0 <= seat < len(room.seats) else None
    if taken is None or not is_human(taken) or taken.person != command.old:
        raise IllegalCommand(Refusal.BAD_TICKET)
    if person == command.old:
        return None
    if any(other is not None and other.person == person for other in room.seats):
        raise IllegalCommand(Refusal.NOT_ALLOWED)
    transferred = replace(taken, person=person, disconnected_at=None, transfers=taken.transfers + 1)
    running = room.clock if room.clock is None else clock.end_head_start(room.clock, seat, now)
    events = [] if taken.disconnected_at is None else [AddressedEvent(room_events.Reconnected(seat))]
    return {"seats": with_seat(room.seats, seat, transferred), "clock": running}, events


def disconnected(room: AnyRoom, seat: Seat, now: Millis) -> Change:
    """Mark the person of a seat as disconnected."""
    taken = room.seats[seat] if 0 <= seat < len(room.seats) else None
    if taken is None or taken.bot or taken.disconnected_at is not None:
        return None
    timeout = room.table.disconnect_timeout if room.phase is Phase.PLAYING else 0
    forfeits_at = Millis(now + timeout * 1000) if timeout else None
    return {"seats": with_disconnected(room.seats, seat, now)}, [
        AddressedEvent(room_events.Disconnected(seat, forfeits_at))
    ]


def reconnected(room: AnyRoom, seat: Seat, now: Millis) -> Change:
    """Mark the person of a seat as connected, and end the head start of its clock."""
    taken = room.seats[seat] if 0 <= seat < len(room.seats) else None
    if taken is None or taken.reserved:
        return None
    running = room.clock if room.clock is None else clock.end_head_start(room.clock, seat, now)
    if taken.disconnected_at is None and running is room.clock:
        return None
    return (
        {"seats": with_disconnected(room.seats, seat, None), "clock": running},
        [AddressedEvent(room_events.Reconnected(seat))],
    )
