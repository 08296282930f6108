"""Archived matches of rated tables, without their steps."""

from typing import Any

from qipai.hall.history.archived_match import FORMAT, ArchivedMatch, ArchivedSeat

CLOCK = {"main": [180_000], "increment": 2_000}


def rated(
    room: str,
    persons: tuple[str, ...],
    ranks: tuple[int, ...],
    ended: int,
    *,
    match: int = 1,
    category: str = "chess-blitz",
    **changes: Any,
) -> ArchivedMatch:
    """Return a match that counts."""
    values: dict[str, Any] = {
        "format": FORMAT,
        "rules": 1,
        "room": room,
        "match": match,
        "game": category.partition("-")[0],
        "title": "",
        "public": True,
        "options": {},
        "table": {"rated": True, "clock": CLOCK},
        "seats": tuple(ArchivedSeat(person, f"Name of {person}") for person in persons),
        "persons": persons,
        "winners": tuple(seat for seat, rank in enumerate(ranks) if rank == 1) if len({*ranks}) > 1 else (),
        "reason": "resigned",
        "commitment": "",
        "seed": "",
        "began": ended - 60_000,
        "ended": ended,
        "moves": 40,
        "record": "",
        "record_suffix": "pgn",
        "viewpoints": ("watch",),
        "steps": (),
        "category": category,
        "ranks": ranks,
        "seat_moves": (40 // len(persons),) * len(persons),
    }
    return ArchivedMatch(**{**values, **changes})
