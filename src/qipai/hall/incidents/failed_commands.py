"""Failed commands as they are kept, and their replay."""

import re
import sys
from typing import Final, NamedTuple

from msgspec import Raw

from qipai.games.game import Game
from qipai.games.game_errors import error_text
from qipai.hall.failure_isolation import FailureIsolation
from qipai.hall.journal.record_conversion import command_of, decode_record, record_of
from qipai.hall.journal.record_format import OpenRoomRecord
from qipai.hall.journal.room_rebuilding import encode
from qipai.hall.journal.snapshot_format import encode_snapshot, read_room
from qipai.kernel.codec import Malformed
from qipai.kernel.commands import Command
from qipai.kernel.ids import Millis, Nonce, Seat
from qipai.kernel.room import AnyRoom
from qipai.kernel.step import step

from .faults import faults_of
from .incident_interface import FailedCommand, Fault, KeptIncident
from .placeholders import Placeholders

_PATH: Final = re.compile(r"(?:[A-Za-z]:)?[/\\][^\s'\"]*")
"""A path names the folder, and often the person, that the server belongs to."""


class Raised(NamedTuple):
    """What a replayed command raised."""

    faults: tuple[Fault, ...]
    text: str


def failed_command(
    game: Game,
    room: AnyRoom,
    actor: Seat,
    command: Command,
    now: Millis,
    entropy: bytes,
    nonce: Nonce,
    faults: tuple[Fault, ...],
) -> FailedCommand:
    """Return a failed command with placeholders, and whether it fails with them in the same place."""
    placeholders = Placeholders()
    room, command = placeholders.in_room(room), placeholders.in_command(command)
    nonce, number = placeholders.nonce(nonce), game.rules_number
    raised = _raised(game, room, actor, command, now, entropy, nonce)
    return FailedCommand(
        game.name,
        now,
        Raw(encode(record_of(command, actor, nonce, entropy, number))),
        Raw(encode_snapshot(room, number)),
        raised is not None and _steps(raised.faults) == _steps(faults),
        # This text was made with placeholders only.
        "" if raised is None else _PATH.sub("PATH", raised.text),
    )


def replay(game: Game, failed: FailedCommand) -> Raised | None:
    """Execute a kept command again and return what it raises; raise `Malformed` if it cannot be read."""
    room, record = read_room(game, bytes(failed.snapshot)), decode_record(bytes(failed.record))
    if isinstance(record, OpenRoomRecord):
        raise Malformed("a room that is opened is no failed command")
    command = command_of(game, record)
    return _raised(game, room, record.actor, command, failed.now, record.entropy, record.nonce)


def replays(game: Game, incident: KeptIncident) -> bool:
    """Tell whether the command of an incident fails here as it did there; or raise `Malformed`."""
    raised = None if incident.command is None else replay(game, incident.command)
    return raised is not None and _steps(raised.faults) == _steps(incident.faults)


def _raised(
    game: Game, room: AnyRoom, actor: Seat, command: Command, now: Millis, entropy: bytes, nonce: Nonce
) -> Raised | None:
    found: list[Raised] = []
    # Called where the first exception is handled, which Python makes the context of the second.
    handled = sys.exception()
    with FailureIsolation(lambda error: found.append(Raised(faults_of(error, handled), error_text(error)))):
        step(game.rules, room, actor, command, now, entropy, nonce)
    return found[0] if found else None


def _steps(faults: tuple[Fault, ...]) -> list[tuple[str, list[str]]]:
    """Return the classes and the calls below `step`, which a replay has in common with the server."""
    return [(fault.kind, list(_below_step(fault.calls))) for fault in faults]


def _below_step(calls: tuple[str, ...]) -> tuple[str, ...]:
    first = next((at for at, call in enumerate(calls) if call.startswith(f"{step.__module__}:")), 0)
    return calls[first:]
