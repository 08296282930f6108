"""Shared counters whose answers the test gives."""

from collections import deque
from collections.abc import Callable
from typing import Any

from qipai.hall.cluster.bus_interface import Nickname
from qipai.hall.journal.store_interface import StoreError
from tests.support.hall_simulation import HallSimulation


class ScriptedCounters:
    """Records requests and answers them in order, when the test says so."""

    def __init__(self, simulation: HallSimulation) -> None:
        self._stage = simulation
        self.requests: deque[tuple[Any, ...]] = deque()
        self.released: list[tuple[str, str, str]] = []
        self._waiting: deque[Callable[[Any], None]] = deque()

    def spend(self, key: str, most: int, window: int, done: Callable[[bool | StoreError], None]) -> None:
        self.requests.append((key, most, window))
        self._waiting.append(done)

    def name(
        self,
        game: str,
        whose: str,
        name: str,
        wanted: str,
        number: int,
        done: Callable[[Nickname | StoreError], None],
    ) -> None:
        self.requests.append((game, whose, name, wanted, number))
        self._waiting.append(done)

    def unname(self, game: str, whose: str, name: str) -> None:
        self.released.append((game, whose, name))

    def answer(self, result: bool | Nickname | StoreError) -> None:
        """Answer the oldest request."""
        self.requests.popleft()
        self._stage.loop.call_soon(self._waiting.popleft(), result)
        self._stage.settle()
