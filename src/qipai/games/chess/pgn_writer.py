"""Writes games as PGN; dice, explosions and mines are comments.

Every PGN reader can replay the game. If one side moves several times in a row, the other makes null moves
(`--`). Comments hold dice, explosions and mines: `{[%dice PNQ w x-x]}`, `{[%boom e4 N]}`,
`{[%mines c3 f5]}`. After an explosion or an unchecked move that standard chess cannot replay, the rest of the
moves is in `{[%moves e7e5 -- a7a6]}`, also with `--` for a side that did not move.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import chess

from qipai.kernel.game_interface.game_headers import GameHeaders

from .game_record import UNKNOWN, Record, heading_of, record_of
from .wire_types import Settings, View

WIDTH: Final = 80
NULL: Final = "--"
_TERMINATION: Final = {
    "time": "time forfeit",
    "time_material": "time forfeit",
    "left": "abandoned",
    "aborted": "abandoned",
    "abandoned": "abandoned",
    "": "unterminated",
}
"""Values of the PGN tag Termination; any other reason is `normal`."""
_NULL_MOVE: Final = chess.Move.null()


def variant_words(options: Settings) -> str:
    """Return the value of the tag `Qipai`: the options that differ from standard chess."""
    words = (
        f"dice={options.dice.value}" if options.dice else "",
        "fog" if options.fog else "",
        f"mines={options.mines}" if options.mines else "",
        f"rerolls={options.rerolls}" if options.rerolls else "",
        "legacy_rules" if options.legacy_rules else "",
        "unchecked_moves" if options.unchecked_moves else "",
    )
    return " ".join(word for word in words if word)


def pgn_of(view: View, headers: GameHeaders) -> str:
    """Return a finished game as PGN."""
    return write_pgn(record_of(view, heading_of(view, headers)))


def write_pgn(game: Record) -> str:
    """Return a game as PGN."""
    heading = game.heading
    tags = [
        ("Event", heading.event),
        ("Site", heading.site),
        ("Date", heading.day.strftime("%Y.%m.%d") if heading.day else "????.??.??"),
        ("Round", str(heading.round) if heading.round else UNKNOWN),
        ("White", heading.white),
        ("Black", heading.black),
        ("Result", heading.result),
        ("Termination", _TERMINATION.get(heading.reason, "normal")),
        ("Reason", heading.reason),
        ("Qipai", variant_words(heading.options)),
    ]
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags if value]
    return "\n".join([*lines, "", *_wrapped([*_movetext(game), heading.result])]) + "\n"


def _movetext(game: Record) -> Iterator[str]:
    board: chess.Board | None = chess.Board()
    turn, numbered = "w", False
    unplayed: list[str] = []
    for ply in range(len(game.moves) + 1):
        comments = list(_comments_at(game, ply))
        if unplayed and (comments or ply == len(game.moves)):
            yield from _comment("moves", *unplayed)
            unplayed = []
        for comment in comments:
            yield from _comment(*comment)
            numbered = False
        if ply == len(game.moves):
            break
        uci, side = game.moves[ply], game.sides[ply]
        passed = side != turn
        turn = "b" if side == "w" else "w"
        if board is not None and any(explosion.ply == ply for explosion in game.explosions):
            board = None
        if board is not None:
            board = _playable_on(board, uci, passed=passed, unchecked=game.heading.options.unchecked_moves)
        if board is None:
            unplayed += [NULL, uci or UNKNOWN] if passed else [uci or UNKNOWN]
            continue
        for move in [_NULL_MOVE, chess.Move.from_uci(uci)][not passed :]:
            if board.turn or not numbered:
                yield f"{board.fullmove_number}{'.' if board.turn else '...'}"
            yield board.san(move)
            board.push(move)
            numbered = True
    if game.mines:
        yield from _comment("mines", *game.mines)


def _comments_at(game: Record, ply: int) -> Iterator[tuple[str, ...]]:
    """Yield the comments after so many moves: the explosion of the last one, and rolls."""
    for explosion in game.explosions:
        if explosion.ply == ply:
            yield ("boom", explosion.square, *([explosion.piece] if explosion.piece else []))
    for roll in game.rolls:
        if roll.ply == ply:
            yield ("dice", roll.dice, roll.side, roll.used, *(["again"] if roll.again else []))


def _playable_on(board: chess.Board, uci: str, *, passed: bool, unchecked: bool) -> chess.Board | None:
    """Return the board if the move, after a null move if one is due, is legal on it in standard chess."""
    before = board
    if passed:
        if board.is_check():
            return None
        before = board.copy(stack=False)
        before.push(_NULL_MOVE)
    if uci[:2] not in chess.SQUARE_NAMES:
        return None
    # Only the moves of this piece: all of them take most of the time in which a record is written.
    moves = before.generate_legal_moves(chess.BB_SQUARES[chess.parse_square(uci[:2])])
    move = next((move for move in moves if move.uci() == uci), None)
    if move is None:
        return None
    # An unchecked move moves one piece only.
    moves_two_pieces = before.is_castling(move) or before.is_en_passant(move)
    return None if unchecked and moves_two_pieces else board


def _comment(name: str, *words: str) -> Iterator[str]:
    yield f"{{[%{name}"
    yield from words[:-1]
    yield f"{words[-1]}]}}"


def _wrapped(words: Iterable[str]) -> Iterator[str]:
    line = ""
    for word in words:
        if line and len(line) + 1 + len(word) > WIDTH:
            yield line
            line = word
        else:
            line = f"{line} {word}" if line else word
    yield line


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
