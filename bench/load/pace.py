"""When a player whose turn it is may act."""

import asyncio
import time
from collections import deque
from typing import Final, Protocol

from .window import FRAMES

GAP: Final = 1 / (FRAMES - 3)
"""A little more than a fiftieth of a second: frames sent this far apart never arrive as 51 in a second."""
BEAT: Final = 0.001


class Seat(Protocol):
    """Somebody who acts when told to, and knows when that was last."""

    sent_at: float

    def act(self) -> None: ...


class Pace(Protocol):
    """Takes the turns and lets them happen."""

    def turn(self, player: Seat) -> None: ...

    def start(self) -> None: ...

    def stop(self) -> None: ...


class Free:
    """Lets everybody act at once, but nobody faster than one peer may."""

    def __init__(self) -> None:
        self._on = False
        self._loop = asyncio.get_running_loop()
        self._held: list[Seat] = []

    def turn(self, player: Seat) -> None:
        """Act now, or as soon as the gap since the last frame is long enough."""
        if not self._on:
            self._held.append(player)
        elif (wait := player.sent_at + GAP - time.perf_counter()) > 0:
            self._loop.call_later(wait, self._late, player)
        else:
            player.act()

    def start(self) -> None:
        """Let those act who were held."""
        self._on = True
        held, self._held = self._held, []
        for player in held:
            self.turn(player)

    def stop(self) -> None:
        """Hold everybody."""
        self._on = False

    def _late(self, player: Seat) -> None:
        if self._on:
            player.act()
        else:
            self._held.append(player)


class Steady:
    """Lets so many moves a second happen, whoever has waited longest first."""

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._due = 0.0
        self._last = 0.0
        self._ready: deque[Seat] = deque()
        self._loop = asyncio.get_running_loop()
        self._timer: asyncio.TimerHandle | None = None

    def turn(self, player: Seat) -> None:
        """Queue the player."""
        self._ready.append(player)

    def start(self) -> None:
        """Begin to beat."""
        self._last = time.perf_counter()
        self._timer = self._loop.call_later(BEAT, self._beat)

    def stop(self) -> None:
        """Beat no more."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _beat(self) -> None:
        now = time.perf_counter()
        # A late beat does not make a burst: what could not be sent in ten beats is given up.
        self._due = min(self._due + self._rate * (now - self._last), max(1.0, self._rate * BEAT * 10))
        self._last = now
        for _ in range(len(self._ready)):
            if self._due < 1:
                break
            player = self._ready.popleft()
            if now - player.sent_at < GAP:
                self._ready.append(player)
            else:
                self._due -= 1
                player.act()
        self._timer = self._loop.call_later(BEAT, self._beat)
