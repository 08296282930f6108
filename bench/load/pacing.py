"""Decides when a player whose turn it is may act."""

import asyncio
import time
from collections import deque
from typing import Final, Protocol

from .measurement import MOST_FRAMES

GAP: Final = 1 / (MOST_FRAMES - 3)
"""Seconds between two frames of a player: a little more than 1/50, so that 51 never arrive in one second."""
TICK: Final = 0.001


class PacedPlayer(Protocol):
    """Player who acts on a call and records the time of its last frame."""

    sent_at: float

    def act(self) -> None: ...


class Pacing(Protocol):
    """Receives the turns and calls `act` of the players."""

    def turn(self, player: PacedPlayer) -> None: ...

    def start(self) -> None: ...

    def stop(self) -> None: ...


class Unlimited:
    """Lets every player act at once, within the frame limit of a connection."""

    def __init__(self) -> None:
        self._running = False
        self._loop = asyncio.get_running_loop()
        self._waiting: list[PacedPlayer] = []

    def turn(self, player: PacedPlayer) -> None:
        """Act now, or when the gap since the last frame is long enough."""
        if not self._running:
            self._waiting.append(player)
        elif (wait := player.sent_at + GAP - time.perf_counter()) > 0:
            self._loop.call_later(wait, self._act_later, player)
        else:
            player.act()

    def start(self) -> None:
        """Let the waiting players act."""
        self._running = True
        waiting, self._waiting = self._waiting, []
        for player in waiting:
            self.turn(player)

    def stop(self) -> None:
        """Let all players wait."""
        self._running = False

    def _act_later(self, player: PacedPlayer) -> None:
        if self._running:
            player.act()
        else:
            self._waiting.append(player)


class FixedRate:
    """Lets so many moves per second happen, the longest waiting player first."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._moves_due = 0.0
        self._last = 0.0
        self._ready: deque[PacedPlayer] = deque()
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def turn(self, player: PacedPlayer) -> None:
        """Queue the player."""
        self._ready.append(player)

    def start(self) -> None:
        """Start the timer."""
        self._last = time.perf_counter()
        self._timer = self._loop.call_later(TICK, self._tick)

    def stop(self) -> None:
        """Stop the timer."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _tick(self) -> None:
        now = time.perf_counter()
        # A late tick causes no burst: moves that are more than ten ticks late are dropped.
        self._moves_due = min(
            self._moves_due + self._rate * (now - self._last), max(1.0, self._rate * TICK * 10)
        )
        self._last = now
        for _ in range(len(self._ready)):
            if self._moves_due < 1:
                break
            player = self._ready.popleft()
            if now - player.sent_at < GAP:
                self._ready.append(player)
            else:
                self._moves_due -= 1
                player.act()
        self._timer = self._loop.call_later(TICK, self._tick)
