"""Tells a table how many look on; who they are is nobody's business."""

import asyncio
from collections.abc import Callable, Hashable, Sequence

from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import RoomId
from qipai.protocol.notices import SpectatorCount


class SpectatorCounter:
    """Everybody at a table hears soon how many watch it now, once for all who came and went together."""

    def __init__(self, host: CommandExecutor, pause: Callable[[int], float]) -> None:
        self._host = host
        self._pause = pause
        self._told: dict[RoomId, int] = {}
        self._timers: dict[RoomId, asyncio.TimerHandle] = {}
        # A watcher may sit down, and a table be forgotten.
        host.changed.append(lambda box, _: self.touch(box))

    def touch(self, box: LiveRoom) -> None:
        """Look soon whether there are more or fewer watchers than were told."""
        room = box.durable.id
        if room not in self._timers and box.spectators != self._told.get(room, 0):
            later = asyncio.get_running_loop().call_later
            self._timers[room] = later(self._pause(len(box.members)), self._tell, room)

    def close(self) -> None:
        """Tell nothing more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _tell(self, room: RoomId) -> None:
        del self._timers[room]
        box = self._host.live_rooms.get(room)
        now = 0 if box is None else box.spectators
        if now == self._told.get(room, 0):
            return
        if now:
            self._told[room] = now
        else:
            del self._told[room]
        notice = SpectatorCount(room, now)
        spoken: dict[Hashable, Sequence[bytes]] = {}
        for peer in () if box is None else box.members:
            voice = peer.dialect.encoding_key
            frames = None if voice is None else spoken.get(voice)
            if frames is None:
                frames = spoken[voice] = peer.dialect.encode(notice)
            for frame in frames:
                peer.outbox.send(frame)
