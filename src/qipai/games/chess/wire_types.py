"""Option, move and view structs of chess, as on the wire; events are in `events`.

Squares are algebraic (`e4`), moves are UCI (`e2e4`, `e7e8q`; castling is the king's move of two files),
kinds of pieces are letters: P N B R Q K. A letter for a piece of a colour is upper case for white and lower
case for black, as in a FEN.
"""

from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta, Struct

from qipai.kernel.ids import Seat

DICE_PER_TURN: Final = 3
DIE_KINDS: Final = "PNBRQ"
"""The faces of a die in sequential mode."""


class DiceMode(StrEnum):
    """How dice are used: not at all, from left to right, or in any order."""

    NONE = ""
    SEQUENTIAL = "sequential"
    FREE = "free"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Options of a table: dice, fog, number of mines (0: none), rerolls for each player."""

    dice: DiceMode = DiceMode.NONE
    fog: bool = False
    mines: Annotated[int, Meta(ge=0, le=20)] = 0
    rerolls: Annotated[int, Meta(ge=0, le=3)] = 0


def twist(options: Options) -> str:
    """Return the twist of a game: the one that was chosen, `plain` for none and `mixed` for several."""
    chosen = [
        *(("dice",) if options.dice is not DiceMode.NONE else ()),
        *(("fog",) if options.fog else ()),
        *(("mines",) if options.mines else ()),
    ]
    return "mixed" if len(chosen) > 1 else "".join(chosen) or "plain"


class Settings(Options, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options of a game with the fields that only tables of older clients set.

    `white` is the seat with the white pieces. `legacy_rules`: the dice mode follows the roll that
    the client asks for, a draw cannot be claimed, and a time forfeit always loses. `unchecked_moves`:
    the client has rules of its own, so the server checks only turns and squares.
    """

    mines: Annotated[int, Meta(ge=0, le=32)] = 0

    white: Annotated[Seat, Meta(ge=0, le=1)] = Seat(0)
    legacy_rules: bool = False
    unchecked_moves: bool = False


# Moves

Uci = Annotated[str, Meta(pattern="^[a-h][1-8][a-h][1-8][qrbn]?$")]


class Move(Struct, frozen=True, tag_field="do", tag="move", forbid_unknown_fields=True):
    """Move a piece."""

    uci: Uci


class Skip(Struct, frozen=True, tag_field="do", tag="skip", forbid_unknown_fields=True):
    """Skip the current die, if only the king could use it."""


class Reroll(Struct, frozen=True, tag_field="do", tag="reroll", forbid_unknown_fields=True):
    """Roll all dice again, before the first of them is used."""


class ClaimDraw(Struct, frozen=True, tag_field="do", tag="claim_draw", forbid_unknown_fields=True):
    """Claim a draw by threefold repetition (FIDE 9.2) or the fifty-move rule (FIDE 9.3)."""


class Roll(Struct, frozen=True, tag_field="do", tag="roll", forbid_unknown_fields=True, omit_defaults=True):
    """Roll the dice, for an older client; `kinds` is how many kinds of pieces it considers movable."""

    kinds: Annotated[int, Meta(ge=0, le=6)] = 0


class SetDice(Struct, frozen=True, tag_field="do", tag="set_dice", forbid_unknown_fields=True):
    """Set the dice that an older client has rolled itself: three letters."""

    dice: Annotated[str, Meta(pattern="^[PNBRQ]{3}$")]


AnyMove = Move | Skip | Reroll | ClaimDraw | Roll | SetDice


# View


class DiceRoll(Struct, frozen=True, omit_defaults=True):
    """One roll: the number of moves before it, its seat, its dice, and the use of each die.

    `used` has one character per die: `.` unused, `x` used, `-` skipped. `again`: a reroll of the one before.
    """

    ply: int
    seat: Seat
    dice: str
    used: str
    again: bool = False


class CurrentDice(Struct, frozen=True, omit_defaults=True):
    """The dice on the table. `dice` is empty before a roll; `used` is as in `DiceRoll`.

    `owner` is the seat that rolled; `current` is the index of the die to use, -1 if any may be used. `free`:
    the seat to act is in check and makes one move without dice; then the owner continues with the `kept`
    dice. `movers` are the kinds of pieces that may move now. `skip`, `reroll`: the seat to act may do it.
    `rerolls` are the rerolls left to each seat. `picks`: in free mode with an older client, the index of each
    unused die in the list of movable kinds.
    """

    owner: Seat
    dice: str = ""
    used: str = ""
    current: int = -1
    free: bool = False
    kept: bool = False
    movers: str = ""
    skip: bool = False
    reroll: bool = False
    rerolls: tuple[int, int] = (0, 0)
    picks: tuple[int, ...] = ()


class MineCount(Struct, frozen=True):
    """The number of unexploded mines around a square on which a move has ended."""

    square: str
    mines: int


class Explosion(Struct, frozen=True):
    """An explosion: number of the move (from 1), square, and the piece if the viewer could see it."""

    ply: int
    square: str
    piece: str


class Minefield(Struct, frozen=True, omit_defaults=True):
    """The mines: how many are left, mine counts, explosions; `all` squares when the game is over."""

    left: int
    numbers: tuple[MineCount, ...] = ()
    explosions: tuple[Explosion, ...] = ()
    all: tuple[str, ...] = ()


class View(Struct, frozen=True, omit_defaults=True):
    """A game as one viewer sees it.

    `turn` is the seat to move. `moves` are in order, empty where the viewer did not see one; `sides` has `w`
    or `b` for each of them if they do not alternate. `taken` are the captured and exploded pieces in order,
    as far as the viewer knows them. `draw_claim` is the draw that the seat to move may claim: `threefold` or
    `fifty`.

    In fog, `fen` is empty until the game is over. `board` has 64 squares from a8 to h1: a piece, `.` or `?`.
    `dests` are the viewer's moves as if it were the viewer's turn, separated by spaces. When the game is
    over, `boards` are the boards that the viewer saw: at the start and after each move.
    """

    white: Seat
    turn: Seat
    fen: str
    moves: tuple[str, ...] = ()
    sides: str = ""
    check: bool = False
    draw_claim: str = ""
    taken: str = ""
    board: str = ""
    dests: str = ""
    boards: tuple[str, ...] = ()
    dice: CurrentDice | None = None
    rolls: tuple[DiceRoll, ...] = ()
    minefield: Minefield | None = None
