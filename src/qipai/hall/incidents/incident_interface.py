"""An incident as it is kept: where the code failed, and a failed command that can be replayed.

Nothing in it is personal. The text of an exception may quote a name, a path or a password, so it is not kept.
"""

from collections.abc import Callable
from hashlib import sha256
from typing import Final

from msgspec import Raw, Struct

from qipai.kernel.ids import Millis

FORMAT: Final = 1


class Fault(Struct, frozen=True):
    """An exception without its text: its class, and its calls as `module:line function`, innermost last."""

    kind: str
    calls: tuple[str, ...]


class FailedCommand(Struct, frozen=True, omit_defaults=True):
    """A command that failed: its journal record, the room before it, and the time, with placeholders.

    `replays`: with the placeholders, the command fails in the same place. `text`: what is raised then.
    """

    game: str
    now: Millis
    record: Raw
    snapshot: Raw
    replays: bool
    text: str = ""


class KeptIncident(Struct, frozen=True, omit_defaults=True):
    """An incident; `faults` are the exception and its causes. `server`: the version that failed."""

    format: int
    incident: str
    at: Millis
    server: str
    event: str
    faults: tuple[Fault, ...]
    command: FailedCommand | None = None


KeepIncident = Callable[[KeptIncident], object]
"""Keeps an incident for the operator; it must not wait for a disk."""


def keep_nothing(_: KeptIncident) -> None:
    """Keep no incident."""


def fingerprint(faults: tuple[Fault, ...]) -> str:
    """Return a short text that is the same for failures in the same place."""
    lines = [line for fault in faults for line in (fault.kind, *fault.calls)]
    return sha256("\n".join(lines).encode()).hexdigest()[:8]
