"""Computations that wait for a thread or process, in a fair order.

Round robin in a tree: addresses take turns, persons take turns in those of their address, and the tables of
one person wait in order of age.
"""

from collections import deque
from heapq import heappop, heappush
from typing import Generic, NamedTuple, TypeVar

from qipai.kernel.ids import Millis

T = TypeVar("T")

Payer = tuple[str, ...]
"""The shares that a computation is charged to, the widest first: address and person, or person only.

All payers of one queue have the same number of shares.
"""


class Next(NamedTuple, Generic[T]):
    """The next item, and its part of the capacity if each share gets the same."""

    item: T
    part: float


class _Waiting(Generic[T]):
    """An item in the queue, or one that was taken."""

    __slots__ = ("item", "taken")

    def __init__(self, item: T) -> None:
        self.item = item
        self.taken = False


class _Share(Generic[T]):
    """An address or a person for whom something waits; `children` are in the order of their turns."""

    __slots__ = ("children", "items")

    def __init__(self) -> None:
        self.children: dict[str, _Share[T]] = {}
        self.items: deque[_Waiting[T]] = deque()


class FairQueue(Generic[T]):
    """Items with a payer and a deadline."""

    def __init__(self) -> None:
        self._root: _Share[T] = _Share()
        self._deadlines: list[tuple[Millis, int, _Waiting[T]]] = []
        self._added = 0
        self._taken = 0

    def __len__(self) -> int:
        return self._added - self._taken

    def add(self, item: T, payer: Payer, deadline: Millis) -> None:
        """Add an item behind the others of its payer."""
        waiting = _Waiting(item)
        self._added += 1
        heappush(self._deadlines, (deadline, self._added, waiting))
        node = self._root
        for key in payer:
            node = node.children.setdefault(key, _Share())
        node.items.append(waiting)

    def take(self) -> Next[T] | None:
        """Remove and return the next item; None if the queue is empty."""
        if not self:
            return None
        self._taken += 1
        part = 1.0
        node, path = self._root, []
        while node.children:
            part /= len(node.children)
            path.append(node)
            node = next(iter(node.children.values()))
        part /= len(node.items)
        waiting = node.items.popleft()
        waiting.taken = True
        for parent in reversed(path):
            # Its turn is over: the share goes to the end, or leaves if nothing of it waits.
            key = next(iter(parent.children))
            share = parent.children.pop(key)
            if share.items or share.children:
                parent.children[key] = share
        return Next(waiting.item, part)

    def earliest_deadline(self) -> Millis | None:
        """Return the earliest deadline of the waiting items."""
        while self._deadlines and self._deadlines[0][2].taken:
            heappop(self._deadlines)
        return self._deadlines[0][0] if self._deadlines else None
