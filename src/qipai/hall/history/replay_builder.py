"""Builds the replay of an archived match, step by step, as one viewer saw it. It runs no rules.

In the compact form, a match is a set of columns, with patches instead of positions, and with differences
instead of times. Compressed, a long match of mahjong is then about half as long.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import msgspec

from .archived_match import ArchivedMatch, ArchivedStep, bot_accounts, position_patches, positions

MOST_BYTES: Final = 48 * 1024 * 1024
"""Bytes of the frames of the longest replay; sixteen rounds of mahjong have about a tenth of it."""
_encode: Final = msgspec.json.Encoder().encode


class ReplayTooLong(Exception):
    """The frames of the match exceed `MOST_BYTES`."""


def build_replay(match: ArchivedMatch, viewpoint: str) -> bytes:
    """Return the JSON of a `Replay` from one of the viewpoints of a match, or raise `ReplayTooLong`."""
    frames: list[bytes] = []
    size = 0
    for step, position in zip(match.steps, positions(match, viewpoint), strict=True):
        frame = {
            "version": step.version,
            "at": step.at,
            "actor": step.actor,
            "events": _events(step, viewpoint),
            "position": position,
            "to_act": step.to_act,
            "clock": step.clock,
        }
        frames.append(_encode(frame))
        size += len(frames[-1])
        if size > MOST_BYTES:
            raise ReplayTooLong
    # `frames` is the last field, and the frames are already encoded.
    return _encode(_replay(match, viewpoint)).removesuffix(b"]}") + b",".join(frames) + b"]}"


def build_compact_replay(match: ArchivedMatch, viewpoint: str) -> bytes:
    """Return the same in the compact form: `frames` is an object with a column for each field of a frame."""
    columns = {
        "version": _differences([step.version for step in match.steps]),
        "at": _differences([step.at for step in match.steps]),
        "actor": [step.actor for step in match.steps],
        "events": [_events(step, viewpoint) for step in match.steps],
        "patch": [*position_patches(match, viewpoint)],
        "to_act": [step.to_act for step in match.steps],
        "clock": [step.clock and _relative_clock(step.clock, step.at) for step in match.steps],
    }
    body = _encode({**_replay(match, viewpoint), "frames": columns})
    if len(body) > MOST_BYTES:
        raise ReplayTooLong
    return body


def _events(step: ArchivedStep, viewpoint: str) -> list[Any]:
    return [each.event for each in step.events if each.to is None or viewpoint in each.to]


def _differences(numbers: Sequence[int]) -> list[int]:
    """Return the first number, then each number less the one before."""
    return [later - earlier for earlier, later in pairwise((0, *numbers))]


def _relative_clock(clock: dict[str, Any], at: int) -> dict[str, Any]:
    """Return a clock whose times are relative to that of its step."""
    since = [None if began is None else began - at for began in clock["since"]]
    return {**clock, "since": since, "at": clock["at"] - at}


def _replay(match: ArchivedMatch, viewpoint: str) -> dict[str, Any]:
    """Return a `Replay` without its frames, as plain values: its structs may have changed since the match."""
    return {
        "game": match.game,
        "rules": match.rules,
        "room": match.room,
        "match": match.match,
        "options": match.options,
        "table": match.table,
        "names": ["" if seat is None else seat.name for seat in match.seats],
        "bots": ["" if seat is None else seat.bot for seat in match.seats],
        "bot_accounts": bot_accounts(match.seats),
        "player_entropy": ["" if seat is None else seat.player_entropy for seat in match.seats],
        "result": {"winners": match.winners, "reason": match.reason},
        "commitment": match.commitment,
        "seed": match.seed,
        "began": match.began,
        "seat": viewpoint,
        "seats": match.viewpoints,
        "frames": (),
    }
