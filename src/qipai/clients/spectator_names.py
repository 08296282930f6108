"""Who looks on at a table, for dialects that call watchers by their names."""

from qipai.hall.connections.connection import Connection
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR

from .legacy_messages import SpectatorNames


def names(live: LiveRoom, newcomer: Connection | None = None) -> tuple[str, ...]:
    """Return the names of all who look on, in the order they came; `newcomer` is about to."""
    watching = [connection.name for connection, viewer in live.members.items() if viewer == SPECTATOR]
    watching += [place.name for place in live.remote_members.values() if place.viewer == SPECTATOR]
    if newcomer is not None and newcomer not in live.members:
        watching.append(newcomer.name)
    return tuple(watching)


def gather(live: LiveRoom, came: str = "", gone: str = "", skip: Connection | None = None) -> None:
    """Tell everybody who wants to know that the watchers are others than before."""
    notice = SpectatorNames(live.durable.id, names(live), came, gone)
    for connection in live.members:
        if connection is not skip and connection.dialect.encoding_key is None:
            connection.send_notice(notice)
