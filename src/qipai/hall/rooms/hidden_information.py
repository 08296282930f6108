"""Clients that must receive hidden information: where they may sit, and who must know of it."""

from qipai.hall.connections.connection import Connection
from qipai.kernel.room import AnyRoom
from qipai.kernel.seats import seat_of

from .live_room import LiveRoom


def is_refused(live: LiveRoom, connection: Connection) -> bool:
    """Tell whether the client would receive what the table hides, and the host has not allowed that.

    In a room of an older client the host chooses the options when the game starts.
    """
    room = live.latest
    return (
        connection.dialect.sees_hidden
        and not room.table.sees_hidden_allowed
        and not room.table.legacy.host_starts
        and live.rules.hidden(room.options)
    )


def must_accept(live: LiveRoom, connection: Connection) -> bool:
    """Tell whether the player would take a new seat where others may see what is hidden."""
    room = live.latest
    assert connection.person is not None
    return (
        others_may_see(live, room)
        and not connection.dialect.sees_hidden
        and seat_of(room.seats, connection.person) is None
    )


def others_may_see(live: LiveRoom, room: AnyRoom) -> bool:
    """Tell whether a client in the room receives what others do not see, or may come to.

    The host of a room of an older client may choose to hide information in every game.
    """
    informed = room.table.sees_hidden_allowed or any(
        taken is not None and taken.sees_hidden for taken in room.seats
    )
    return informed and (room.table.legacy.host_starts or live.rules.hidden(room.options))
