"""Names of the spectators of a room, for clients that list them."""

import asyncio
from itertools import chain, islice
from typing import Final

from qipai.hall.client_interface import HallServices
from qipai.hall.connections.connection import Connection
from qipai.hall.lobby.room_rows import update_interval
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR, RoomId

from .legacy_messages import SpectatorNames

LISTED: Final = 100
"""Spectators of a room that are listed by name; above that nobody is told who joined or left."""


def spectator_names(live: LiveRoom, arriving: Connection | None = None) -> tuple[str, ...]:
    """Return the names of the first spectators in order of arrival; `arriving` is about to be one."""
    here = (connection.name for connection, viewer in live.members.items() if viewer == SPECTATOR)
    remote = (member.name for member in live.remote_members.values() if member.viewer == SPECTATOR)
    new = () if arriving is None or arriving in live.members else (arriving.name,)
    return tuple(islice(chain(here, remote, new), LISTED))


class SpectatorNamesFeed:
    """Sends the names to all members whose dialect has a state of its own.

    Every arrival and departure is sent, up to `LISTED` spectators. Above that the list is sent after an
    interval, because a list for everybody at every arrival would cost the square of the crowd.
    """

    def __init__(self, hall: HallServices) -> None:
        self._executor = hall.executor
        self._timers: dict[RoomId, asyncio.TimerHandle] = {}

    def changed(
        self, live: LiveRoom, joined: str = "", left: str = "", skip: Connection | None = None
    ) -> None:
        """Send the names, except to `skip`: now, or after the interval in a crowd."""
        room = live.durable.id
        if live.spectators <= LISTED:
            self._send(live, SpectatorNames(room, spectator_names(live), joined, left), skip)
        elif room not in self._timers:
            later = asyncio.get_running_loop().call_later
            self._timers[room] = later(update_interval(len(live.members)), self._send_list, room)

    def close(self) -> None:
        """Send nothing more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _send_list(self, room: RoomId) -> None:
        del self._timers[room]
        if (live := self._executor.live_rooms.get(room)) is not None:
            self._send(live, SpectatorNames(room, spectator_names(live)), None)

    def _send(self, live: LiveRoom, notice: SpectatorNames, skip: Connection | None) -> None:
        receivers = [
            connection
            for connection in live.members
            if connection is not skip and connection.dialect.encoding_key is None
        ]
        self._executor.fan_out.send_notice(receivers, notice)
