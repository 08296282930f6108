"""Games of chess as PGN text.

Whoever reads PGN sees an ordinary game. A side that makes several moves in a row is answered by null moves
(`--`); dice, explosions and mines stand in comments, `{[%dice PNQ w x-x]}`, `{[%boom e4 N]}` and
`{[%mines c3 f5]}`. Where ordinary chess can no longer follow, because a piece blew up or because nobody
checked the moves, the rest is in `{[%moves e7e5 -- a7a6]}`, again with `--` for whoever did not move.
"""

from collections.abc import Iterable, Iterator
from typing import Final

import chess

from qipai.kernel.game_interface.game_headers import GameHeaders

from .game_record import UNKNOWN, Record, heading, record
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
"""PGN's own words for how a game ended; any other reason is `normal`."""
_NULL_MOVE: Final = chess.Move.null()


def twists(options: Settings) -> str:
    """Return what makes a game different from plain chess, in words; nothing if nothing does."""
    words = (
        f"dice={options.dice.value}" if options.dice else "",
        "fog" if options.fog else "",
        f"mines={options.mines}" if options.mines else "",
        f"rerolls={options.rerolls}" if options.rerolls else "",
        "older" if options.older else "",
        "trusting" if options.trusting else "",
    )
    return " ".join(word for word in words if word)


def text(seen: View, occasion: GameHeaders) -> str:
    """Return a finished game as PGN."""
    return write(record(seen, heading(seen, occasion)))


def write(game: Record) -> str:
    """Return the text of a game."""
    head = game.heading
    tags = [
        ("Event", head.event),
        ("Site", head.site),
        ("Date", head.day.strftime("%Y.%m.%d") if head.day else "????.??.??"),
        ("Round", str(head.round) if head.round else UNKNOWN),
        ("White", head.white),
        ("Black", head.black),
        ("Result", head.result),
        ("Termination", _TERMINATION.get(head.reason, "normal")),
        ("Reason", head.reason),
        ("Qipai", twists(head.options)),
    ]
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags if value]
    return "\n".join([*lines, "", *_wrapped([*_movetext(game), head.result])]) + "\n"


def _movetext(game: Record) -> Iterator[str]:
    board: chess.Board | None = chess.Board()
    turn, numbered = "w", False
    rest: list[str] = []
    for ply in range(len(game.moves) + 1):
        notes = list(_notes(game, ply))
        if rest and (notes or ply == len(game.moves)):
            yield from _comment("moves", *rest)
            rest = []
        for note in notes:
            yield from _comment(*note)
            numbered = False
        if ply == len(game.moves):
            break
        uci, side = game.moves[ply], game.sides[ply]
        pause = side != turn
        turn = "b" if side == "w" else "w"
        if board is not None and any(blast.ply == ply for blast in game.blasts):
            board = None
        if board is not None:
            board = _following(board, uci, pause=pause, trusting=game.heading.options.trusting)
        if board is None:
            rest += [NULL, uci or UNKNOWN] if pause else [uci or UNKNOWN]
            continue
        for move in [_NULL_MOVE, chess.Move.from_uci(uci)][not pause :]:
            if board.turn or not numbered:
                yield f"{board.fullmove_number}{'.' if board.turn else '...'}"
            yield board.san(move)
            board.push(move)
            numbered = True
    if game.mines:
        yield from _comment("mines", *game.mines)


def _notes(game: Record, ply: int) -> Iterator[tuple[str, ...]]:
    """Yield what is to be noted after so many moves: what blew up with the last of them, and throws."""
    for blast in game.blasts:
        if blast.ply == ply:
            yield ("boom", blast.square, *([blast.piece] if blast.piece else []))
    for cast in game.casts:
        if cast.ply == ply:
            yield ("dice", cast.dice, cast.side, cast.used, *(["again"] if cast.again else []))


def _following(board: chess.Board, uci: str, *, pause: bool, trusting: bool) -> chess.Board | None:
    """Return the board, if this move is possible on it by the rules that everybody knows."""
    before = board.copy(stack=False)
    if pause:
        if board.is_check():
            return None
        before.push(_NULL_MOVE)
    move = next((move for move in before.legal_moves if move.uci() == uci), None)
    if move is None:
        return None
    # Where nobody checks, one piece is moved and nothing else.
    double = before.is_castling(move) or before.is_en_passant(move)
    return None if trusting and double else board


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
