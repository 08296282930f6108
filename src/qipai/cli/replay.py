"""`qipai replay`: prints every step of a room from its journal."""

from datetime import UTC, datetime

from msgspec.structs import replace

from qipai.hall.journal.room_rebuilding import encode, read_record
from qipai.kernel.ids import NO_NONCE, SYSTEM, Seat
from qipai.settings import Settings

from .journal_reader import find_room, replay_steps


def replay(settings: Settings, room: str) -> int:
    """Print the version, time, actor, command and events of every step."""
    entries = find_room(settings, room).entries
    for entry, step in zip(entries, replay_steps(entries), strict=True):
        # The entropy may be the seed of a running game.
        record = replace(read_record(entry), nonce=NO_NONCE, entropy=b"")
        at = datetime.fromtimestamp(entry.at / 1000, UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]
        print(f"{entry.version:5}  {at}  {_actor_name(step.actor):9} {encode(record).decode()}")
        for addressed in step.events:
            seats = "" if addressed.to is None else f" (to {', '.join(map(str, addressed.to))})"
            print(f"{'':44}→ {encode(addressed.event).decode()}{seats}")
    return 0


def _actor_name(actor: Seat) -> str:
    if actor == SYSTEM:
        return "system"
    return "spectator" if actor < 0 else f"seat {actor}"
