"""An archived match: what was shown of a finished match, in a format of its own that needs no rules to read.

Nothing in it is a struct of the kernel, of a game or of the wire: those may change, archived matches stay.
A field that is added needs a default value. Any other change needs the next format number, a migration from
the format before, and files of the new format for the tests.
"""

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any, Final

import msgspec
from msgspec import Struct

from qipai.hall.journal.format_numbers import Stored, migrate, read_stored
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.codec import Malformed
from qipai.kernel.ids import Millis, Person, RoomId, Seat
from qipai.kernel.packing.columns import NotPacked, is_packed, pack_value, unpack_value
from qipai.ratings.rating_values import RatedMatch

from .archive_interface import FinishedGame, PackedMatch
from .position_patches import Patch, apply_patch

FORMAT: Final = 2
"""What this release writes. It reads every format from 1 on."""


def _unchanged(stored: Stored) -> Stored:
    return stored


MIGRATIONS: Final[Mapping[int, Callable[[Stored], Stored]]] = MappingProxyType(
    {1: _unchanged}  # 2 has columns; 1 was JSON, compressed by zlib.
)
"""Turns the plain values of each format before `FORMAT` into those of the next."""
LEAST_MOVES: Final = 2
"""Moves of each player below which a game for two is not rated."""
_NO_RESULT: Final = frozenset(("aborted", "abandoned"))
"""Reasons of endings without a result."""
ALL_VISIBLE: Final = "all"
SPECTATORS: Final = "watch"


class ArchivedSeat(Struct, frozen=True, omit_defaults=True):
    """A seat that was taken at the start of the match; `player_entropy` (hex) is what entered its key.

    `bot_account`: a program played for the account of the person.
    """

    person: str
    name: str
    bot: str = ""
    player_entropy: str = ""
    bot_account: bool = False


class ArchivedEvent(Struct, frozen=True, omit_defaults=True):
    """An event as it was sent, and the viewpoints that show it; null stands for all."""

    event: Any
    to: tuple[str, ...] | None = None


class PositionChange(Struct, frozen=True):
    """How the position of some viewpoints changed; `viewpoints` are indexes into those of the match."""

    viewpoints: tuple[int, ...]
    patch: Patch


class ArchivedStep(Struct, frozen=True, omit_defaults=True):
    """One step of a match. The patches of the first step make the first positions, from null.

    `actor`: the seat that acted, null for the server. `draws`: bound and result of every draw from the
    keystream. `rolls`: a line of text for each public roll of dice.
    """

    version: int
    at: int
    actor: int | None
    to_act: tuple[int, ...]
    clock: Any = None
    events: tuple[ArchivedEvent, ...] = ()
    positions: tuple[PositionChange, ...] = ()
    draws: tuple[tuple[int, int], ...] = ()
    rolls: tuple[str, ...] = ()


class ArchivedMatch(Struct, frozen=True):
    """A finished match as it was shown.

    `rules`: the rules number of the game it was played by. `options` and `table`: as the page received them.
    `persons`: everybody who held a seat during the match, without bots. `commitment`: as shown before the
    start. `moves`: their number. `record`: the match in its notation. `record_suffix`: the end of the name
    of a file with it. `viewpoints`: the views that a replay offers, the default one first.
    `category`: in which ratings of such a table count, empty for none. `ranks`: the place of each seat, from
    1 on; equal places have drawn. `seat_moves`: the moves of each seat. `twist`: one word, empty for none.
    The last four are empty in matches that an earlier release archived.
    """

    format: int
    rules: int
    room: str
    match: int
    game: str
    title: str
    public: bool
    options: Any
    table: Any
    seats: tuple[ArchivedSeat | None, ...]
    persons: tuple[str, ...]
    winners: tuple[int, ...]
    reason: str
    commitment: str
    seed: str
    began: int
    ended: int
    moves: int
    record: str
    record_suffix: str
    viewpoints: tuple[str, ...]
    steps: tuple[ArchivedStep, ...]
    category: str = ""
    ranks: tuple[int, ...] = ()
    seat_moves: tuple[int, ...] = ()
    twist: str = ""


NAMES: Final = (
    "format", "rules", "room", "match", "game", "title", "public", "options", "table", "seats", "persons",
    "winners", "reason", "commitment", "seed", "began", "ended", "moves", "record", "record_suffix",
    "viewpoints", "steps", "person", "name", "bot", "player_entropy", "version", "at", "actor", "to_act",
    "clock", "events", "positions", "draws", "rolls", "event", "to", "patch", "main", "increment", "move",
    "lag_compensation", "left", "running", "grants", "since", "lags", "compensated", "e", "seat", "position",
    "turn", "white", "fen", "uci", "taken", "check", "board", "black", "x", "y", "cell", "line", "lines",
    "round", "first", "wins", "winner", "tile", "tiles", "players",
)  # fmt: skip
"""Names that most matches contain. A match contains their places in it, so a name is only added at its end,
with the next format number."""
_encode: Final = msgspec.json.Encoder().encode
_decode: Final = msgspec.json.Decoder().decode


def pack(match: ArchivedMatch) -> PackedMatch:
    """Return an archived match for the archive."""
    body = pack_value(_decode(_encode(match)), NAMES)
    return PackedMatch(listing(match), match.persons, body, rated_match(match))


def list_packed(body: bytes) -> PackedMatch:
    """Return a match that the archive has, with its listing, or raise `StoreError`."""
    match = unpack(body)
    return PackedMatch(listing(match), match.persons, body, rated_match(match))


def listing(match: ArchivedMatch) -> FinishedGame:
    """Return how a match is listed."""
    return FinishedGame(
        RoomId(match.room),
        match.match,
        match.game,
        match.title,
        match.public,
        Millis(match.began),
        Millis(match.ended),
        tuple("" if seat is None else seat.name for seat in match.seats),
        tuple("" if seat is None else seat.bot for seat in match.seats),
        tuple(map(Seat, match.winners)),
        match.reason,
        match.moves,
        tuple("" if seat is None or seat.bot else seat.person for seat in match.seats),
        match.twist,
        bot_accounts(match.seats),
    )


def bot_accounts(seats: Sequence[ArchivedSeat | None]) -> tuple[Seat, ...]:
    """Return the seats for which programs played, under the name of an account."""
    return tuple(Seat(at) for at, seat in enumerate(seats) if seat is not None and seat.bot_account)


def rated_match(match: ArchivedMatch) -> RatedMatch | None:
    """Return what ratings need of a match, or None if it is not rated.

    Only accounts sit at a rated table, so its seats need no other check than that no bot has one.
    """
    persons = tuple(seat.person for seat in match.seats if seat is not None and not seat.bot)
    if not match.table.get("rated") or not match.category or match.reason in _NO_RESULT:
        return None
    if len({*persons}) != len(match.seats) or {*persons} != {*match.persons}:
        return None
    if len(persons) == 2 and min(match.seat_moves) < LEAST_MOVES:
        return None
    return RatedMatch(
        RoomId(match.room),
        match.match,
        match.category,
        Millis(match.ended),
        tuple(map(Person, persons)),
        match.ranks,
    )


def unpack(body: bytes) -> ArchivedMatch:
    """Return the archived match of a body, or raise `StoreError`."""
    try:
        if is_packed(body):
            stored = msgspec.convert(unpack_value(body, NAMES), Stored)
        else:
            stored = read_stored(zlib.decompress(body))
        return msgspec.convert(migrate(stored, FORMAT, MIGRATIONS), ArchivedMatch)
    except (NotPacked, zlib.error, msgspec.MsgspecError, UnicodeDecodeError, Malformed) as error:
        raise StoreError(f"an archived match cannot be read: {error}") from error


def position_patches(match: ArchivedMatch, viewpoint: str) -> Iterator[Patch | None]:
    """Yield how each step changed the position of one of the viewpoints of a match; None if it did not."""
    index = match.viewpoints.index(viewpoint)
    for step in match.steps:
        yield next((change.patch for change in step.positions if index in change.viewpoints), None)


def positions(match: ArchivedMatch, viewpoint: str) -> Iterator[Any]:
    """Yield the position after each step from one of the viewpoints of a match."""
    position: Any = None
    for patch in position_patches(match, viewpoint):
        position = position if patch is None else apply_patch(position, patch)
        yield position
