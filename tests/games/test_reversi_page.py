"""The page's part of Reversi: events lead to the same positions and discs as the views of the server."""

import json
import subprocess
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest

from qipai.kernel.ids import Seat
from qipai.kernel.randomness import Random
from qipai_reversi.rules import RULES, State, first_state
from tests.socketio.client_programs import node

POSITION: Final = Path(__file__).parents[2] / "examples" / "reversi" / "qipai_reversi" / "web" / "position.js"
PROGRAM: Final = """
import { countDiscs, discsAfter, hasPassed, reduce } from %s;
const { first, steps } = JSON.parse(await new Response(process.stdin).text());
let position = first;
console.log(JSON.stringify(steps.map((events) => {
  position = events.reduce(reduce, position);
  const discs = Array.from(discsAfter(position, position.moves.length), (disc) => disc ?? null);
  const counts = [0, 1].map((seat) => countDiscs(position, seat));
  return { position, discs, counts, passed: hasPassed(position) };
})));
"""


def played(empty_start: bool, number: int) -> tuple[State, list[State], list[list[Any]]]:
    """Return a random game: its first state, the later ones, and the events of each move."""
    random, first = Random(bytes([number]) * 32), first_state(Seat(number % 2), empty_start=empty_start)
    state, states, events = first, [], []
    while acting := RULES.to_act(state):
        legal = RULES.legal(state, acting[0])
        result = RULES.play(state, acting[0], legal[random.below(len(legal))], random)
        state = result.state
        states.append(state)
        events.append([msgspec.to_builtins(each.event) for each in result.events])
    return first, states, events


@pytest.mark.slow
@pytest.mark.parametrize("empty_start", [False, True])
def test_events_lead_to_the_views_of_the_server(empty_start: bool) -> None:
    for number in range(6):
        first, states, events = played(empty_start, number)
        given = {"first": msgspec.to_builtins(RULES.view(first, Seat(0))), "steps": events}
        done = subprocess.run(
            [node(), "--input-type=module", "--eval", PROGRAM % json.dumps(POSITION.as_uri())],
            input=json.dumps(given),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        for state, shown in zip(states, json.loads(done.stdout), strict=True):
            assert shown["position"] == json.loads(msgspec.json.encode(RULES.view(state, Seat(0))))
            black, white = state.boards
            assert shown["discs"] == [
                "black" if black >> square & 1 else "white" if white >> square & 1 else None
                for square in range(64)
            ]
            counts = [black.bit_count(), white.bit_count()]
            assert shown["counts"] == (counts if state.black == 0 else counts[::-1])
            assert shown["passed"] == (bool(state.legal) and state.turn == state.moves[-1].seat)
