"""Games of gomoku as SGF text (FF[4], GM[4]): writing them down and reading them again."""

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from typing import Final

from msgspec import Struct

from qipai.kernel.codec import Malformed
from qipai.kernel.game_interface.game_headers import GameHeaders
from qipai.kernel.game_interface.rules_interface import IllegalCommand, Outcome
from qipai.kernel.ids import Seat
from qipai.kernel.randomness import SEED_BYTES, Random
from qipai.kernel.refusals import Refusal

from .lines import CELLS, SIZE
from .rules import OTHER, PLACES, RULES, State, View

MAX_TEXT: Final = 64 * 1024
_LETTERS: Final = "abcdefghijklmno"
_COLOURS: Final = "BW"
_PER_LINE: Final = 10
_HEAD: Final = "(;FF[4]GM[4]SZ[15]CA[UTF-8]AP[Qipai]"
_HOW: Final = {"resigned": "R", "time": "T", "left": "F"}
"""What stands behind the plus when a game was not won on the board."""
_RESULT: Final = re.compile(r"0|Draw|Void|\?|[BW]\+(?:R|Resign|T|Time|F|Forfeit)?")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_BLANK: Final = re.compile(r"\r\n|\n\r|[\t\v\f\r\n]")
_DICE: Final = Random(bytes(SEED_BYTES))
"""Nothing here hangs on chance."""

Node = Mapping[str, Sequence[str]]


class Sheet(Struct, frozen=True):
    """A game as it is written down; `moves` are cells, x + 15 * y, black first.

    `result` is SGF's: `B+` or `W+` with R, T or F for how if not on the board, `0` for a draw, `Void`
    if nobody finished it, `?` or nothing if it is not known.
    """

    moves: tuple[int, ...]
    black: str = ""
    white: str = ""
    result: str = ""
    day: date | None = None


def sheet(seen: View, names: tuple[str, str], outcome: Outcome | None, day: date | None = None) -> Sheet:
    """Return the sheet of a game, colours as it was played; `names` are the seats'."""
    black, white = names[seen.black], names[OTHER[seen.black]]
    return Sheet(seen.moves, black, white, result(seen.black, outcome), day)


def result(black: Seat, outcome: Outcome | None) -> str:
    """Return how a game ended, in SGF's words."""
    if outcome is None:
        return "?"
    if outcome.winners:
        return f"{_COLOURS[outcome.winners[0] != black]}+{_HOW.get(outcome.reason, '')}"
    return "Void" if outcome.reason == "abandoned" else "0"


# Writing


def text(seen: View, occasion: GameHeaders) -> str:
    """Return a finished game as SGF."""
    first, second = occasion.names
    return write(sheet(seen, (first, second), occasion.outcome, occasion.day))


def write(game: Sheet) -> str:
    """Return the text of a game."""
    head = [_HEAD]
    for name, value in (
        ("PB", game.black),
        ("PW", game.white),
        ("DT", game.day.isoformat() if game.day else ""),
        ("RE", game.result),
    ):
        if value:
            head.append(f"{name}[{_escaped(value)}]")
    moves = [f";{_COLOURS[number % 2]}[{_point(cell)}]" for number, cell in enumerate(game.moves)]
    rows = ["".join(moves[start : start + _PER_LINE]) for start in range(0, len(moves), _PER_LINE)]
    return "\n".join(["".join(head), *rows]) + ")\n"


def _escaped(value: str) -> str:
    line = _BLANK.sub(" ", value)
    return line.replace("\\", "\\\\").replace("]", "\\]")


def _point(cell: int) -> str:
    return _LETTERS[cell % SIZE] + _LETTERS[cell // SIZE]


# Reading


def read(text: str) -> Sheet:
    """Return the game of a text, or raise `Malformed`: one game, one line of play, every stone legal."""
    if len(text) > MAX_TEXT:
        raise Malformed(f"longer than {MAX_TEXT} characters")
    nodes = list(_nodes(text))
    root = nodes[0]
    for name, wanted, must in (("GM", "4", True), ("SZ", "15", True), ("FF", "4", False)):
        if (found := _only(root, name)) != wanted and (found or must):
            raise Malformed(f"{name} is {found or 'missing'}; only {name}[{wanted}] can be read")
    if (charset := _only(root, "CA")) and charset.upper() != "UTF-8":
        raise Malformed(f"CA is {charset}; only UTF-8 can be read")
    state = State(Seat(0))
    for node in nodes:
        state = _played(state, node)
    ending = _ending(_only(root, "RE"))
    board = RULES.outcome(state)
    if board is not None and ending not in ("", result(state.black, board)):
        raise Malformed(f"RE is {ending}, but on the board it is {result(state.black, board)}")
    return Sheet(tuple(state.moves), _only(root, "PB"), _only(root, "PW"), ending, _day(_only(root, "DT")))


def _ending(value: str) -> str:
    """Return a result in its short form."""
    if value and not _RESULT.fullmatch(value):
        raise Malformed(f"RE is no result: {value}")
    return "0" if value == "Draw" else value if value == "Void" else value[:3]


def _day(value: str) -> date | None:
    if not value:
        return None
    try:
        if _DAY.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise Malformed(f"DT is no date: {value}")


def _only(node: Node, name: str) -> str:
    values = node.get(name, ("",))
    if len(values) > 1:
        raise Malformed(f"{name} has more than one value")
    return values[0]


def _played(state: State, node: Node) -> State:
    """Return the position after a node's stone, if it has one."""
    if found := {"AB", "AW", "AE"} & set(node):
        raise Malformed(f"{min(found)}: a position that was set up cannot be read")
    colours = [colour for colour in _COLOURS if colour in node]
    if not colours:
        return state
    number = len(state.moves) + 1
    if colours != [_COLOURS[len(state.moves) % 2]]:
        raise Malformed(f"move {number} is not {('black', 'white')[len(state.moves) % 2]}'s alone")
    point = _only(node, colours[0])
    if len(point) != 2 or any(letter not in _LETTERS for letter in point):
        raise Malformed(f"move {number} is no point of the board: {point or 'a pass'}")
    cell = _LETTERS.index(point[0]) + SIZE * _LETTERS.index(point[1])
    try:
        after = RULES.play(state, Seat((number - 1) % 2), PLACES[cell], _DICE).state
    except IllegalCommand as no:
        why = "on a stone" if no.code is Refusal.OCCUPIED else "after the end"
        raise Malformed(f"move {number} is {why}: {point}") from None
    assert isinstance(after, State)
    return after


_SPACE: Final = re.compile(r"[ \t\v\f\r\n]*")
_NAME: Final = re.compile(r"[A-Z]{1,8}")
_VALUE: Final = re.compile(r"\[((?:[^\\\]]|\\.)*)\]", re.DOTALL)
_KEPT: Final = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


def _nodes(text: str) -> Iterator[Node]:
    """Yield the nodes of the only game tree in the text, which has no branches."""
    at = _expect(text, 0, "(")
    if text[at : at + 1] != ";":
        raise _wrong(text, at, ";")
    count = 0
    while text[at : at + 1] == ";":
        count += 1
        if count > CELLS * 2:
            raise Malformed("more nodes than a game can have")
        at = _skip(text, at + 1)
        node: dict[str, tuple[str, ...]] = {}
        while (name := _NAME.match(text, at)) is not None:
            if name[0] in node:
                raise Malformed(f"{name[0]} stands twice in one node, at character {at}")
            values, at = _values(text, _skip(text, name.end()))
            node[name[0]] = values
        yield node
    if text[at : at + 1] == "(":
        raise Malformed(f"variations cannot be read, at character {at}")
    at = _expect(text, at, ")")
    if at < len(text):
        raise Malformed(f"something follows the game, at character {at}")


def _values(text: str, at: int) -> tuple[tuple[str, ...], int]:
    values: list[str] = []
    while (value := _VALUE.match(text, at)) is not None:
        values.append(_plain(value[1]))
        at = _skip(text, value.end())
    if not values:
        raise _wrong(text, at, "[…]")
    return tuple(values), at


def _plain(raw: str) -> str:
    """Return a value without its escapes; an escaped line break is none, any other is a space."""
    kept = _KEPT.sub(lambda found: "" if found[1] in ("\r\n", "\n\r", "\r", "\n") else found[1], raw)
    return _BLANK.sub(" ", kept)


def _skip(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    assert found is not None
    return found.end()


def _expect(text: str, at: int, sign: str) -> int:
    at = _skip(text, at)
    if text[at : at + 1] != sign:
        raise _wrong(text, at, sign)
    return _skip(text, at + 1)


def _wrong(text: str, at: int, wanted: str) -> Malformed:
    found = repr(text[at]) if at < len(text) else "the end"
    return Malformed(f"{found} where {wanted} belongs, at character {at}")
