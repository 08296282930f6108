"""Random lives of a room: any commands from anybody, at any time, with any chance."""

import functools
import random
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from hypothesis import strategies as st
from msgspec.structs import replace

from qipai.games.game_registry import Game
from qipai.hall.journal.room_rebuilding import JournalRecord, encode
from qipai.hall.journal.store_interface import Entry
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import (
    AnswerOffer,
    Close,
    Command,
    Disconnected,
    LeaveSeat,
    MakeOffer,
    OpenRoom,
    OutageEnded,
    Play,
    Reconnected,
    Resign,
    Say,
    TableRules,
    TakeSeat,
    TimeUp,
    WithdrawOffer,
)
from qipai.kernel.ids import SPECTATOR, SYSTEM, Code, Millis, Nonce, Person, RoomId, Seat
from qipai.kernel.offers import OfferKind
from qipai.kernel.room import Advanced, AnyRoom, Phase, Result, create, deadline
from qipai.kernel.step import step

from .subjects import SUBJECTS, Subject

BEGIN: Final = 1_767_400_000_000
PEOPLE: Final = ("ann", "bob", "cyd", "eve", "fay")
BOT: Final = "bot:dan"
KINDS: Final = (
    *("move",) * 30,
    *("offer", "answer") * 4,
    *("sit", "say", "lost", "back", "any move") * 2,
    *("resign", "stand", "time up", "woke", "close"),
)
WAITS: Final = (*(0, 1, 40, 900, 2_500) * 3, 9_999, 15_000, 61_000, -1, -700, -100_000)
AIMS: Final = (*(None,) * 13, -1, 0, 1)
"""Beside waiting: just before the deadline, at it, just after it."""

VERSIONS: Final = (0, 0, 0, 0, 0, 1, 1, 2, 3, 4)

PLANS: Final = (
    None,
    ClockPlan(main=(0,)),
    ClockPlan(main=(60_000,)),
    ClockPlan(main=(30_000,), increment=2_000, first_free=True),
    ClockPlan(main=(5_000, 0)),
    ClockPlan(main=(90_000, 20_000), increment=500, move=10_000),
    ClockPlan(move=8_000, first_free=True),
)


class Opening(NamedTuple):
    """How a room begins."""

    option: int
    plan: ClockPlan | None
    away: int
    seed: bytes


class Deed(NamedTuple):
    """A command before it is known which room it meets."""

    kind: str
    who: int
    pick: int
    wait: int
    aim: int | None
    chance: int
    nonce: int
    at_version: int


class Moment(NamedTuple):
    """A room, what was done to it, and what came of it."""

    before: AnyRoom
    actor: Seat
    command: Command
    now: Millis
    entropy: bytes
    nonce: Nonce
    at_version: int
    result: Result

    @property
    def after(self) -> AnyRoom:
        """Return the room from now on."""
        return self.result.room if isinstance(self.result, Advanced) else self.before


class Life(NamedTuple):
    """Everything that was done to one room."""

    subject: Subject
    opening: OpenRoom
    seed: bytes
    first: AnyRoom
    moments: tuple[Moment, ...]

    @property
    def rooms(self) -> list[AnyRoom]:
        """Return every version of the room, oldest first."""
        return [self.first, *(m.result.room for m in self.moments if isinstance(m.result, Advanced))]

    @property
    def last(self) -> AnyRoom:
        """Return the room at the end."""
        return self.moments[-1].after if self.moments else self.first


openings: Final = st.builds(
    Opening,
    option=st.integers(0, 3),
    plan=st.sampled_from(PLANS),
    away=st.sampled_from((0, 30)),
    seed=st.binary(min_size=32, max_size=32),
)

deeds: Final = st.builds(
    Deed,
    kind=st.sampled_from(KINDS),
    who=st.integers(0, 20),
    pick=st.integers(0, 63),
    wait=st.sampled_from(WAITS),
    aim=st.sampled_from(AIMS),
    chance=st.integers(0, 9),
    nonce=st.integers(0, 9),
    at_version=st.sampled_from(VERSIONS),
)


@functools.cache
def lives(name: str) -> st.SearchStrategy[Life]:
    """Return lives of rooms of one game that are thrown from one number: these get far."""
    # Lists drawn by hypothesis stay short, too short for a match; a thrown list shrinks by its length.
    lengths = st.sampled_from(SUBJECTS[name].lengths)
    return _lives(name, st.builds(throw, st.integers(0, 2**32), lengths))


@functools.cache
def short_lives(name: str) -> st.SearchStrategy[Life]:
    """Return lives that are drawn deed by deed: these shrink well."""
    return _lives(name, st.lists(deeds, min_size=5, max_size=40))


def _lives(name: str, plans: st.SearchStrategy[list[Deed]]) -> st.SearchStrategy[Life]:
    subject = SUBJECTS[name]
    # Most lives begin with every seat taken; the others find out what a half-empty room does.
    seats = subject.game.rules.seats
    begins = st.sampled_from((*(seats,) * 6, seats - 1, 0))
    return st.builds(functools.partial(live, subject), openings, begins, plans)


def throw(number: int, length: int) -> list[Deed]:
    """Return deeds that follow from one number; fewer of them are the beginning of more."""
    chance = random.Random(number)
    return [
        Deed(
            kind=chance.choice(KINDS),
            who=chance.randrange(21),
            pick=chance.randrange(64),
            wait=chance.choice(WAITS),
            aim=chance.choice(AIMS),
            chance=chance.randrange(10),
            nonce=chance.randrange(10),
            at_version=chance.choice(VERSIONS),
        )
        for _ in range(length)
    ]


def quiet(number: int, length: int) -> list[Deed]:
    """Return deeds of people who do nothing but play."""
    return [
        deed._replace(kind="move", who=deed.who % 17, wait=0, aim=None, nonce=9, at_version=0)
        for deed in throw(number, length)
    ]


def live(subject: Subject, opening: Opening, seated: int, plan: list[Deed]) -> Life:
    """Return what happens when these deeds are done one after the other."""
    game = subject.game
    options = subject.options[opening.option % len(subject.options)]
    table = TableRules(disconnect_timeout=opening.away, clock=fitting(opening.plan, game.rules.seats))
    command = OpenRoom(RoomId("room"), Code("1234"), game.name, options, table)
    first = create(game.rules, command, Millis(BEGIN), opening.seed)
    return Life(subject, command, opening.seed, first, tuple(_moments(subject, first, seated, plan)))


def fitting(plan: ClockPlan | None, seats: int) -> ClockPlan | None:
    """Return the plan for a table of so many: where two have a time each, the others have theirs in turn."""
    if plan is None or len(plan.main) in (1, seats):
        return plan
    return replace(plan, main=tuple(plan.main[seat % len(plan.main)] for seat in range(seats)))


def take(game: Game, room: AnyRoom, actor: int, command: Command, now: int, **more: Any) -> Moment:
    """Return the moment of one command."""
    entropy, nonce = more.get("entropy", b""), Nonce(more.get("nonce", ""))
    at_version = more.get("at_version", 0)
    result = step(game.rules, room, Seat(actor), command, Millis(now), entropy, nonce, at_version)
    return Moment(room, Seat(actor), command, Millis(now), entropy, nonce, at_version, result)


def journal(life: Life) -> list[Entry]:
    """Return the records the hall would have kept of a life."""
    room = life.first
    entries = [Entry(room.id, 1, room.at, encode(JournalRecord(SYSTEM, life.opening, entropy=life.seed)))]
    for moment in life.moments:
        if isinstance(moment.result, Advanced):
            after = moment.result.room
            entropy = moment.entropy if after.seed == moment.entropy else b""
            record = JournalRecord(moment.actor, moment.command, moment.nonce, entropy)
            entries.append(Entry(after.id, after.version, after.at, encode(record)))
    return entries


def _moments(subject: Subject, room: AnyRoom, seated: int, plan: list[Deed]) -> Iterator[Moment]:
    game, now, used = subject.game, BEGIN, [Nonce("secret-nonce-first")]
    for number in range(seated):
        luck = b"luck" * number if number else b""
        moment = take(
            game, room, SYSTEM, TakeSeat(Person(PEOPLE[number]), PEOPLE[number], player_entropy=luck), now
        )
        yield moment
        room = moment.after
    for count, deed in enumerate(plan):
        now += deed.wait
        if deed.aim is not None and (due := deadline(room)) is not None:
            now = due + deed.aim
        actor, command = _command(subject, room, deed)
        late = (due := deadline(room)) is not None and due <= now
        if late and deed.kind == "move" and deed.pick % 4:
            actor, command = SYSTEM, TimeUp()
        nonce = Nonce("")
        if deed.nonce < 3:
            nonce = Nonce(f"secret-nonce-{count}")
            used.append(nonce)
        elif deed.nonce == 3:
            nonce = used[deed.pick % len(used)]
        at_version = (0, room.version, room.position_version - 1, room.version + 9, -3)[deed.at_version]
        entropy = _entropy(deed, count)
        moment = take(game, room, actor, command, now, entropy=entropy, nonce=nonce, at_version=at_version)
        yield moment
        room = moment.after


def _entropy(deed: Deed, count: int) -> bytes:
    if deed.chance < 3:
        return (b"", bytes(31), bytes(33))[deed.chance]
    return bytes([deed.chance, deed.pick, count % 256, 7]) * 8


def _command(subject: Subject, room: AnyRoom, deed: Deed) -> tuple[Seat, Command]:
    """Return who does what: mostly somebody who may, sometimes anybody."""
    rules, pick = subject.game.rules, deed.pick
    odd = deed.who >= 17
    seat = Seat(deed.who % rules.seats)
    anybody = subject.actors[pick % len(subject.actors)] if odd else seat
    system = anybody if odd else SYSTEM
    leaving = deed.kind in {"resign", "stand", "lost"}
    match "move" if leaving and pick % subject.patience else deed.kind:
        case "move":
            acting = rules.to_act(room.state) if room.phase is Phase.PLAYING else ()
            if room.offers and acting and deed.who % 3 == 0:
                offer = room.offers[-1]
                return offer.asked[0], AnswerOffer(offer.id, yes=pick % 4 != 0)
            if not acting or odd:
                return _go_on(subject, room, deed, seat)
            if subject.choose is not None:
                mover, move = subject.choose(room.state, deed.who, pick)
                return mover, Play(move)
            mover = acting[deed.who % len(acting)]
            moves = rules.legal(room.state, mover)
            return mover, Play(moves[pick % min(len(moves), subject.choices)])
        case "any move":
            return anybody, Play(subject.universe[pick % len(subject.universe)])
        case "sit":
            return system, _sit(deed, rules.seats)
        case "offer":
            kinds = list(OfferKind)
            rematch = room.phase is Phase.OVER and not odd
            return anybody, MakeOffer(OfferKind.REMATCH if rematch else kinds[pick % len(kinds)])
        case "answer":
            standing = room.offers[pick % len(room.offers)] if room.offers else None
            # Or it is taken back, by its maker or by somebody who would like to.
            back = pick % 5 == 4
            if standing is None or odd:
                return anybody, WithdrawOffer(pick - 5) if back else AnswerOffer(pick - 5, yes=pick % 2 == 0)
            if back:
                return standing.seat, WithdrawOffer(standing.id)
            return standing.asked[0], AnswerOffer(standing.id, yes=pick % 4 != 0)
        case "resign":
            return anybody, Resign()
        case "stand":
            return anybody, LeaveSeat()
        case "say":
            text = ("hello", "", "   ", "好棋 👍", "x" * 500)[pick % 5]
            return SPECTATOR if pick % 3 == 0 else anybody, Say(text, "Watcher")
        case "lost":
            return system, Disconnected(_reached(deed, rules.seats))
        case "back":
            return system, Reconnected(_reached(deed, rules.seats))
        case "time up":
            return system, TimeUp()
        case "woke":
            return system, OutageEnded(Millis(room.at - 5_000 + pick * 300), Millis(pick % 3 * 2_500))
        case _:
            # A room that is closed teaches nothing more: seldom.
            return (SYSTEM if pick > 58 else seat), Close()


def _go_on(subject: Subject, room: AnyRoom, deed: Deed, seat: Seat) -> tuple[Seat, Command]:
    """Return what leads to the next game, or a move that cannot be."""
    if deed.pick % 4 == 0 or room.phase in {Phase.PLAYING, Phase.CLOSED}:
        return seat, Play(subject.universe[deed.pick % len(subject.universe)])
    if None in room.seats:
        return SYSTEM, _sit(deed, subject.game.rules.seats)
    for offer in room.offers:
        return offer.asked[0], AnswerOffer(offer.id, yes=True)
    return seat, MakeOffer(OfferKind.REMATCH)


def _reached(deed: Deed, seats: int) -> Seat:
    """Return whose connection it is about: somebody's, seldom nobody's."""
    known = (*range(seats), *range(seats), 7, -3)
    return Seat(known[deed.pick % len(known)])


def _sit(deed: Deed, seats: int) -> TakeSeat:
    """Return who sits down where; there is one person more than seats, and a bot."""
    people = (*PEOPLE[: seats + 1], BOT)
    person = people[deed.pick % len(people)]
    wanted = (None, None, None, *(Seat(seat) for seat in (*range(seats), -1, 99)))
    seat = wanted[deed.pick % len(wanted)]
    bot = "dan" if person == BOT else ""
    # The very same b"" each time: msgspec leaves a default out only if it is the same object.
    luck = bytes(deed.chance) if deed.chance else b""
    return TakeSeat(Person(person), person.upper(), seat, bot, luck)
