"""A slow judge of forbidden points in renju, written from the rules of the RIF and from nothing else.

It knows stones as sets of coordinates. Rows, fours and threes are found by trying every stone; no part of it
is shared with the server.
"""

from collections.abc import Iterator
from itertools import combinations
from typing import Final

Point = tuple[int, int]
WAYS: Final = ((1, 0), (0, 1), (1, 1), (1, -1))


class Judge:
    """A board with black and white stones."""

    def __init__(self, size: int, black: set[Point], white: set[Point]) -> None:
        self.size, self.black, self.white = size, black, white

    def is_empty(self, point: Point) -> bool:
        x, y = point
        inside = 0 <= x < self.size and 0 <= y < self.size
        return inside and point not in self.black and point not in self.white

    def with_black(self, point: Point) -> "Judge":
        return Judge(self.size, self.black | {point}, self.white)

    def row(self, point: Point, way: Point) -> list[Point]:
        """Return the unbroken row of black stones through a stone."""
        (x, y), (dx, dy) = point, way
        found = [point]
        for sign in (1, -1):
            far = 1
            while (next_one := (x + sign * far * dx, y + sign * far * dy)) in self.black:
                found.append(next_one)
                far += 1
        return sorted(found)

    def makes_five(self, point: Point) -> bool:
        """Tell whether a black stone here makes exactly five in some direction."""
        after = self.with_black(point)
        return any(len(after.row(point, way)) == 5 for way in WAYS)

    def makes_overline(self, point: Point) -> bool:
        after = self.with_black(point)
        return any(len(after.row(point, way)) > 5 for way in WAYS)

    def _near(self, point: Point, way: Point) -> Iterator[Point]:
        """Yield the points up to four away in both directions of a line."""
        (x, y), (dx, dy) = point, way
        for far in range(-4, 5):
            if far:
                yield x + far * dx, y + far * dy

    def fours(self, point: Point, way: Point) -> set[frozenset[Point]]:
        """Return each four with this stone in a line: four stones that one more makes exactly five."""
        own = [near for near in self._near(point, way) if near in self.black]
        found = set()
        for others in combinations(own, 3):
            four = frozenset((point, *others))
            for empty in self._near(point, way):
                if self.is_empty(empty) and set(self.with_black(empty).row(empty, way)) == four | {empty}:
                    found.add(four)
        return found

    def straight_four(self, point: Point, way: Point) -> bool:
        """Tell whether the row through this stone is four stones that can become five at both ends."""
        row = self.row(point, way)
        if len(row) != 4:
            return False
        (ax, ay), (bx, by), (dx, dy) = row[0], row[-1], way
        if (ax + dx, ay + dy) not in row:
            dx, dy = -dx, -dy
        ends = [(ax - dx, ay - dy), (bx + dx, by + dy)]
        return all(self.is_empty(end) and len(self.with_black(end).row(end, way)) == 5 for end in ends)

    def is_three(self, point: Point, way: Point) -> bool:
        """Tell whether this stone is in a three: one more allowed stone makes a straight four of it."""
        for extra in self._near(point, way):
            if not self.is_empty(extra):
                continue
            after = self.with_black(extra)
            if (
                point in after.row(extra, way)
                and after.straight_four(extra, way)
                and not self.makes_five(extra)
                and self.forbidden(extra) == ""
            ):
                return True
        return False

    def forbidden(self, point: Point) -> str:
        """Return why a black stone may not be placed on an empty point, empty if it may."""
        if self.makes_five(point):
            return ""
        if self.makes_overline(point):
            return "overline"
        after = self.with_black(point)
        if sum(len(after.fours(point, way)) for way in WAYS) > 1:
            return "double_four"
        return "double_three" if sum(after.is_three(point, way) for way in WAYS) > 1 else ""

    def forbidden_points(self) -> dict[Point, str]:
        """Return all forbidden points with their reasons."""
        points = [(x, y) for x in range(self.size) for y in range(self.size)]
        found = {point: self.forbidden(point) for point in points if self.is_empty(point)}
        return {point: kind for point, kind in found.items() if kind}
