"""What all players of a load count together."""

from array import array


class Tally:
    """Accepted moves, refusals, lost connections, and how long broadcasts took while `timing`."""

    __slots__ = ("delays", "lost", "moves", "refusals", "timing")

    def __init__(self) -> None:
        self.moves = 0
        self.refusals: list[str] = []
        self.lost = 0
        self.timing = False
        self.delays = array("d")
