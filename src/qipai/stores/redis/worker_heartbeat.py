"""Heartbeats of workers in Redis; detects dead workers and outages."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from qipai.hall.journal.store_interface import Now, StoreError
from qipai.kernel.ids import Millis

from .lua_scripts import DEAD_AFTER, HEARTBEAT, script_hash
from .script_replies import HeartbeatReply, read_heartbeat

HEARTBEAT_SECONDS: Final = 0.5

_HEARTBEAT: Final = script_hash(HEARTBEAT)

OnHeartbeat = Callable[[HeartbeatReply, bool], None]
"""Called with each reply, and whether the other workers have counted this one as dead."""


class WorkerHeartbeat:
    """Sends the heartbeats of one worker and follows the clock of Redis.

    `request` sends a command to Redis and calls its first argument with the reply. `status` returns the
    number of persons connected to the worker and its address.
    """

    def __init__(
        self,
        request: Callable[..., None],
        worker: str,
        local_clock: Now,
        status: Callable[[], tuple[int, str]],
        on_heartbeat: OnHeartbeat,
    ) -> None:
        self._request = request
        self._worker = worker
        self._local_clock = local_clock
        self._status = status
        self._on_heartbeat = on_heartbeat
        self._offset = 0
        self._last_now = Millis(0)
        self._last_reply = Millis(0)

    def now(self) -> Millis:
        """Return the time of Redis; it never goes back."""
        self._last_now = Millis(max(self._last_now, self._local_clock() + self._offset))
        return self._last_now

    def set_time(self, time: Millis) -> None:
        """Set the clock before its first use: once ahead, it would stand still until that time."""
        self._offset = time - self._local_clock()

    def send(self) -> None:
        """Send a heartbeat."""
        self._request(
            partial(self._on_reply, self._local_clock()),
            "EVALSHA", _HEARTBEAT, 0, self._worker, *self._status(),
        )  # fmt: skip

    def reconnected(self) -> None:
        """Do not take the time without a connection for a stall of this worker."""
        self._last_reply = Millis(0)

    def _on_reply(self, sent: Millis, reply: Any) -> None:
        if isinstance(reply, StoreError):
            return
        heartbeat = read_heartbeat(self._worker, reply)
        received = self._local_clock()
        offset = heartbeat.time - (sent + received) // 2
        # The measured offset is exact to half of the round-trip time.
        if abs(offset - self._offset) > (received - sent) // 2 + 1:
            self._offset = offset
        stalled = bool(self._last_reply) and heartbeat.time - self._last_reply >= DEAD_AFTER
        self._last_reply = heartbeat.time
        self._on_heartbeat(heartbeat, stalled)
