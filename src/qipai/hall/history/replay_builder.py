"""A finished game frame by frame, as one of its viewers saw it or with nothing hidden."""

from collections.abc import Mapping
from typing import Final

from qipai.games.game_registry import Game
from qipai.hall.journal.room_rebuilding import encode
from qipai.kernel.game_interface.rules_interface import AddressedEvent, Event
from qipai.kernel.ids import SEATS, SPECTATOR, Seat
from qipai.kernel.randomness import commitment
from qipai.kernel.room import Advanced, AnyRoom
from qipai.kernel.room_events import Said
from qipai.kernel.room_view import clock_view, seats_to_act
from qipai.protocol.replay_json import Frame, Replay

from .match_extraction import Match

ALL: Final = "all"
WATCH: Final = "watch"
LONGEST: Final = 48 * 1024 * 1024
"""Bytes of frames that a replay has at the most; sixteen rounds of mahjong have about a tenth."""


class ReplayTooLong(Exception):
    """Nobody could look at so long a game."""


def viewpoint(game: Game, room: AnyRoom) -> tuple[str, ...]:
    """Return through whose eyes a game can be seen again, the usual ones first."""
    if not game.rules.hidden(room.options):
        return (WATCH,)
    return (ALL, WATCH, *(str(seat) for seat in range(game.rules.seats)))


def replay(games: Mapping[str, Game], match: Match, seat: str) -> bytes:
    """Return the JSON of a `Replay` through these eyes, or raise `TooLong`."""
    began, ended = match.began, match.ended
    game = games[ended.game]
    assert ended.result is not None
    frames: list[bytes] = []
    size = 0
    for _, step in match.steps:
        if (frame := _frame(game, step, seat)) is not None:
            frames.append(encode(frame))
            size += len(frames[-1])
            if size > LONGEST:
                raise ReplayTooLong
    lucky = ended.match == 1
    whole = Replay(
        game=ended.game,
        room=ended.id,
        match=ended.match,
        options=ended.options,
        table=ended.table,
        names=tuple("" if taken is None else taken.name for taken in began.seats),
        bots=tuple("" if taken is None else taken.bot for taken in began.seats),
        # What players add counts for the first game at a table.
        player_entropy=tuple(
            taken.player_entropy.hex() if taken is not None and lucky else "" for taken in began.seats
        ),
        result=ended.result,
        commitment=commitment(ended.seed),
        seed=ended.seed.hex(),
        began=began.at,
        seat=seat,
        seats=viewpoint(game, ended),
        frames=(),
    )
    # Its frames come last, and have been written already.
    return encode(whole).removesuffix(b"]}") + b",".join(frames) + b"]}"


def _frame(game: Game, step: Advanced, seat: str) -> Frame | None:
    """Return what a step was to these eyes; None if it was only talk."""
    told = [told for told in step.events if not isinstance(told.event, Said)]
    if step.events and not told:
        return None
    room, rules = step.room, game.rules
    viewer = SEATS[int(seat)] if seat.isdigit() else SPECTATOR
    over = room.result is not None or seat == ALL
    return Frame(
        version=room.version,
        at=room.at,
        actor=step.actor if step.actor >= 0 else None,
        events=tuple(each.event for each in told if _seen(each, None if seat == ALL else viewer)),
        position=rules.view(room.state, viewer, over=over),
        to_act=seats_to_act(rules, room),
        clock=clock_view(room, room.at),
    )


def _seen(told: AddressedEvent, viewer: Seat | None) -> bool:
    """Tell whether a viewer was told this; without one, whether this is the way its own seat was told it."""
    if told.to is None:
        return True
    if viewer is not None:
        return viewer in told.to
    return _seat(told.event) in told.to


def _seat(event: Event) -> Seat:
    """Return whom an event is about; watchers stand for nobody in particular."""
    seat = getattr(event, "seat", None)
    return SPECTATOR if seat is None else Seat(seat)
