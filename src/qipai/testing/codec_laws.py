"""Moves, options, views, events and records of a game survive the way over the wire and to the disk."""

from datetime import date
from typing import Final, get_args

import msgspec
import pytest

from qipai.hall.journal.room_rebuilding import encode
from qipai.kernel.codec import MAX_FRAME, Malformed
from qipai.kernel.commands import Play
from qipai.kernel.game_interface.game_headers import GameHeaders
from qipai.kernel.ids import SPECTATOR
from qipai.kernel.room import Advanced, Phase
from qipai.kernel.room_events import RoomEvent

from .law import Law, over
from .runs import Run, runs
from .subject import Subject

_ROOM_EVENTS: Final = get_args(RoomEvent)


def _check_moves(run: Run) -> None:
    game = run.subject.game
    for run_step in run.run_steps:
        if isinstance(run_step.command, Play):
            body = encode(run_step.command.move)
            assert len(body) < MAX_FRAME
            if isinstance(run_step.result, Advanced):
                assert game.decode_move(body) == run_step.command.move
                assert game.read_move(msgspec.json.decode(body), game.rules_number) == run_step.command.move


def _check_views(run: Run) -> None:
    game = run.subject.game
    for room in run.rooms:
        if room.state is None:
            continue
        for viewer in run.subject.viewers:
            shown = game.rules.view(room.state, viewer, over=room.phase is Phase.OVER)
            assert msgspec.json.decode(encode(shown), type=type(shown)) == shown


def _check_events(run: Run) -> None:
    own = msgspec.json.Decoder(run.subject.game.events)
    for run_step in run.run_steps:
        if isinstance(run_step.result, Advanced):
            for addressed in run_step.result.events:
                if not isinstance(addressed.event, _ROOM_EVENTS):
                    assert own.decode(encode(addressed.event)) == addressed.event


def _check_options(subject: Subject) -> None:
    game = subject.game
    for options in subject.options:
        assert game.read_options(msgspec.to_builtins(options), game.rules_number) == options
    assert game.read_chosen_options(None) == game.read_options({}, game.rules_number)
    with pytest.raises(Malformed):
        game.read_chosen_options({"no_such_option": True})
    with pytest.raises(Malformed):
        game.read_move({"do": "no such move"}, game.rules_number)


def _check_records(run: Run) -> None:
    game = run.subject.game
    assert game.write_record is not None
    for room in run.rooms:
        if room.phase is Phase.OVER and room.state is not None:
            names = tuple("" if seat is None else seat.name for seat in room.seats)
            headers = GameHeaders(names, room.options, room.result, date(2026, 1, 3), 'The "club"')
            text = game.write_record(game.rules.view(room.state, SPECTATOR, over=True), headers)
            assert text.endswith("\n")
            assert all(name in text for name in names)


CODEC_LAWS: Final = (
    Law("a legal move survives the wire", over(runs, 40)(_check_moves)),
    Law("a view survives the wire", over(runs, 40)(_check_views)),
    Law("an event survives the wire", over(runs, 40)(_check_events)),
    Law("options survive the wire, and unknown options and moves are refused", _check_options),
    Law(
        "every finished game has a record with its players",
        over(runs, 40)(_check_records),
        lambda subject: subject.game.write_record is not None,
    ),
)
