"""Makes the archived match of a finished match, while the rules it was played by are at hand."""

from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from typing import Any, Final

import msgspec

from qipai.games.game import Game
from qipai.hall.journal.record_format import PlayRecord
from qipai.hall.journal.room_rebuilding import encode, read_record
from qipai.hall.journal.snapshot_format import encode_snapshot
from qipai.hall.journal.store_interface import Entry
from qipai.kernel.game_interface.rules_interface import AddressedEvent, Event, Outcome
from qipai.kernel.ids import SEATS, SPECTATOR, Seat
from qipai.kernel.room import Advanced, AnyRoom
from qipai.kernel.room_events import GameStarted, Said
from qipai.kernel.room_view import clock_view, seats_to_act
from qipai.kernel.seats import TakenSeat, is_human
from qipai.kernel.view_values import table_rules_view

from .archived_match import (
    ALL_VISIBLE,
    FORMAT,
    SPECTATORS,
    ArchivedEvent,
    ArchivedMatch,
    ArchivedSeat,
    ArchivedStep,
    PositionChange,
)
from .match_extraction import Match, MatchStep, read_matches
from .notation_export import write_notation
from .position_patches import Patch, make_patch
from .record_numbers import other_rules

_decode: Final = msgspec.json.Decoder().decode
_NO_POSITION: Final = b"null"


LeftOut = Callable[[int, str], None]
"""Called with the number of a match that is not archived, and why."""


def archive_matches(games: Mapping[str, Game], history: Sequence[Entry]) -> Iterator[ArchivedMatch]:
    """Yield every finished match of a room, or raise `JournalError` where its journal cannot be replayed."""
    return new_matches(games, history, ())


def new_matches(
    games: Mapping[str, Game],
    history: Sequence[Entry],
    known: Container[int],
    left_out: LeftOut | None = None,
) -> Iterator[ArchivedMatch]:
    """Yield the finished matches whose numbers are not known, without those that may not be as shown."""
    for match, cause in checked_matches(games, history):
        if match.ended.match in known:
            continue
        if not cause:
            yield archive_match(match)
        elif left_out is not None:
            left_out(match.ended.match, cause)


def checked_matches(
    games: Mapping[str, Game], history: Sequence[Entry], snapshot: bytes = b"", start: AnyRoom | None = None
) -> Iterator[tuple[Match, str]]:
    """Yield every finished match, and why it may differ from what was shown; an empty text if it does not.

    The present rules may give other events and another result than the rules that a match was played by. The
    match after it starts from its state, and is as it was shown if it ends as in the snapshot of the room.
    With `start`, the history has only the records after that room.
    """
    cause = ""
    for match in read_matches(games, history, start):
        game = match.game
        written = other_rules(game, [each.entry for each in match.steps])
        present = f"this server has rules {game.rules_number}"
        if written is not None:
            cause = f"played by rules {written} of {game.name}, {present}"
        elif cause and encode_snapshot(match.ended, game.rules_number) != snapshot:
            cause = f"follows a match that was played by other rules of {game.name}, {present}"
        else:
            cause = ""
        yield match, cause


def archive_match(match: Match, shown: Sequence[str] | None = None) -> ArchivedMatch:
    """Return the archived match of a match, with positions for all viewpoints or only for those `shown`."""
    began, ended, game = match.began, match.ended, match.game
    outcome = ended.result
    assert outcome is not None
    names = viewpoints(match)
    positions = _Positions(game, names, names if shown is None else shown)
    return ArchivedMatch(
        format=FORMAT,
        rules=read_record(match.steps[-1].entry).rules,
        room=ended.id,
        match=ended.match,
        game=ended.game,
        title=ended.table.title,
        public=ended.table.public,
        options=_plain(ended.options),
        table=_plain(table_rules_view(ended.table)),
        # As of the start: a player who left before the end has no seat any more.
        seats=tuple(None if seat is None else _seat(seat, ended.match) for seat in began.seats),
        persons=_persons(match),
        winners=outcome.winners,
        reason=outcome.reason,
        commitment=_commitment(match.steps[0].step),
        seed=ended.seed.hex(),
        began=began.at,
        ended=ended.at,
        moves=sum(isinstance(read_record(each.entry), PlayRecord) for each in match.steps[1:]),
        record=write_notation(match),
        record_suffix=game.record_suffix,
        viewpoints=names,
        steps=tuple(_steps(match, positions)),
        category=game.rating_category(ended.options, ended.table.clock),
        ranks=_ranks(match, outcome),
        seat_moves=_seat_moves(match),
        twist=game.twist(ended.options),
    )


def viewpoints(match: Match) -> tuple[str, ...]:
    """Return the viewpoints of the replays of a match, the default one first."""
    rules = match.game.rules
    if not rules.hidden(match.ended.options):
        return (SPECTATORS,)
    return (ALL_VISIBLE, SPECTATORS, *(str(seat) for seat in range(rules.seats)))


class _Positions:
    """The positions of each viewpoint, step by step, as patches; equal patches are kept once."""

    def __init__(self, game: Game, viewpoints: Sequence[str], shown: Sequence[str]) -> None:
        self._rules = game.rules
        self._viewpoints = [(index, name) for index, name in enumerate(viewpoints) if name in shown]
        self._texts = [_NO_POSITION] * len(viewpoints)
        self._values: list[Any] = [None] * len(viewpoints)

    def changes(self, room: AnyRoom) -> tuple[PositionChange, ...]:
        """Return what the positions of this room change."""
        found: dict[bytes, tuple[Patch, list[int]]] = {}
        for index, name in self._viewpoints:
            viewer = SEATS[int(name)] if name.isdigit() else SPECTATOR
            over = room.result is not None or name == ALL_VISIBLE
            text = encode(self._rules.view(room.state, viewer, over=over))
            if text == self._texts[index]:
                continue
            value = _decode(text)
            patch = make_patch(self._values[index], value)
            assert patch is not None
            self._texts[index], self._values[index] = text, value
            found.setdefault(encode(patch), (patch, []))[1].append(index)
        return tuple(PositionChange(tuple(indexes), patch) for patch, indexes in found.values())


def _steps(match: Match, positions: _Positions) -> Iterator[ArchivedStep]:
    for match_step in match.steps:
        events = [each for each in match_step.step.events if not isinstance(each.event, Said)]
        if events or not match_step.step.events:  # A step that is only chat is left out.
            yield _step(match.game, match_step, events, positions)


def _step(
    game: Game, match_step: MatchStep, events: Sequence[AddressedEvent], positions: _Positions
) -> ArchivedStep:
    room, actor = match_step.step.room, match_step.step.actor
    public = [each.event for each in events if each.to is None or SPECTATOR in each.to]
    return ArchivedStep(
        version=room.version,
        at=room.at,
        actor=actor if actor >= 0 else None,
        to_act=seats_to_act(game.rules, room),
        clock=_plain(clock_view(room, room.at)),
        events=tuple(ArchivedEvent(_plain(each.event), _shown_to(each)) for each in events),
        positions=positions.changes(room),
        draws=match_step.draws,
        rolls=tuple(line for event in public for line in game.roll_lines(event)),
    )


def _shown_to(addressed: AddressedEvent) -> tuple[str, ...] | None:
    """Return the viewpoints that show an event; the one of all shows what the seat it is about received."""
    if addressed.to is None:
        return None
    names = tuple(SPECTATORS if viewer == SPECTATOR else str(viewer) for viewer in addressed.to)
    return (ALL_VISIBLE, *names) if _subject(addressed.event) in addressed.to else names


def _subject(event: Event) -> Seat:
    """Return the seat that an event is about, or `SPECTATOR` for none."""
    seat = getattr(event, "seat", None)
    return SPECTATOR if seat is None else Seat(seat)


def _seat(seat: TakenSeat, match: int) -> ArchivedSeat:
    # Player entropy enters only the first game of a room.
    player_entropy = seat.player_entropy.hex() if match == 1 else ""
    return ArchivedSeat(seat.person, seat.name, seat.bot, player_entropy, seat.bot_account)


def _ranks(match: Match, outcome: Outcome) -> tuple[int, ...]:
    """Return the place of each seat: winners, then by points, then those who left.

    A bot that plays for somebody who left may have the most points.
    """
    seats = range(len(match.began.seats))
    if not outcome.winners:
        return (1,) * len(seats)
    points = [0] * len(seats)
    for match_step in match.steps:
        for each in match_step.step.events:
            for seat, gained in enumerate(match.game.points(each.event) or ()):
                points[seat] += gained
    places = []
    for seat in seats:
        left = len(seats) > 2 and _has_left(match, Seat(seat))
        won = seat in outcome.winners  # Winners share the first place.
        places.append((left, not won, 0 if won else -points[seat]))
    return tuple(1 + sum(other < place for other in places) for place in places)


def _has_left(match: Match, seat: Seat) -> bool:
    """Tell whether the person who began in a seat resigned, or was not there at the end."""
    began, ended, outcome = match.began.seats[seat], match.ended.seats[seat], match.ended.result
    if began is None or ended is None or ended.person != began.person or ended.bot:
        return True
    assert outcome is not None
    # Who was away for too long still has the seat. Others may be disconnected at that moment, and come back.
    timeout = match.ended.table.disconnect_timeout * 1000
    since = ended.disconnected_at if outcome.reason == "left" and timeout else None
    away = since is not None and since + timeout <= match.ended.at
    return away or (outcome.reason == "resigned" and match.steps[-1].step.actor == seat)


def _seat_moves(match: Match) -> tuple[int, ...]:
    moves = [0] * len(match.began.seats)
    for each in match.steps[1:]:
        if each.step.actor >= 0 and isinstance(read_record(each.entry), PlayRecord):
            moves[each.step.actor] += 1
    return tuple(moves)


def _persons(match: Match) -> tuple[str, ...]:
    """Return everybody who held a seat, in the order in which they took it."""
    persons: dict[str, None] = {}
    for match_step in match.steps:
        for seat in match_step.step.room.seats:
            if seat is not None and is_human(seat):
                persons[seat.person] = None
    return tuple(persons)


def _commitment(start: Advanced) -> str:
    """Return the commitment that the players were shown."""
    return next(each.event.commitment for each in start.events if isinstance(each.event, GameStarted))


def _plain(value: Any) -> Any:
    """Return a value as plain JSON values."""
    return _decode(encode(value))
