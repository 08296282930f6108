"""Tells a table how many look on; who they are is nobody's business."""

import asyncio
from collections.abc import Callable, Hashable, Sequence

from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import RoomId
from qipai.protocol.notices import SpectatorCount


class SpectatorCounter:
    """Everybody at a table hears soon how many watch it now, once for all who came and went together."""

    def __init__(self, executor: CommandExecutor, pause: Callable[[int], float]) -> None:
        self._executor = executor
        self._pause = pause
        self._told: dict[RoomId, int] = {}
        self._timers: dict[RoomId, asyncio.TimerHandle] = {}
        # A watcher may sit down, and a table be forgotten.
        executor.room_listeners.append(lambda live, _: self.touch(live))

    def touch(self, live: LiveRoom) -> None:
        """Look soon whether there are more or fewer watchers than were told."""
        room = live.durable.id
        if room not in self._timers and live.spectators != self._told.get(room, 0):
            later = asyncio.get_running_loop().call_later
            self._timers[room] = later(self._pause(len(live.members)), self._tell, room)

    def close(self) -> None:
        """Tell nothing more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _tell(self, room: RoomId) -> None:
        del self._timers[room]
        live = self._executor.live_rooms.get(room)
        now = 0 if live is None else live.spectators
        if now == self._told.get(room, 0):
            return
        if now:
            self._told[room] = now
        else:
            del self._told[room]
        notice = SpectatorCount(room, now)
        spoken: dict[Hashable, Sequence[bytes]] = {}
        for connection in () if live is None else live.members:
            voice = connection.dialect.encoding_key
            frames = None if voice is None else spoken.get(voice)
            if frames is None:
                frames = spoken[voice] = connection.dialect.encode(notice)
            for frame in frames:
                connection.outbox.send(frame)
