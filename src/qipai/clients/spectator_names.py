"""Who looks on at a table, for dialects that call watchers by their names."""

from qipai.hall.connections.connection import Connection
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR

from .legacy_messages import SpectatorNames


def names(box: LiveRoom, newcomer: Connection | None = None) -> tuple[str, ...]:
    """Return the names of all who look on, in the order they came; `newcomer` is about to."""
    watching = [peer.name for peer, viewer in box.members.items() if viewer == SPECTATOR]
    watching += [place.name for place in box.remote_members.values() if place.viewer == SPECTATOR]
    if newcomer is not None and newcomer not in box.members:
        watching.append(newcomer.name)
    return tuple(watching)


def gather(box: LiveRoom, came: str = "", gone: str = "", skip: Connection | None = None) -> None:
    """Tell everybody who wants to know that the watchers are others than before."""
    notice = SpectatorNames(box.durable.id, names(box), came, gone)
    for peer in box.members:
        if peer is not skip and peer.dialect.encoding_key is None:
            peer.tell(notice)
