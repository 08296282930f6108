"""Who is at the table: sitting down, leaving, dropping out of reach and coming back."""

from typing import Any

from msgspec.structs import replace

from qipai.kernel import clock, room_events
from qipai.kernel.commands import OutageEnded, StartGame, TakeSeat, TransferSeat
from qipai.kernel.game_interface.rules_interface import AddressedEvent, AnyRules, IllegalCommand
from qipai.kernel.ids import Millis, Person, Seat
from qipai.kernel.randomness import SEED_BYTES
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import AnyRoom, Change, Phase, deadline
from qipai.kernel.seats import (
    ABSENCE,
    TakenSeat,
    free_seat,
    is_human,
    longest_seated,
    seat_of,
    with_disconnected,
    with_seat,
)

from . import game_steps


def sit(rules: AnyRules, room: AnyRoom, command: TakeSeat, now: Millis, entropy: bytes) -> Change:
    """Give a person a seat; the last one taken deals the game. Who sits already may get another name."""
    known = seat_of(room.seats, command.person)
    if known is not None:
        return _rename(room, known, command.name)
    if room.phase is Phase.PLAYING:
        return _take(rules, room, command, now)
    seat = command.seat if command.seat is not None else free_seat(room.seats)
    if seat is None:
        raise IllegalCommand(Refusal.ROOM_FULL)
    if not 0 <= seat < rules.seats:
        raise IllegalCommand(Refusal.OUT_OF_RANGE)
    if room.seats[seat] is not None:
        raise IllegalCommand(Refusal.SEAT_TAKEN)
    if len(command.player_entropy) > SEED_BYTES:
        raise IllegalCommand(Refusal.OUT_OF_RANGE)
    lost = now if command.reserved else None
    since = room.version + 1 if command.dated else 0
    taken = TakenSeat(
        command.person,
        command.name,
        command.bot,
        lost,
        command.player_entropy,
        command.sees_hidden,
        command.reserved,
        since,
    )
    changes, told = _seat(room, seat, taken)
    changes["offers"] = ()
    seats = changes["seats"]
    told += [AddressedEvent(room_events.OfferEnded(offer.id)) for offer in room.offers]
    if room.table.hosted:
        if room.seats[room.host] is None:
            _hand_on(room, seat, changes, told)
    elif command.dated:
        _hand_on(room, longest_seated(seats), changes, told)
    if None in seats or room.table.hosted:
        changes["phase"] = Phase.WAITING
    else:
        game_steps.deal(rules, room, seats, now, entropy, changes, told)
    return changes, told


def _seat(room: AnyRoom, seat: Seat, taken: TakenSeat) -> tuple[dict[str, Any], list[AddressedEvent]]:
    """Return what changes when this is whose seat it is from now on."""
    told = [
        AddressedEvent(
            room_events.SeatTaken(
                seat, taken.name, taken.bot, taken.player_entropy.hex(), taken.sees_hidden, taken.reserved
            )
        )
    ]
    # The seat's commands were somebody else's: this person may use the same nonces again.
    nonces = (*room.nonces[:seat], (), *room.nonces[seat + 1 :])
    return {"seats": with_seat(room.seats, seat, taken), "nonces": nonces}, told


def _take(rules: AnyRules, room: AnyRoom, command: TakeSeat, now: Millis) -> Change:
    """Give a person a seat of a running game that is kept for him, or for whoever comes."""
    seat = command.seat
    if seat is None:
        raise IllegalCommand(Refusal.ROOM_FULL)
    if not 0 <= seat < rules.seats:
        raise IllegalCommand(Refusal.OUT_OF_RANGE)
    old = room.seats[seat]
    if old is None or not (room.table.open_seats or (old.reserved and old.person == command.person)):
        # Where watchers see later, nobody learns by asking whether the game still runs.
        raise IllegalCommand(Refusal.SEAT_TAKEN if room.table.spectator_delay else Refusal.ROOM_FULL)
    if old.bot or old.disconnected_at is None or not (old.reserved or now - old.disconnected_at >= ABSENCE):
        raise IllegalCommand(Refusal.SEAT_TAKEN)
    since = room.version + 1 if command.dated else 0
    newcomer = TakenSeat(command.person, command.name, sees_hidden=command.sees_hidden, since=since)
    changes, told = _seat(room, seat, newcomer)
    if command.dated and not room.table.hosted:
        _hand_on(room, longest_seated(changes["seats"]), changes, told)
    if command.dated and room.table.open_seats:
        # There a seat's commands are done once, whoever sends them.
        del changes["nonces"]
    if room.clock is not None:
        changes["clock"] = clock.hurry(room.clock, seat, now)
    if command.move is not None:
        played = game_steps.play(rules, replace(room, **changes), seat, command.move, now, 0)
        assert played is not None
        changes |= played[0]
        told += played[1]
    return changes, told


def _hand_on(room: AnyRoom, seat: Seat | None, changes: dict[str, Any], told: list[AddressedEvent]) -> None:
    """Make somebody the host, if he is not; where nobody is, nobody can be."""
    if seat is not None and seat != room.host:
        changes["host"] = seat
        told.append(AddressedEvent(room_events.HostChanged(seat)))


def start(
    rules: AnyRules, room: AnyRoom, seat: Seat, command: StartGame, now: Millis, entropy: bytes
) -> Change:
    """Deal a game as the host wants it; only where hosts begin games, and to a full table."""
    if not room.table.hosted or seat != room.host:
        raise IllegalCommand(Refusal.NOT_ALLOWED)
    if room.phase is Phase.PLAYING:
        raise IllegalCommand(Refusal.STILL_PLAYING)
    if None in room.seats:
        raise IllegalCommand(Refusal.NOT_PLAYING)
    table = replace(room.table, clock=command.clock)
    changes: dict[str, Any] = {"options": command.options, "table": table}
    told = [AddressedEvent(room_events.OfferEnded(offer.id)) for offer in room.offers]
    told.append(AddressedEvent(room_events.OptionsChosen(command.options, command.clock)))
    arranged = replace(room, options=command.options, table=table)
    game_steps.deal(rules, arranged, room.seats, now, entropy, changes, told, given=command.host_data)
    return changes, told


def _rename(room: AnyRoom, seat: Seat, name: str) -> Change:
    taken = room.seats[seat]
    if taken is None or not name or taken.name == name:
        return None
    told = [
        AddressedEvent(
            room_events.SeatTaken(seat, name, taken.bot, taken.player_entropy.hex(), taken.sees_hidden)
        )
    ]
    return {"seats": with_seat(room.seats, seat, replace(taken, name=name))}, told


def stand(rules: AnyRules, room: AnyRoom, seat: Seat, now: Millis) -> Change:
    """Empty a seat; in a running game its person forfeits, or a stand-in goes on for him."""
    changes: dict[str, Any] = {}
    told: list[AddressedEvent] = []
    others = [Seat(other) for other, taken in enumerate(room.seats) if other != seat and is_human(taken)]
    bot, left = room.table.substitute_bot, room.seats[seat]
    # Before it was written down when people came, only a hosted table had a host.
    dated = left is not None and left.since > 0 and not room.table.hosted
    if room.phase is Phase.PLAYING and bot and others:
        changes, told = _seat(room, seat, TakenSeat(Person(f"bot:{bot}:{seat}"), bot.capitalize(), bot))
        if seat == room.host and room.table.hosted:
            _hand_on(room, others[0], changes, told)
        elif dated:
            _hand_on(room, longest_seated(changes["seats"]), changes, told)
        return changes, told
    if room.phase is Phase.PLAYING:
        changes["position_version"] = room.version + 1
        game_steps.end(rules, room, rules.forfeit(room.state, seat, "left"), now, changes, told)
    else:
        changes["offers"] = ()
        told += [AddressedEvent(room_events.OfferEnded(offer.id)) for offer in room.offers]
    changes["seats"] = with_seat(room.seats, seat, None)
    told.append(AddressedEvent(room_events.SeatLeft(seat)))
    if seat == room.host and room.table.hosted:
        next_one = (Seat(other) for other, taken in enumerate(changes["seats"]) if taken is not None)
        _hand_on(room, next(next_one, seat), changes, told)
    elif dated:
        _hand_on(room, longest_seated(changes["seats"]), changes, told)
    return changes, told


def transfer(room: AnyRoom, command: TransferSeat, now: Millis) -> Change:
    """Make a seat another person's, who is in reach; nothing else of it changes."""
    seat, person = command.seat, command.person
    taken = room.seats[seat] if 0 <= seat < len(room.seats) else None
    if taken is None or not is_human(taken) or taken.person != command.old:
        raise IllegalCommand(Refusal.BAD_TICKET)
    if person == command.old:
        return None
    if any(other is not None and other.person == person for other in room.seats):
        raise IllegalCommand(Refusal.NOT_ALLOWED)
    moved = replace(taken, person=person, disconnected_at=None, transfers=taken.transfers + 1)
    running = room.clock if room.clock is None else clock.hurry(room.clock, seat, now)
    told = [] if taken.disconnected_at is None else [AddressedEvent(room_events.Reconnected(seat))]
    return {"seats": with_seat(room.seats, seat, moved), "clock": running}, told


def lost(room: AnyRoom, seat: Seat, now: Millis) -> Change:
    """Mark a person as out of reach."""
    taken = room.seats[seat] if 0 <= seat < len(room.seats) else None
    if taken is None or taken.bot or taken.disconnected_at is not None:
        return None
    away = room.table.disconnect_timeout if room.phase is Phase.PLAYING else 0
    until = Millis(now + away * 1000) if away else None
    return {"seats": with_disconnected(room.seats, seat, now)}, [
        AddressedEvent(room_events.Disconnected(seat, until))
    ]


def back(room: AnyRoom, seat: Seat, now: Millis) -> Change:
    """Mark a person as in reach again and end his head start."""
    taken = room.seats[seat] if 0 <= seat < len(room.seats) else None
    if taken is None or taken.reserved:
        return None
    running = room.clock if room.clock is None else clock.hurry(room.clock, seat, now)
    if taken.disconnected_at is None and running is room.clock:
        return None
    return (
        {"seats": with_disconnected(room.seats, seat, None), "clock": running},
        [AddressedEvent(room_events.Reconnected(seat))],
    )


def woke(room: AnyRoom, command: OutageEnded, now: Millis) -> Change:
    """Move every running deadline by the time the server was down."""
    if deadline(room) is None:
        return None
    down = Millis(min(max(command.down, room.at), now))
    outage = now - down
    seats = tuple(
        taken
        if taken is None or taken.disconnected_at is None
        else replace(taken, disconnected_at=taken.disconnected_at + outage)
        for taken in room.seats
    )
    thawed = room.clock and clock.thaw(room.clock, down, now, command.head_start)
    return {"seats": seats, "clock": thawed}, [
        AddressedEvent(room_events.OutageEnded(down)),
        *game_steps.absences(seats, room.table.disconnect_timeout),
    ]
