"""What a viewer may know of a room, built from nothing."""

from typing import Any

from msgspec import Struct

from qipai.kernel.game_interface.rules_interface import AnyRules, Outcome

from . import clock
from .chat import ChatLine, heard
from .clock import ClockPlan
from .commands import TableRules
from .ids import SEATS, SPECTATOR, Code, Millis, RoomId, Seat
from .offers import Offer
from .randomness import commitment
from .room import AnyRoom, Phase


class SeatView(Struct, frozen=True, omit_defaults=True):
    """A person at the table. `lost`: since when he is out of reach; `until`: when he forfeits if he stays so.

    A `seer`'s client is told all secrets: what the others do not see is open to it. A `vacant` one is
    kept for somebody.
    """

    name: str
    bot: str = ""
    disconnected: bool = False
    forfeits_at: Millis | None = None
    player_entropy: str = ""
    sees_hidden: bool = False
    reserved: bool = False
    disconnected_at: Millis | None = None


class ClockView(Struct, frozen=True):
    """What each seat has left at `at` (null: unlimited) and which seats are thinking.

    `grants`: time for this one decision, instead of the budget. `since`: when each of them began to
    think, for a limit that every move has. `at` in a view may lie in the future: nothing is charged
    before it.
    """

    left: tuple[int | None, ...]
    running: tuple[Seat, ...]
    grants: tuple[int | None, ...]
    since: tuple[int | None, ...]
    at: Millis


class SeatRow(Struct, frozen=True, omit_defaults=True):
    """Who sits at a table of the lobby; `away`: out of reach."""

    name: str
    bot: str = ""
    disconnected: bool = False


class LobbyRow(Struct, frozen=True, omit_defaults=True):
    """A public table in one line; `options` are null where they are what everybody plays by.

    `since`: when it was opened. `delay`: seconds that its watchers see everything later.
    """

    id: RoomId
    code: Code
    game: str
    phase: Phase
    names: tuple[str | None, ...]
    spectators: int = 0
    clock: ClockPlan | None = None
    title: str = ""
    options: Any = None
    seats: tuple[SeatRow | None, ...] = ()
    since: Millis = Millis(0)
    spectator_delay: int = 0


class RoomView(Struct, frozen=True, omit_defaults=True):
    """A table as one viewer sees it. `position` is the game's own view, null before the deal.

    `host` is the seat of whoever has sat there longest; he begins each game, if the table is hosted.
    `hushed`: he has closed the chat for all but phrases. `watching`: how many look on.
    """

    id: RoomId
    code: Code
    game: str
    options: Any
    table: TableRules
    phase: Phase
    seats: tuple[SeatView | None, ...]
    match: int
    commitment: str
    position: Any = None
    to_act: tuple[Seat, ...] = ()
    clock: ClockView | None = None
    offers: tuple[Offer, ...] = ()
    chat: tuple[ChatLine, ...] = ()
    result: Outcome | None = None
    seed: str = ""
    host: Seat = Seat(0)
    phrases_only: bool = False
    spectators: int = 0


def view(rules: AnyRules, room: AnyRoom, viewer: Seat, now: Millis, watching: int = 0) -> RoomView:
    """Return the room as this viewer may see it. The seed shows only when its game is over."""
    over = room.phase is Phase.OVER or room.result is not None
    return RoomView(
        id=room.id,
        code=room.code,
        game=room.game,
        options=room.options,
        table=room.table,
        phase=room.phase,
        seats=tuple(_chair(room, Seat(seat)) for seat in range(len(room.seats))),
        match=room.match,
        commitment=commitment(room.seed),
        position=None if room.state is None else rules.view(room.state, viewer, over=over),
        to_act=acting(rules, room),
        clock=clock_view(room, now),
        offers=room.offers,
        chat=heard(room.chat, watching=viewer == SPECTATOR),
        result=room.result,
        seed=room.seed.hex() if over else "",
        host=room.host,
        phrases_only=room.phrases_only,
        spectators=watching,
    )


def acting(rules: AnyRules, room: AnyRoom) -> tuple[Seat, ...]:
    """Return the seats that the table waits for."""
    return rules.to_act(room.state) if room.phase is Phase.PLAYING else ()


def clock_view(room: AnyRoom, now: Millis) -> ClockView | None:
    """Return the clock at this moment, if the table has one."""
    running = room.clock
    if running is None:
        return None
    # After a restart a head start may lie ahead; what is shown is true when the last one has ended.
    at = first = now
    thinking: tuple[Seat, ...] = ()
    seat = 0
    for began in running.since:
        if began is not None:
            thinking += (SEATS[seat],)
            if began > at:
                at = began
            elif began < first:
                first = began
        seat += 1  # noqa: SIM113 - `enumerate` costs more than the rest of such a loop
    if first == at:
        # Nobody has used any time, as after most moves.
        return ClockView(running.left, thinking, running.grants, running.since, at)
    return ClockView(clock.remaining(running, at), thinking, _grants_left(running, at), running.since, at)


def _grants_left(running: clock.Clock, now: Millis) -> clock.Grants:
    if not any(running.grants):
        return running.grants
    return tuple(
        grant if grant is None or began is None else max(0, grant - max(0, now - began))
        for grant, began in zip(running.grants, running.since, strict=True)
    )


def _chair(room: AnyRoom, seat: Seat) -> SeatView | None:
    taken = room.seats[seat]
    if taken is None:
        return None
    away = room.table.disconnect_timeout if room.phase is Phase.PLAYING else 0
    return SeatView(
        name=taken.name,
        bot=taken.bot,
        disconnected=taken.disconnected_at is not None,
        forfeits_at=None
        if taken.disconnected_at is None or not away
        else Millis(taken.disconnected_at + away * 1000),
        player_entropy=taken.player_entropy.hex(),
        sees_hidden=taken.sees_hidden,
        reserved=taken.reserved,
        disconnected_at=taken.disconnected_at,
    )
