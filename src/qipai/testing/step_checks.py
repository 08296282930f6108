"""The laws of a single step, one function each."""

import base64
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.snapshot_format import encode_snapshot, read_room
from qipai.kernel.clock import DAY, ClockPlan
from qipai.kernel.commands import (
    AnswerOffer,
    Close,
    Command,
    Disconnected,
    LeaveSeat,
    MakeOffer,
    OutageEnded,
    Play,
    Reconnected,
    Resign,
    Say,
    TakeSeat,
    TimeUp,
    WithdrawOffer,
)
from qipai.kernel.game_interface.rules_interface import AddressedEvent
from qipai.kernel.ids import SYSTEM, Millis, Nonce, Person, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import Advanced, AnyRoom, Phase, Refused, Result, Unchanged, deadline
from qipai.kernel.room_view import view
from qipai.kernel.step import general_step, step

from .runs import RunStep, take
from .subject import Subject


def total(run_step: RunStep) -> None:
    """A command is carried out, already done, or refused."""
    assert type(run_step.result) in {Advanced, Unchanged, Refused}


def exact(subject: Subject, run_step: RunStep, stored: bytes) -> None:
    """The same inputs, built again, give the same bytes, and the room before is not changed."""
    rules = subject.game.rules
    restored = read_room(subject.game, stored)
    again = step(
        rules,
        restored,
        run_step.actor,
        run_step.command,
        run_step.now,
        bytes(bytearray(run_step.entropy)),
        Nonce(str(run_step.nonce)),
        run_step.at_version,
    )
    assert type(again) is type(run_step.result)
    assert again == run_step.result
    assert encode(again) == encode(run_step.result)
    assert encode_snapshot(run_step.before, subject.game.rules_number) == stored


def plain_as_general(subject: Subject, run_step: RunStep) -> None:
    """A move that is made in one pass has the result of the general step."""
    before, actor, command, now, entropy, nonce, at_version, result = run_step
    if isinstance(command, Play):
        general = general_step(subject.game.rules, before, actor, command, now, entropy, nonce, at_version)
        assert general == result


def counted(run_step: RunStep) -> None:
    """Only what was carried out makes a new version, and makes exactly one."""
    if isinstance(run_step.result, Advanced):
        assert run_step.result.room.version == run_step.before.version + 1
        assert run_step.result.room.at == max(run_step.before.at, run_step.now), "time never runs backwards"
    else:
        assert run_step.after is run_step.before


def stored(subject: Subject, room: AnyRoom) -> bytes:
    """A room survives being written and read."""
    body = encode_snapshot(room, subject.game.rules_number)
    again = read_room(subject.game, body)
    assert again == room
    assert encode_snapshot(again, subject.game.rules_number) == body
    return body


def whole(room: AnyRoom) -> None:
    """Nobody sits twice, tails are bounded, offers are one of a kind."""
    people = [taken.person for taken in room.seats if taken is not None]
    assert len(people) == len(set(people))
    assert len(room.chat) <= 50
    assert all(len(line.text) <= 200 for line in room.chat)
    assert all(len(mine) <= 8 for mine in room.nonces)
    kinds = [offer.kind for offer in room.offers]
    assert len(kinds) == len(set(kinds))
    for offer in room.offers:
        assert offer.asked
        assert offer.seat not in offer.asked
        assert 0 < offer.id <= room.offered
        assert (offer.kind is OfferKind.REMATCH) is (room.phase is Phase.OVER)
    if room.phase in {Phase.WAITING, Phase.CLOSED}:
        assert not room.offers


AFTER_THE_END: Final = (
    MakeOffer,
    AnswerOffer,
    WithdrawOffer,
    Say,
    LeaveSeat,
    TakeSeat,
    Disconnected,
    Reconnected,
    Close,
)


def over_is_over(run_step: RunStep) -> None:
    """A game that has ended is not touched again; only the next one may begin, by agreement or seating."""
    before, after = run_step.before, run_step.after
    if before.phase is Phase.CLOSED:
        assert run_step.result == Refused(Refusal.ROOM_CLOSED)
    if before.phase is not Phase.OVER or after is before:
        return
    assert isinstance(run_step.command, AFTER_THE_END)
    if after.match != before.match:
        assert after.match == before.match + 1
        assert after.phase is Phase.PLAYING
        assert isinstance(run_step.command, (MakeOffer, AnswerOffer, TakeSeat))
    else:
        assert after.phase is not Phase.PLAYING
        same = ("state", "result", "seed", "random_key", "random_position", "position_version", "clock")
        names = [name for name in same if not (name == "clock" and after.phase is Phase.CLOSED)]
        assert [getattr(after, name) for name in names] == [getattr(before, name) for name in names]


def over_stays_over(subject: Subject, room: AnyRoom) -> None:
    """No actor can move, resign, draw, take back or time out in a game that has ended."""
    if room.phase not in {Phase.OVER, Phase.CLOSED}:
        return
    commands: list[Command] = [Resign(), TimeUp()]
    commands += [MakeOffer(kind) for kind in OfferKind if kind is not OfferKind.REMATCH]
    commands += [Play(move) for move in some(subject, room, 5)]
    commands += [AnswerOffer(known, yes=True) for known in range(room.offered + 2) if not _asked(room, known)]
    if room.phase is Phase.CLOSED:
        commands += [Say("hello"), LeaveSeat(), Close(), MakeOffer(OfferKind.REMATCH), Disconnected(Seat(0))]
        commands += [Reconnected(Seat(0)), OutageEnded(Millis(0), Millis(0)), TakeSeat(Person("new"), "New")]
    for command in commands:
        for actor in subject.actors:
            result = take(subject.game, room, actor, command, room.at + 1, entropy=bytes(32)).result
            assert not isinstance(result, Advanced), (actor, command)


def someone_acts(subject: Subject, room: AnyRoom) -> None:
    """A running game waits for a seat, and only until a deadline if its time is limited."""
    due = deadline(room)
    if room.phase is not Phase.PLAYING:
        assert due is None
        return
    acting = subject.game.rules.to_act(room.state)
    assert acting
    assert len(set(acting)) == len(acting)
    assert all(0 <= seat < subject.game.rules.seats for seat in acting)
    assert None not in room.seats
    assert subject.game.rules.outcome(room.state) is None
    assert room.result is None
    lost = [
        taken.disconnected_at
        for taken in room.seats
        if taken is not None and taken.disconnected_at is not None
    ]
    plan = room.table.clock
    if plan is not None and any(limits(plan, seat) for seat in acting):
        assert due is not None
    if plan is None and not (lost and room.table.disconnect_timeout):
        assert due is None
    if lost and room.table.disconnect_timeout:
        assert due is not None
        assert due <= min(lost) + room.table.disconnect_timeout * 1000


def limits(plan: ClockPlan, seat: int) -> bool:
    """Tell whether this plan gives a seat a bounded time."""
    main = plan.main[seat] if len(plan.main) > 1 else plan.main[0]
    return plan.move > 0 or main > 0


def legal_is_legal(subject: Subject, room: AnyRoom) -> None:
    """What the rules list is accepted from those to act; what they do not list is refused from all."""
    if room.phase is not Phase.PLAYING:
        return
    rules = subject.game.rules
    acting = rules.to_act(room.state)
    for number in range(rules.seats):
        seat = Seat(number)
        moves = set(rules.legal(room.state, seat))
        assert len(moves) == len(rules.legal(room.state, seat))
        assert bool(moves) is (seat in acting)
        late = (run_step := runs_out(room, seat)) is not None and run_step <= room.at
        for move in some(subject, room, 20):
            result = take(subject.game, room, seat, Play(move), room.at).result
            if move in moves and not late:
                assert isinstance(result, Advanced), (seat, move, result)
            else:
                assert isinstance(result, Refused), (seat, move)
        assert moves <= set(subject.universe)


def some(subject: Subject, room: AnyRoom, count: int) -> tuple[Any, ...]:
    """Return about so many moves from all over the universe, others for another version of the room."""
    width = max(1, len(subject.universe) // count)
    return subject.universe[room.version % width :: width]


def runs_out(room: AnyRoom, seat: Seat) -> int | None:
    """Return when a thinking seat runs out: at the end of its grant, else of its budget or move limit.

    The free first move has a day.
    """
    plan, clock = room.table.clock, room.clock
    if plan is None or clock is None or clock.since[seat] is None:
        return None
    began, grant, budget = clock.since[seat], clock.grants[seat], clock.left[seat]
    if clock.free and budget is not None:
        budget = DAY
    assert began is not None
    if grant is not None:
        return began + grant
    ends = [began + span for span in (budget, plan.move or None) if span is not None]
    return min(ends, default=None)


def resend(subject: Subject, run_step: RunStep) -> None:
    """A command with a nonce that was carried out is not carried out again, nor a spectator's."""
    if not isinstance(run_step.result, Advanced) or not run_step.nonce:
        return
    room = run_step.result.room
    if room.phase is Phase.CLOSED:
        return
    for later in (0, 20_000, 10**9):
        result = take(
            subject.game,
            room,
            run_step.actor,
            run_step.command,
            run_step.now + later,
            entropy=run_step.entropy,
            nonce=run_step.nonce,
            at_version=run_step.at_version,
        ).result
        assert result == Unchanged()


def randomness_never_refuses(subject: Subject, run_step: RunStep) -> None:
    """Whether a command is allowed does not depend on the value of any secret byte."""
    flipped = bytes(255 - byte for byte in run_step.entropy)
    room = run_step.before
    other = replace(
        room,
        seed=bytes(255 - byte for byte in room.seed),
        random_key=bytes(255 - byte for byte in room.random_key),
    )
    result = step(
        subject.game.rules,
        other,
        run_step.actor,
        run_step.command,
        run_step.now,
        flipped,
        run_step.nonce,
        run_step.at_version,
    )
    assert type(result) is type(run_step.result)
    if isinstance(result, Refused):
        assert result == run_step.result


def chance_moves_on(run_step: RunStep) -> None:
    """No part of the randomness is used twice in a game, and a revealed seed is not used for another deal."""
    before, after = run_step.before, run_step.after
    if after.match == before.match:
        assert after.random_position >= before.random_position
        assert (after.seed, after.random_key) == (before.seed, before.random_key)
    elif before.match:
        assert after.seed == run_step.entropy
        assert after.seed != before.seed or run_step.entropy == before.seed


def secrets_stay_secret(subject: Subject, run_step: RunStep) -> None:
    """The seed, the key and the nonces are in nobody's view and in no event before the game is over."""
    room = run_step.after
    events = run_step.result.events if isinstance(run_step.result, Advanced) else ()
    spoken = [encode(one.event) for one in events]
    seen = [encode(view(subject.game.rules, room, viewer, run_step.now)) for viewer in subject.viewers]
    words = [nonce.encode() for mine in room.nonces for nonce in mine]
    # A room whose next game has not been dealt yet still shows the seed of the last one.
    if room.result is None:
        for secret in {room.seed, room.random_key} - {b""}:
            words += spellings(secret)
    for text in spoken + seen:
        for word in words:
            assert word not in text


def spellings(secret: bytes) -> list[bytes]:
    """Return the ways in which bytes could be written into JSON."""
    plain = base64.b64encode(secret)
    ways = [
        secret.hex().encode(),
        secret.hex().upper().encode(),
        plain,
        plain.rstrip(b"="),
        base64.urlsafe_b64encode(secret).rstrip(b"="),
        msgspec.json.encode(list(secret))[1:-1],
        str(int.from_bytes(secret, "big")).encode(),
        str(int.from_bytes(secret, "little")).encode(),
    ]
    return [way for way in ways if len(way) >= 32]


def addressed(subject: Subject, result: Result) -> tuple[AddressedEvent, ...]:
    """Return the addressed events, after checking that every address is a viewer."""
    if not isinstance(result, Advanced):
        return ()
    for addressed in result.events:
        if addressed.to is not None:
            assert addressed.to
            assert set(addressed.to) <= set(subject.viewers)
    return result.events


def read_by(events: tuple[AddressedEvent, ...], viewer: Seat) -> list[Any]:
    """Return the events for this viewer."""
    return [one.event for one in events if one.to is None or viewer in one.to]


def _asked(room: AnyRoom, offer_id: int) -> bool:
    return any(offer.id == offer_id for offer in room.offers)


def time_up(subject: Subject, room: AnyRoom, now: int) -> Result:
    """Return the result of an alarm at this time."""
    return take(subject.game, room, SYSTEM, TimeUp(), now).result
