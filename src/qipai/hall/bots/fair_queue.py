"""Computations that wait for a thread or process, in a fair order.

Start-time fair queueing in a tree: addresses get the same computing time, persons the same part of that of
their address, and the tables of one person wait in order of age. Each share has a start time on a virtual
clock, which grows by what it used; the share with the earliest one is next. The virtual clock shows the start
time of the share that was next before, so shares that begin to wait have neither credit nor old debts.
"""

from collections import deque
from heapq import heappop, heappush
from itertools import pairwise
from typing import Generic, NamedTuple, TypeVar

T = TypeVar("T")

Payer = tuple[str, ...]
"""The shares that a computation is charged to, the widest first: address and person, or person only.

All payers of one queue have the same number of shares.
"""


class Next(NamedTuple, Generic[T]):
    """The next item, and its part of the capacity if each share gets the same."""

    item: T
    part: float


class _Share(Generic[T]):
    """An address or a person for whom something waits, or that used more than others not long ago."""

    __slots__ = ("children", "clock", "competing", "items", "order", "start", "waiting")

    def __init__(self, start: float = 0.0) -> None:
        self.start = start
        self.waiting = 0
        """Items of this share and of those in it."""
        self.items: deque[T] = deque()
        self.children: dict[str, _Share[T]] = {}
        self.competing = 0
        """Children for which something waits."""
        self.clock = 0.0
        """The virtual clock of the children."""
        self.order: list[tuple[float, int, str]] = []
        """A heap of the children by start time; a child that was charged has outdated entries too."""

    def first(self) -> "_Share[T]":
        """Return the child that is next; forget those for which nothing waits and that are due."""
        while True:
            start, _, key = self.order[0]
            child = self.children.get(key)
            if child is not None and child.start == start:
                if child.waiting:
                    return child
                del self.children[key]
            heappop(self.order)


class FairQueue(Generic[T]):
    """Items with a payer. The payer of an item that was taken is to be charged."""

    def __init__(self) -> None:
        self._root: _Share[T] = _Share()
        self._entries = 0
        self._by_age: deque[tuple[T, Payer]] = deque()
        """Also items that were taken already."""

    def __len__(self) -> int:
        return self._root.waiting

    def add(self, item: T, payer: Payer) -> None:
        """Add an item behind the others of its payer."""
        self._by_age.append((item, payer))
        node = self._root
        node.waiting += 1
        for key in payer:
            child = node.children.get(key)
            if child is None:
                child = node.children[key] = _Share(node.clock)
                self._push(node, key, child)
            node.competing += not child.waiting
            child.waiting += 1
            node = child
        node.items.append(item)

    def oldest(self) -> T | None:
        """Return the item that waits longest; None if the queue is empty."""
        while self._root.waiting:
            item, payer = self._by_age[0]
            waiting = self._path(payer)[-1].items
            if waiting and waiting[0] is item:
                return item
            self._by_age.popleft()
        return None

    def take(self) -> Next[T] | None:
        """Remove and return the next item; None if the queue is empty."""
        node, path = self._root, [self._root]
        if not node.waiting:
            self._root = _Share()
            self._by_age.clear()
            return None
        while node.children:
            child = node.first()
            node.clock = child.start
            path.append(child)
            node = child
        return self._remove(path)

    def take_oldest(self) -> Next[T] | None:
        """Remove and return the item that waits longest, whether or not its share is next."""
        if self.oldest() is None:
            return None
        return self._remove(self._path(self._by_age[0][1]))

    def charge(self, payer: Payer, seconds: float) -> None:
        """Charge computing time for an item just taken: it counts more when more shares compete."""
        path = self._path(payer)
        for node, key, child in zip(path, payer, path[1:], strict=False):
            seconds *= node.competing + (not child.waiting)
            child.start += seconds
            self._push(node, key, child)

    def _path(self, payer: Payer) -> list[_Share[T]]:
        """Return the shares of a payer from the root on, as far as they are known."""
        path = [self._root]
        for key in payer:
            child = path[-1].children.get(key)
            if child is None:
                break
            path.append(child)
        return path

    def _remove(self, path: list[_Share[T]]) -> Next[T]:
        part = 1.0
        for node, child in pairwise(path):
            node.waiting -= 1
            part /= node.competing
            node.competing -= child.waiting == 1
        leaf = path[-1]
        leaf.waiting -= 1
        part /= len(leaf.items)
        return Next(leaf.items.popleft(), part)

    def _push(self, node: _Share[T], key: str, child: _Share[T]) -> None:
        self._entries += 1
        heappush(node.order, (child.start, self._entries, key))
