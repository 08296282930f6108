"""Builds the replay of a match directly from its rooms and rules; one from the archive must equal it."""

from qipai.games.game import Game
from qipai.hall.history.match_extraction import Match
from qipai.hall.journal.room_rebuilding import encode
from qipai.kernel.game_interface.rules_interface import AddressedEvent, Event
from qipai.kernel.ids import SEATS, SPECTATOR, Seat
from qipai.kernel.randomness import commitment
from qipai.kernel.room import Advanced, AnyRoom
from qipai.kernel.room_events import Said
from qipai.kernel.room_view import clock_view, seats_to_act
from qipai.kernel.view_values import OutcomeView, table_rules_view
from qipai.protocol.replay_json import Frame, Replay

ALL_VISIBLE = "all"
SPECTATORS = "watch"


def viewpoints(game: Game, room: AnyRoom) -> tuple[str, ...]:
    """Return the viewpoints of the replays of a game, the default one first."""
    if not game.rules.hidden(room.options):
        return (SPECTATORS,)
    return (ALL_VISIBLE, SPECTATORS, *(str(seat) for seat in range(game.rules.seats)))


def live_replay(match: Match, viewpoint: str) -> bytes:
    """Return the JSON of a `Replay` from a viewpoint."""
    began, ended, game = match.began, match.ended, match.game
    assert ended.result is not None
    frames = [_frame(game, each.step, viewpoint) for each in match.steps]
    # Player entropy enters only the first game of a room.
    has_player_entropy = ended.match == 1
    replay = Replay(
        game=ended.game,
        rules=game.rules_number,
        room=ended.id,
        match=ended.match,
        options=ended.options,
        table=table_rules_view(ended.table),
        names=tuple("" if seat is None else seat.name for seat in began.seats),
        bots=tuple("" if seat is None else seat.bot for seat in began.seats),
        bot_accounts=tuple(
            Seat(at) for at, seat in enumerate(began.seats) if seat is not None and seat.bot_account
        ),
        player_entropy=tuple(
            seat.player_entropy.hex() if seat is not None and has_player_entropy else ""
            for seat in began.seats
        ),
        result=OutcomeView(ended.result.winners, ended.result.reason),
        commitment=commitment(ended.seed),
        seed=ended.seed.hex(),
        began=began.at,
        seat=viewpoint,
        seats=viewpoints(game, ended),
        frames=tuple(frame for frame in frames if frame is not None),
    )
    return encode(replay)


def _frame(game: Game, step: Advanced, viewpoint: str) -> Frame | None:
    """Return a step as seen from a viewpoint; None for a step that is only chat."""
    addressed = [each for each in step.events if not isinstance(each.event, Said)]
    if step.events and not addressed:
        return None
    room, rules = step.room, game.rules
    viewer = SEATS[int(viewpoint)] if viewpoint.isdigit() else SPECTATOR
    all_visible = viewpoint == ALL_VISIBLE
    over = room.result is not None or all_visible
    return Frame(
        version=room.version,
        at=room.at,
        actor=step.actor if step.actor >= 0 else None,
        events=tuple(each.event for each in addressed if _is_visible(each, None if all_visible else viewer)),
        position=rules.view(room.state, viewer, over=over),
        to_act=seats_to_act(rules, room),
        clock=clock_view(room, room.at),
    )


def _is_visible(addressed: AddressedEvent, viewer: Seat | None) -> bool:
    """Tell whether a viewer received an event; without a viewer, whether the seat that it is about did."""
    if addressed.to is None:
        return True
    if viewer is not None:
        return viewer in addressed.to
    return _subject(addressed.event) in addressed.to


def _subject(event: Event) -> Seat:
    """Return the seat that an event is about, or `SPECTATOR` for none."""
    seat = getattr(event, "seat", None)
    return SPECTATOR if seat is None else Seat(seat)
