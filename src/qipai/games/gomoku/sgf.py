"""Writes and reads games as SGF (FF[4], GM[4])."""

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

from .lines import GRIDS, SIZE
from .rules import RULES
from .state import State, first_state
from .wire_types import OTHER, PLACES_OF, OpeningRule, View

MAX_TEXT: Final = 64 * 1024
_LETTERS: Final = "abcdefghijklmnopqrs"
_COLOURS: Final = "BW"
_PER_LINE: Final = 10
_MOST_CELLS: Final = max(grid.cells for grid in GRIDS.values())
_RULES: Final = {OpeningRule.SWAP2: "Swap2", OpeningRule.RENJU: "Renju"}
"""Values of `RU`; a game with free opening has none."""
_WIN_REASONS: Final = {"resigned": "R", "time": "T", "left": "F"}
"""Suffix of the SGF result of a game that was not won on the board."""
_RESULT: Final = re.compile(r"0|Draw|Void|\?|[BW]\+(?:R|Resign|T|Time|F|Forfeit)?")
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_BLANK: Final = re.compile(r"\r\n|\n\r|[\t\v\f\r\n]")
_ILLEGAL: Final = {Refusal.OCCUPIED: "on a stone", Refusal.ILLEGAL: "on a forbidden point"}
_UNUSED_RANDOM: Final = Random(bytes(SEED_BYTES))
"""Gomoku moves draw nothing from it."""

Node = Mapping[str, Sequence[str]]


class SgfGame(Struct, frozen=True):
    """A game as in an SGF file; `moves` are cells, x + size * y, black first.

    `result` is SGF's: `B+` or `W+`, with R, T or F for a win off the board, `0` for a draw, `Void` for an
    abandoned game, `?` or empty if unknown.
    """

    moves: tuple[int, ...]
    black: str = ""
    white: str = ""
    result: str = ""
    day: date | None = None
    rule: OpeningRule = OpeningRule.FREE
    size: int = SIZE


def sgf_game(view: View, names: tuple[str, str], outcome: Outcome | None, day: date | None = None) -> SgfGame:
    """Return the SGF game of a view; `names` are those of the seats."""
    black, white = names[view.black], names[OTHER[view.black]]
    result = result_of(view.black, outcome)
    return SgfGame(view.moves, black, white, result, day, view.rule, view.size)


def result_of(black: Seat, outcome: Outcome | None) -> str:
    """Return the SGF result of a game."""
    if outcome is None:
        return "?"
    if outcome.winners:
        return f"{_COLOURS[outcome.winners[0] != black]}+{_WIN_REASONS.get(outcome.reason, '')}"
    return "Void" if outcome.reason == "abandoned" else "0"


# Writing


def sgf_of(view: View, headers: GameHeaders) -> str:
    """Return a finished game as SGF."""
    first, second = headers.names
    return write_sgf(sgf_game(view, (first, second), headers.outcome, headers.day))


def write_sgf(game: SgfGame) -> str:
    """Return a game as SGF."""
    root = [f"(;FF[4]GM[4]SZ[{game.size}]CA[UTF-8]AP[Qipai]"]
    for name, value in (
        ("RU", _RULES.get(game.rule, "")),
        ("PB", game.black),
        ("PW", game.white),
        ("DT", game.day.isoformat() if game.day else ""),
        ("RE", game.result),
    ):
        if value:
            root.append(f"{name}[{_escaped(value)}]")
    moves = [f";{_COLOURS[number % 2]}[{_point(cell, game.size)}]" for number, cell in enumerate(game.moves)]
    rows = ["".join(moves[start : start + _PER_LINE]) for start in range(0, len(moves), _PER_LINE)]
    return "\n".join(["".join(root), *rows]) + ")\n"


def _escaped(value: str) -> str:
    line = _BLANK.sub(" ", value)
    return line.replace("\\", "\\\\").replace("]", "\\]")


def _point(cell: int, size: int) -> str:
    return _LETTERS[cell % size] + _LETTERS[cell // size]


# Reading


def read_sgf(text: str) -> SgfGame:
    """Return the only game of a text, without variations, every stone legal; or raise `Malformed`."""
    if len(text) > MAX_TEXT:
        raise Malformed(f"longer than {MAX_TEXT} characters")
    nodes = list(_nodes(text))
    root = nodes[0]
    for name, wanted in (("GM", ("4",)), ("SZ", ("15", "19")), ("FF", ("4", ""))):
        if (value := _single_value(root, name)) not in wanted:
            readable = " or ".join(f"{name}[{each}]" for each in wanted if each)
            raise Malformed(f"{name} is {value or 'missing'}; only {readable} can be read")
    if (charset := _single_value(root, "CA")) and charset.upper() != "UTF-8":
        raise Malformed(f"CA is {charset}; only UTF-8 can be read")
    rule = _rule(_single_value(root, "RU"))
    # The stones of swap2 are those of a free game; a file does not tell who chose what.
    playing = OpeningRule.RENJU if rule is OpeningRule.RENJU else OpeningRule.FREE
    state = first_state(Seat(0), playing, int(_single_value(root, "SZ")))
    for node in nodes:
        state = _play_node(state, node)
    result = _short_result(_single_value(root, "RE"))
    board = RULES.outcome(state)
    if board is not None and result not in ("", result_of(state.black, board)):
        raise Malformed(f"RE is {result}, but on the board it is {result_of(state.black, board)}")
    return SgfGame(
        state.moves,
        _single_value(root, "PB"),
        _single_value(root, "PW"),
        result,
        _day(_single_value(root, "DT")),
        rule,
        state.size,
    )


def _rule(value: str) -> OpeningRule:
    """Return the opening rule of a file; a name that is not known stands for a free opening."""
    return next((rule for rule, name in _RULES.items() if name.lower() == value.lower()), OpeningRule.FREE)


def _short_result(value: str) -> str:
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


def _single_value(node: Node, name: str) -> str:
    values = node.get(name, ("",))
    if len(values) > 1:
        raise Malformed(f"{name} has more than one value")
    return values[0]


def _play_node(state: State, node: Node) -> State:
    """Return the position after the stone of a node, if it has one."""
    if found := {"AB", "AW", "AE"} & set(node):
        raise Malformed(f"{min(found)}: a position that was set up cannot be read")
    colours = [colour for colour in _COLOURS if colour in node]
    if not colours:
        return state
    number = len(state.moves) + 1
    if colours != [_COLOURS[len(state.moves) % 2]]:
        raise Malformed(f"move {number} is not {('black', 'white')[len(state.moves) % 2]}'s alone")
    point = _single_value(node, colours[0])
    size = state.size
    if len(point) != 2 or any(letter not in _LETTERS[:size] for letter in point):
        raise Malformed(f"move {number} is no point of the board: {point or 'a pass'}")
    cell = _LETTERS.index(point[0]) + size * _LETTERS.index(point[1])
    try:
        after = RULES.play(state, Seat((number - 1) % 2), PLACES_OF[size][cell], _UNUSED_RANDOM).state
    except IllegalCommand as illegal:
        reason = _ILLEGAL.get(illegal.code, "after the end")
        raise Malformed(f"move {number} is {reason}: {point}") from None
    assert isinstance(after, State)
    return after


_SPACE: Final = re.compile(r"[ \t\v\f\r\n]*")
_NAME: Final = re.compile(r"[A-Z]{1,8}")
_VALUE: Final = re.compile(r"\[((?:[^\\\]]|\\.)*)\]", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\(\r\n|\n\r|.)", re.DOTALL)


def _nodes(text: str) -> Iterator[Node]:
    """Yield the nodes of the only game tree in the text; raise `Malformed` for variations."""
    position = _expect(text, 0, "(")
    if text[position : position + 1] != ";":
        raise _unexpected(text, position, ";")
    count = 0
    while text[position : position + 1] == ";":
        count += 1
        if count > 2 * _MOST_CELLS:
            raise Malformed("more nodes than a game can have")
        position = _skip(text, position + 1)
        node: dict[str, tuple[str, ...]] = {}
        while (name := _NAME.match(text, position)) is not None:
            if name[0] in node:
                raise Malformed(f"{name[0]} stands twice in one node, at character {position}")
            values, position = _values(text, _skip(text, name.end()))
            node[name[0]] = values
        yield node
    if text[position : position + 1] == "(":
        raise Malformed(f"variations cannot be read, at character {position}")
    position = _expect(text, position, ")")
    if position < len(text):
        raise Malformed(f"something follows the game, at character {position}")


def _values(text: str, position: int) -> tuple[tuple[str, ...], int]:
    values: list[str] = []
    while (value := _VALUE.match(text, position)) is not None:
        values.append(_unescaped(value[1]))
        position = _skip(text, value.end())
    if not values:
        raise _unexpected(text, position, "[…]")
    return tuple(values), position


def _unescaped(raw: str) -> str:
    """Return a value without its escapes; an escaped line break is removed, any other becomes a space."""
    unescaped = _ESCAPE.sub(lambda found: "" if found[1] in ("\r\n", "\n\r", "\r", "\n") else found[1], raw)
    return _BLANK.sub(" ", unescaped)


def _skip(text: str, position: int) -> int:
    found = _SPACE.match(text, position)
    assert found is not None
    return found.end()


def _expect(text: str, position: int, sign: str) -> int:
    position = _skip(text, position)
    if text[position : position + 1] != sign:
        raise _unexpected(text, position, sign)
    return _skip(text, position + 1)


def _unexpected(text: str, position: int, wanted: str) -> Malformed:
    found = repr(text[position]) if position < len(text) else "the end"
    return Malformed(f"{found} where {wanted} belongs, at character {position}")
