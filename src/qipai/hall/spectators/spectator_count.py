"""Sends the spectator count of a room to its members."""

import asyncio
from collections.abc import Callable

from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import RoomId
from qipai.protocol.notices import SpectatorCount


class SpectatorCounter:
    """Sends each changed count once per interval, so that many arrivals cost one notice."""

    def __init__(self, executor: CommandExecutor, interval: Callable[[int], float]) -> None:
        self._executor = executor
        self._interval = interval
        self._sent: dict[RoomId, int] = {}
        self._timers: dict[RoomId, asyncio.TimerHandle] = {}
        # A spectator may take a seat, and a room may be closed.
        executor.room_listeners.append(lambda live, _: self.schedule(live))

    def schedule(self, live: LiveRoom) -> None:
        """Send the count after the interval if it differs from the last one sent."""
        room = live.durable.id
        if room not in self._timers and live.spectators != self._sent.get(room, 0):
            later = asyncio.get_running_loop().call_later
            self._timers[room] = later(self._interval(len(live.members)), self._send, room)

    def close(self) -> None:
        """Send nothing more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _send(self, room: RoomId) -> None:
        del self._timers[room]
        live = self._executor.live_rooms.get(room)
        count = 0 if live is None else live.spectators
        if count == self._sent.get(room, 0):
            return
        if count:
            self._sent[room] = count
        else:
            del self._sent[room]
        if live is not None:
            self._executor.fan_out.send_notice(live.members, SpectatorCount(room, count))
