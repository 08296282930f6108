"""Detects lost pub/sub messages by their sequence numbers, and reads the records that they carried."""

from collections.abc import Callable
from typing import Any, Final

from qipai.hall.cluster.bus_interface import BusListener
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.ids import RoomId

from .lua_scripts import PREFIX
from .script_replies import read_entries

ROOMS_PER_READ: Final = 500


class GapDetector:
    """Compares the numbers of received messages with each other and with the number sent so far.

    A number that jumps is a loss. So is a number that one heartbeat reports as sent and that has not arrived
    at the next heartbeat.
    """

    def __init__(self) -> None:
        self._received = 0
        """Highest number received."""
        self._sent = 0
        """Highest number sent, as of the last heartbeat."""
        self._received_before = 0
        """Highest number received, as of the last heartbeat."""

    def receive(self, number: int) -> bool:
        """Tell whether messages before this one are missing; a repeated message is not a loss."""
        missing = number > self._received + 1
        self._received = max(self._received, number)
        return missing

    def heartbeat(self, sent: int) -> bool:
        """Tell whether messages are missing, given the number of messages sent so far."""
        missing = self._received < self._sent
        if sent < self._received_before:
            # The store has lost its counter, which starts at 0 again.
            self._received = sent
            missing = True
        elif missing:
            self._received = self._sent
        self._sent, self._received_before = sent, self._received
        return missing


class MissedRecords:
    """Reads the records of all subscribed rooms that the worker has missed.

    `request` sends a command to Redis and calls its first argument with the reply.
    """

    def __init__(self, request: Callable[..., None], listener: BusListener) -> None:
        self._request = request
        self._listener = listener
        self._checking = self._check_again = False

    def check(self) -> None:
        """Read what was missed; a check that is asked for during another one runs after it."""
        self._check_again = self._checking
        if self._checking:
            return
        self._checking = True
        followed = self._listener.subscriptions()
        for start in range(0, len(followed), ROOMS_PER_READ):
            some = followed[start : start + ROOMS_PER_READ]
            keys = (f"{PREFIX}journal:{room}" for room, _ in some)
            versions = (f"{version}-0" for _, version in some)
            self._request(self._on_records, "XREAD", "STREAMS", *keys, *versions)
        self._request(self._on_checked, "PING")

    def _on_records(self, reply: Any) -> None:
        if reply and not isinstance(reply, StoreError):
            for key, stream in reply:
                room = RoomId(key.decode().partition("journal:")[2])
                self._listener.records_written(room, read_entries(room, stream))

    def _on_checked(self, reply: Any) -> None:
        self._checking = False
        # A gap found during the check may be newer than the replies.
        if self._check_again and not isinstance(reply, StoreError):
            self.check()
