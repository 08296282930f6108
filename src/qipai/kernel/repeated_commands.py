"""Nonces: recognise a command that is sent twice, so that it is done once."""

from typing import Any, Final

from .commands import Command, Say
from .ids import Nonce, Seat
from .room import AnyRoom

NONCES_KEPT: Final = 8
"""How many nonces of a seat's last commands are kept to recognise a repeated command."""


def stored_nonce(actor: Seat, command: Command, nonce: Nonce) -> Nonce:
    """Return the nonce as the room stores it."""
    if actor >= 0 or not nonce:
        return nonce
    # Spectators and the system share a slot: the name keeps their nonces apart.
    return Nonce(f"{nonce} {command.name}" if isinstance(command, Say) else f"{nonce}\n")


def is_repeated(room: AnyRoom, actor: Seat, stored: Nonce) -> bool:
    """Tell whether the actor has sent a command with this nonce before."""
    slot = actor if actor >= 0 else len(room.seats)
    return slot < len(room.nonces) and stored in room.nonces[slot]


def remember(room: AnyRoom, actor: Seat, stored: Nonce, changes: dict[str, Any]) -> None:
    """Write the nonce of a command that took effect into the changes."""
    slot = actor if actor >= 0 else len(room.seats)
    nonces = list(changes.get("nonces", room.nonces))
    nonces[slot] = (*nonces[slot][1 - NONCES_KEPT :], stored)
    changes["nonces"] = tuple(nonces)
