"""Counts connections, sessions, handshakes and requests, in all and per address, and what was refused."""

import resource
from collections import Counter
from collections.abc import Callable, Mapping
from enum import StrEnum
from pathlib import Path
from time import monotonic
from typing import Final

import structlog

from .guard_settings import GuardSettings

BURST_SECONDS: Final = 5.0
"""A limit per second may be used up for so many seconds at once."""
LOG_INTERVAL: Final = 60.0
"""Seconds between two log lines of the same kind."""
NEAR: Final = 0.8
"""The part of a limit from which on it is logged."""
_FORGET_INTERVAL: Final = 10.0
_MEASURE_INTERVAL: Final = 1.0
_DESCRIPTORS: Final = Path("/dev/fd")
"""Lists the open descriptors of this process."""
_DEFAULTS: Final = GuardSettings()

_log = structlog.get_logger("qipai.guard")


class Reason(StrEnum):
    """Why a connection or request was refused or closed."""

    TOTAL = "total"
    DESCRIPTORS = "descriptors"
    ADDRESS = "address"
    HANDSHAKES = "handshakes"
    ADDRESS_HANDSHAKES = "address_handshakes"
    ADDRESS_REQUESTS = "address_requests"
    SESSIONS = "sessions"
    ADDRESS_SESSIONS = "address_sessions"
    HEADER_BYTES = "header_bytes"
    URL_BYTES = "url_bytes"
    BODY_BYTES = "body_bytes"
    HEADER_TIME = "header_time"
    BODY_TIME = "body_time"
    RESPONSE_TIME = "response_time"
    FIRST_FRAME_TIME = "first_frame_time"
    REPLACED = "replaced"
    """It had sent no request yet, and a new connection needed its place."""


class _Address:
    """What one address uses."""

    __slots__ = ("handshakes_due", "open", "requests_due", "sessions")

    def __init__(self) -> None:
        self.open = self.sessions = 0
        self.handshakes_due = self.requests_due = 0.0


class ConnectionLimits:
    """The connections of one process. `now` returns seconds that never go back."""

    def __init__(
        self,
        settings: GuardSettings = _DEFAULTS,
        now: Callable[[], float] = monotonic,
        descriptors: int | None = None,
    ) -> None:
        self.settings = settings
        self._now = now
        soft = resource.getrlimit(resource.RLIMIT_NOFILE)[0] if descriptors is None else descriptors
        unlimited = soft == resource.RLIM_INFINITY
        self._descriptors = 1 << 60 if unlimited else soft - min(settings.spare_descriptors, soft // 4)
        self._addresses: dict[str, _Address] = {}
        self._handshakes_due = 0.0
        self._forget_at = self._measure_at = 0.0
        self._others = 0
        self._log_at: dict[str, float] = {}
        self._refused_at_last_log = 0
        self._refused: Counter[Reason] = Counter()
        self.open = self.sessions = 0

    @property
    def limit(self) -> int:
        """Return how many connections are accepted at most."""
        return min(self.settings.total, self._descriptors - self._others)

    @property
    def refused(self) -> Mapping[Reason, int]:
        """Return how often each reason has occurred, each reason included."""
        return {reason: self._refused[reason] for reason in Reason}

    def count(self, reason: Reason) -> None:
        """Count something that was refused or closed."""
        self._refused[reason] += 1

    def why_full(self) -> Reason | None:
        """Return why there is no place for a new connection, which is counted already; None if there is."""
        if self.open < NEAR / 2 * self.limit:
            return None
        used = self.open + self._other_descriptors()
        if self.open >= NEAR * self.settings.total or used >= NEAR * self._descriptors:
            self._log("connections near the limit", descriptors=used)
        if used > self._descriptors:
            return Reason.DESCRIPTORS
        return Reason.TOTAL if self.open > self.settings.total else None

    def _other_descriptors(self) -> int:
        """Return how many descriptors are not connections of clients: files, stores, bots, other workers."""
        now = self._now()
        if now >= self._measure_at:
            self._measure_at = now + _MEASURE_INTERVAL
            self._others = max(0, sum(1 for _ in _DESCRIPTORS.iterdir()) - self.open)
        return self._others

    def handshake(self, address: str) -> Reason | None:
        """Count a handshake; return why it must be refused, if so."""
        now = self._now()
        if (due := _next_due(self._handshakes_due, self.settings.handshakes_per_second, now)) is None:
            return self._refuse(Reason.HANDSHAKES, address)
        use = self._use(address, now)
        own = _next_due(use.handshakes_due, self.settings.handshakes_per_address, now)
        if own is None:
            return self._refuse(Reason.ADDRESS_HANDSHAKES, address)
        self._handshakes_due, use.handshakes_due = due, own
        return None

    def request(self, address: str) -> Reason | None:
        """Count a request; return why it must be refused, if so."""
        now = self._now()
        use = self._use(address, now)
        due = _next_due(use.requests_due, self.settings.requests_per_address, now)
        if due is None:
            return self._refuse(Reason.ADDRESS_REQUESTS, address)
        use.requests_due = due
        return None

    def enter(self, address: str) -> Reason | None:
        """Count an open connection of an address; return why it must be refused, if so.

        No address may have more than half of all places.
        """
        use = self._use(address, self._now())
        if use.open >= min(self.settings.per_address, self.limit // 2):
            return self._refuse(Reason.ADDRESS, address)
        use.open += 1
        return None

    def leave(self, address: str) -> None:
        """Uncount a connection of an address that `enter` has counted."""
        self._addresses[address].open -= 1

    def enter_session(self, address: str) -> Reason | None:
        """Count a session that uses no connection of its own; return why it must be refused, if so.

        There are as many places for them as for connections. An empty address is counted in all only.
        """
        settings = self.settings
        if self.sessions >= settings.total:
            return self._refuse(Reason.SESSIONS, address)
        if address:
            use = self._use(address, self._now())
            if use.sessions >= min(settings.per_address, settings.total // 2):
                return self._refuse(Reason.ADDRESS_SESSIONS, address)
            use.sessions += 1
        self.sessions += 1
        return None

    def leave_session(self, address: str) -> None:
        """Uncount a session that `enter_session` has counted."""
        self.sessions -= 1
        if address:
            self._addresses[address].sessions -= 1

    def _refuse(self, reason: Reason, address: str) -> Reason:
        self._log("connections refused", reason=reason.value, address=address)
        return reason

    def _use(self, address: str, now: float) -> _Address:
        if now >= self._forget_at:
            self._forget_at = now + _FORGET_INTERVAL
            self._addresses = {
                key: use
                for key, use in self._addresses.items()
                if use.open or use.sessions or max(use.handshakes_due, use.requests_due) > now
            }
        if (use := self._addresses.get(address)) is None:
            use = self._addresses[address] = _Address()
        return use

    def _log(self, event: str, **fields: str | int) -> None:
        now = self._now()
        if now < self._log_at.get(event, 0.0):
            return
        self._log_at[event] = now + LOG_INTERVAL
        refused = self._refused.total()
        _log.warning(
            event,
            **fields,
            open=self.open,
            limit=self.limit,
            refused=refused - self._refused_at_last_log,
        )
        self._refused_at_last_log = refused


def _next_due(due: float, per_second: int, now: float) -> float | None:
    """Return the new time at which a bucket is full again; None if it is empty."""
    due = max(due, now) + 1 / per_second
    return due if due <= now + BURST_SECONDS else None
