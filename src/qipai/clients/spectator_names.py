"""Names of the spectators of a room, for clients that list them."""

from qipai.hall.connections.connection import Connection
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR

from .legacy_messages import SpectatorNames


def spectator_names(live: LiveRoom, arriving: Connection | None = None) -> tuple[str, ...]:
    """Return the names of all spectators in order of arrival; `arriving` is about to be one."""
    names = [connection.name for connection, viewer in live.members.items() if viewer == SPECTATOR]
    names += [member.name for member in live.remote_members.values() if member.viewer == SPECTATOR]
    if arriving is not None and arriving not in live.members:
        names.append(arriving.name)
    return tuple(names)


def send_spectator_names(
    live: LiveRoom, joined: str = "", left: str = "", skip: Connection | None = None
) -> None:
    """Send the spectators to all members whose dialect has a state of its own, except `skip`."""
    notice = SpectatorNames(live.durable.id, spectator_names(live), joined, left)
    for connection in live.members:
        if connection is not skip and connection.dialect.encoding_key is None:
            connection.send_notice(notice)
