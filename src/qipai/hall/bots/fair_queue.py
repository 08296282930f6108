"""Computations that wait for a thread or process, in a fair order.

Start-time fair queueing (Goyal, Vin, Cheng 1996) in a tree: addresses share the computing time equally,
persons share that of their address, and the tables of one person wait in order of age. A share that was idle
has saved no time, so it cannot delay the others later.
"""

from collections import deque
from heapq import heappop, heappush
from typing import Final, Generic, NamedTuple, TypeVar

from qipai.kernel.ids import Millis

T = TypeVar("T")

Payer = tuple[str, ...]
"""The shares that a computation is charged to, the widest first: address and person, or person only.

All payers of one queue have the same number of shares.
"""
MAX_IDLE_SHARES: Final = 256
"""Shares in one other that are remembered while nothing of theirs waits."""


class Waiting(Generic[T]):
    """An item in the queue."""

    __slots__ = ("deadline", "item", "payer", "taken")

    def __init__(self, item: T, payer: Payer, deadline: Millis) -> None:
        self.item = item
        self.payer = payer
        self.deadline = deadline
        self.taken = False


class Next(NamedTuple, Generic[T]):
    """The next item, and its part of the capacity if each share gets the same."""

    item: T
    part: float


class _Share(Generic[T]):
    """A node: `used` is the charged time, `floor` that of the child served last, `waiting` counts items."""

    __slots__ = ("children", "floor", "items", "used", "waiting")

    def __init__(self, used: float = 0.0) -> None:
        self.used = used
        self.floor = 0.0
        self.waiting = 0
        self.children: dict[str, _Share[T]] = {}
        self.items: deque[Waiting[T]] = deque()


class FairQueue(Generic[T]):
    """Items with a payer and a deadline."""

    def __init__(self) -> None:
        self._root: _Share[T] = _Share()
        self._deadlines: list[tuple[Millis, int, Waiting[T]]] = []
        self._added = 0

    def __len__(self) -> int:
        return self._root.waiting

    def add(self, item: T, payer: Payer, deadline: Millis) -> None:
        """Add an item behind the others of its payer."""
        waiting = Waiting(item, payer, deadline)
        self._added += 1
        heappush(self._deadlines, (deadline, self._added, waiting))
        node = self._root
        node.waiting += 1
        for key in payer:
            child = node.children.get(key)
            if child is None:
                child = node.children[key] = _Share(node.floor)
            elif not child.waiting:
                child.used = max(child.used, node.floor)
            child.waiting += 1
            node = child
        node.items.append(waiting)

    def take(self) -> Next[T] | None:
        """Remove and return the next item; None if the queue is empty."""
        node, part = self._root, 1.0
        if not node.waiting:
            return None
        node.waiting -= 1
        while node.children:
            active = [child for child in node.children.values() if child.waiting]
            child = min(active, key=_used)
            node.floor = max(node.floor, child.used)
            if len(node.children) - len(active) > MAX_IDLE_SHARES:
                node.children = {key: each for key, each in node.children.items() if each.waiting}
            part /= len(active)
            child.waiting -= 1
            node = child
        part /= len(node.items)
        waiting = node.items.popleft()
        waiting.taken = True
        return Next(waiting.item, part)

    def clear(self) -> None:
        """Forget what was charged; nothing may wait."""
        self._root = _Share()

    def charge(self, payer: Payer, seconds: float) -> None:
        """Charge computing time to the shares of a payer; a negative number gives time back."""
        node = self._root
        for key in payer:
            child = node.children.get(key)
            if child is None:
                return
            child.used += seconds
            node = child

    def earliest_deadline(self) -> Millis | None:
        """Return the earliest deadline of the waiting items."""
        while self._deadlines and self._deadlines[0][2].taken:
            heappop(self._deadlines)
        return self._deadlines[0][0] if self._deadlines else None


def _used(share: _Share[T]) -> float:
    return share.used
