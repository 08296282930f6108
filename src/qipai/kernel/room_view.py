"""A room as one viewer may see it, and as a row of the lobby."""

from typing import Any

from msgspec import Struct

from qipai.kernel.game_interface.rules_interface import AnyRules

from . import clock
from .chat_lines import visible_lines
from .ids import SEATS, SPECTATOR, Code, Millis, RoomId, Seat
from .randomness import commitment
from .room import AnyRoom, Phase
from .view_values import (
    ChatLineView,
    ClockPlanView,
    OfferView,
    OutcomeView,
    TableRulesView,
    chat_line_view,
    offer_view,
    outcome_view,
    table_rules_view,
)


class SeatView(Struct, frozen=True, omit_defaults=True):
    """A taken seat as viewers see it.

    `disconnected_at`: since when its player is disconnected. `forfeits_at`: when that forfeits the game.
    `player_entropy`: hex of the bytes the player added to the randomness. `sees_hidden`: the player's client
    receives hidden information. `reserved`: the seat is kept for a player who has not connected yet.
    `bot`: the bot of the server that plays. `bot_account`: a program plays for an account.
    """

    name: str
    bot: str = ""
    disconnected: bool = False
    forfeits_at: Millis | None = None
    player_entropy: str = ""
    sees_hidden: bool = False
    reserved: bool = False
    disconnected_at: Millis | None = None
    bot_account: bool = False


class ClockView(Struct, frozen=True, omit_defaults=True):
    """The time each seat has left at `at` (null: unlimited) and the seats whose clocks run.

    `grants`: time for the present decision, instead of the budget. `since`: when each clock started, for
    the limit of a single move. `at` may lie in the future: no time is charged before it. `lags`: of each
    seat's last move, as measured by the server (null: not known). `compensated`: how much of it was not
    charged. Both are empty until a lag is measured.
    """

    left: tuple[int | None, ...]
    running: tuple[Seat, ...]
    grants: tuple[int | None, ...]
    since: tuple[int | None, ...]
    at: Millis
    lags: tuple[int | None, ...] = ()
    compensated: tuple[int, ...] = ()


class SeatRating(Struct, frozen=True, omit_defaults=True):
    """The rating of the player of a seat, for the kind of game of the table.

    `provisional`: too little is known of the player. `about`: the player is a bot, which was measured once.
    """

    rating: int
    provisional: bool = False
    about: bool = False


SeatRatings = tuple[SeatRating | None, ...]
"""The ratings of all seats; empty if none is known."""


class SeatRow(Struct, frozen=True, omit_defaults=True):
    """A taken seat in a row of the lobby. `bot_account`: a program plays for an account."""

    name: str
    bot: str = ""
    disconnected: bool = False
    rating: SeatRating | None = None
    bot_account: bool = False


class LobbyRow(Struct, frozen=True, omit_defaults=True):
    """A public room as a row of the lobby; `options` are null if they are the defaults.

    `since`: when it was opened. `spectator_delay`: seconds by which spectators see everything later.
    `sees_hidden_allowed`: the game has hidden information, or its host may choose that when it starts, and
    clients that receive it may take a seat.
    """

    id: RoomId
    code: Code
    game: str
    phase: Phase
    names: tuple[str | None, ...]
    spectators: int = 0
    clock: ClockPlanView | None = None
    title: str = ""
    options: Any = None
    seats: tuple[SeatRow | None, ...] = ()
    since: Millis = Millis(0)
    spectator_delay: int = 0
    sees_hidden_allowed: bool = False
    rated: bool = False


class RoomView(Struct, frozen=True, omit_defaults=True):
    """A room as one viewer may see it. `position` is the view of the game, null before it starts.

    `host`: the seat of the player who has been seated longest. `phrases_only`: the host has restricted the
    chat to phrases. `spectators`: their number. `undos`: moves that each seat took back in this game, empty
    if none did. `ratings`: those of the players at a rated table, and of bots; empty if there are none.
    """

    id: RoomId
    code: Code
    game: str
    options: Any
    table: TableRulesView
    phase: Phase
    seats: tuple[SeatView | None, ...]
    match: int
    commitment: str
    position: Any = None
    to_act: tuple[Seat, ...] = ()
    clock: ClockView | None = None
    offers: tuple[OfferView, ...] = ()
    chat: tuple[ChatLineView, ...] = ()
    result: OutcomeView | None = None
    seed: str = ""
    host: Seat = Seat(0)
    phrases_only: bool = False
    spectators: int = 0
    undos: tuple[int, ...] = ()
    ratings: SeatRatings = ()


def view(
    rules: AnyRules,
    room: AnyRoom,
    viewer: Seat,
    now: Millis,
    spectators: int = 0,
    ratings: SeatRatings = (),
) -> RoomView:
    """Return the room as this viewer may see it. The seed is included only when its game is over."""
    over = room.phase is Phase.OVER or room.result is not None
    return RoomView(
        id=room.id,
        code=room.code,
        game=room.game,
        options=room.options,
        table=table_rules_view(room.table),
        phase=room.phase,
        seats=tuple(_seat_view(room, Seat(seat)) for seat in range(len(room.seats))),
        match=room.match,
        commitment=commitment(room.seed),
        position=None if room.state is None else rules.view(room.state, viewer, over=over),
        to_act=seats_to_act(rules, room),
        clock=clock_view(room, now),
        offers=tuple(map(offer_view, room.offers)),
        chat=tuple(map(chat_line_view, visible_lines(room.chat, spectator=viewer == SPECTATOR))),
        result=outcome_view(room.result),
        seed=room.seed.hex() if over else "",
        host=room.host,
        phrases_only=room.phrases_only,
        spectators=spectators,
        undos=room.undos,
        ratings=ratings,
    )


def seats_to_act(rules: AnyRules, room: AnyRoom) -> tuple[Seat, ...]:
    """Return the seats whose move is awaited."""
    return rules.to_act(room.state) if room.phase is Phase.PLAYING else ()


def clock_view(room: AnyRoom, now: Millis) -> ClockView | None:
    """Return the clock now, if the room has one."""
    running = room.clock
    if running is None:
        return None
    # After an outage a head start may end in the future: the view is as of the end of the latest one.
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
    left, grants = running.left, running.grants
    if first != at:  # Time has passed, unlike after most moves.
        left, grants = clock.remaining(running, at), _grants_left(running, at)
    return ClockView(left, thinking, grants, running.since, at, running.lags, running.compensated)


def _grants_left(running: clock.Clock, now: Millis) -> clock.Grants:
    if not any(running.grants):
        return running.grants
    return tuple(
        grant if grant is None or began is None else max(0, grant - max(0, now - began))
        for grant, began in zip(running.grants, running.since, strict=True)
    )


def _seat_view(room: AnyRoom, seat: Seat) -> SeatView | None:
    taken = room.seats[seat]
    if taken is None:
        return None
    timeout = room.table.disconnect_timeout if room.phase is Phase.PLAYING else 0
    return SeatView(
        name=taken.name,
        bot=taken.bot,
        disconnected=taken.disconnected_at is not None,
        forfeits_at=None
        if taken.disconnected_at is None or not timeout
        else Millis(taken.disconnected_at + timeout * 1000),
        player_entropy=taken.player_entropy.hex(),
        sees_hidden=taken.sees_hidden,
        reserved=taken.reserved,
        disconnected_at=taken.disconnected_at,
        bot_account=taken.bot_account,
    )
