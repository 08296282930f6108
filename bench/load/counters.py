"""Counters that all players of a load share."""

from array import array


class LoadCounters:
    """Accepted moves, refusals, lost connections, and the delays of broadcasts while `timing`."""

    __slots__ = ("delays", "lost_connections", "moves", "refusals", "timing")

    def __init__(self) -> None:
        self.moves = 0
        self.refusals: list[str] = []
        self.lost_connections = 0
        self.timing = False
        self.delays = array("d")
