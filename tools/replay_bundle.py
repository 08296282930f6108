"""Replays the incidents of a problem bundle: `python -m tools.replay_bundle problem.json`."""

import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from qipai.cli.bundle.problem_bundle import ProblemBundle
from qipai.games.game import Game
from qipai.games.game_registry import GAMES
from qipai.hall.incidents.failed_commands import replay, replays
from qipai.hall.incidents.incident_interface import KeptIncident
from qipai.kernel.codec import Malformed


def replayed(file: Path, games: Mapping[str, Game]) -> Iterator[str]:
    """Yield a line for each incident of a bundle."""
    for incident in msgspec.json.decode(file.read_bytes(), type=ProblemBundle).incidents:
        yield f"{incident.incident} {incident.event}: {_outcome(incident, games)}"


def _outcome(incident: KeptIncident, games: Mapping[str, Game]) -> str:
    command = incident.command
    if command is None:
        return f"no record, {incident.faults[0].kind} in {incident.faults[0].calls[-1:]}"
    if command.game not in games:
        return f"game {command.game} is not installed"
    game = games[command.game]
    try:
        raised = replay(game, command)
        if raised is None:
            return "does not fail here"
        return f"{'replays' if replays(game, incident) else 'fails in another place'}: {raised.text}"
    except Malformed as error:
        return f"cannot be read here: {error}"


if __name__ == "__main__":
    for line in replayed(Path(sys.argv[1]), GAMES):
        print(line)
