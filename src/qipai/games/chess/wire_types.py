"""What is chosen, played, told and shown at a chess table.

Squares are written as people do (`e4`), moves in UCI's notation (`e2e4`, `e7e8q`; castling is the king's
move of two files), kinds of pieces by their letters, P N B R Q K. Where a letter stands for a piece of a
colour it is large for white and small for black, as in a FEN.
"""

from enum import StrEnum
from typing import Annotated, Final

from msgspec import Meta, Struct

from qipai.kernel.ids import Seat

DICE: Final = 3
KINDS: Final = "PNBRQ"
"""What a die shows in sequential play."""


class DiceMode(StrEnum):
    """How dice are used: not at all, strictly from left to right, or in any order."""

    NONE = ""
    SEQUENTIAL = "sequential"
    FREE = "free"


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What people may choose: dice, fog, the number of mines (0: none), and new throws for each player."""

    dice: DiceMode = DiceMode.NONE
    fog: bool = False
    mines: Annotated[int, Meta(ge=0, le=20)] = 0
    rerolls: Annotated[int, Meta(ge=0, le=3)] = 0


class Settings(Options, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """All that a table is played by; what is beyond the options comes from older clients only.

    `white` is the seat that begins. `older`: dice are used as the older clients do, nobody claims a draw,
    and whoever runs out of time loses whatever the other has left. `trusting`: the older clients play by
    rules of their own, so only turns and squares are checked.
    """

    mines: Annotated[int, Meta(ge=0, le=32)] = 0

    white: Annotated[Seat, Meta(ge=0, le=1)] = Seat(0)
    older: bool = False
    trusting: bool = False


# Moves

Uci = Annotated[str, Meta(pattern="^[a-h][1-8][a-h][1-8][qrbn]?$")]


class Move(Struct, frozen=True, tag_field="do", tag="move", forbid_unknown_fields=True):
    """Move a piece."""

    uci: Uci


class Skip(Struct, frozen=True, tag_field="do", tag="skip", forbid_unknown_fields=True):
    """Let the present die go, where only the king could use it."""


class Reroll(Struct, frozen=True, tag_field="do", tag="reroll", forbid_unknown_fields=True):
    """Throw all dice again, before the first of them is used."""


class ClaimDraw(Struct, frozen=True, tag_field="do", tag="claim_draw", forbid_unknown_fields=True):
    """Claim the draw that the position offers: threefold repetition or fifty moves."""


class Roll(Struct, frozen=True, tag_field="do", tag="roll", forbid_unknown_fields=True, omit_defaults=True):
    """Ask for the dice, as an older client does; `kinds` is how many the asker thinks can move."""

    kinds: Annotated[int, Meta(ge=0, le=6)] = 0


class SetDice(Struct, frozen=True, tag_field="do", tag="set_dice", forbid_unknown_fields=True):
    """Bring dice of one's own, as an older client does: three letters."""

    dice: Annotated[str, Meta(pattern="^[PNBRQ]{3}$")]


AnyMove = Move | Skip | Reroll | ClaimDraw | Roll | SetDice


# What is shown


class DiceRoll(Struct, frozen=True, omit_defaults=True):
    """A throw: after how many moves of the game, whose, what it showed, and what became of each die.

    `used` has a sign for each die: `.` not yet, `x` used, `-` skipped. `again`: it replaced the one before.
    """

    ply: int
    seat: Seat
    dice: str
    used: str
    again: bool = False


class CurrentDice(Struct, frozen=True, omit_defaults=True):
    """The dice on the table. `dice` is empty before a throw, `used` as in `Thrown`.

    `owner` threw them; `current` is the die to use, -1 if any may be. `free`: whoever is to act makes
    one move without dice, because he is in check; then the owner goes on with what is `kept`.
    `movers` are the kinds of pieces that may move now. `skip` and `reroll`: whoever is to act may do it.
    `rerolls` are what each seat has left.
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


class MineCount(Struct, frozen=True):
    """How many unexploded mines lie around a square that somebody has landed on."""

    square: str
    mines: int


class Explosion(Struct, frozen=True):
    """A piece that went up: with which move of the game (from 1), where, and the piece if it was seen."""

    ply: int
    square: str
    piece: str


class Minefield(Struct, frozen=True, omit_defaults=True):
    """What is known of the mines: how many are left, numbers, blasts; `all` of them when the game is over."""

    left: int
    numbers: tuple[MineCount, ...] = ()
    explosions: tuple[Explosion, ...] = ()
    all: tuple[str, ...] = ()


class View(Struct, frozen=True, omit_defaults=True):
    """A game as one viewer sees it.

    `turn` is the seat to move. `moves` are in order, empty where one was not seen; `sides` has `w` or `b`
    for each of them if they do not simply alternate. `taken` are the captured and exploded pieces in
    order, as far as they are known. `claim` is the draw that whoever is to move may claim: `threefold`
    or `fifty`.

    In fog `fen` is empty until the game is over. `board` shows 64 squares from a8 to h1: a piece, `.` or
    `?`. `dests` are the reader's moves as if it were his turn, with spaces between. When the game is
    over `boards` are what he saw: at the beginning and after each move.
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


# What is told


class Moved(Struct, frozen=True, tag_field="e", tag="moved", omit_defaults=True):
    """A piece was moved; `fen` is the position now, explosions included. `taken`: what was captured."""

    seat: Seat
    uci: str
    fen: str
    check: bool = False
    taken: str = ""
    claim: str = ""


class MoveInFog(Struct, frozen=True, tag_field="e", tag="moved_in_fog", omit_defaults=True):
    """A piece was moved in the fog, or sight has changed; `uci` is empty where the reader saw no move.

    `plies` is how many moves there are now. The rest is as in the view.
    """

    seat: Seat
    uci: str
    plies: int
    board: str
    dests: str
    turn: Seat
    check: bool = False
    taken: str = ""
    claim: str = ""


class Rolled(Struct, frozen=True, tag_field="e", tag="rolled", omit_defaults=True):
    """Dice were thrown. `picks`: in free play, the places in the list of kinds that could move."""

    seat: Seat
    dice: str
    again: bool = False
    picks: tuple[int, ...] = ()
    brought: bool = False
    """A client brought them itself."""


class DiceChanged(Struct, frozen=True, tag_field="e", tag="dice_changed", omit_defaults=True):
    """The dice on the table are these now; `fen` is the position if it is another one without a move."""

    dice: CurrentDice
    fen: str = ""


class Passed(Struct, frozen=True, tag_field="e", tag="passed"):
    """A seat could use none of its dice, and its turn went by."""

    seat: Seat


class Exploded(Struct, frozen=True, tag_field="e", tag="exploded", omit_defaults=True):
    """A mine went off; the piece is told to whoever could see it. `left` mines are left."""

    square: str
    left: int
    piece: str = ""


class LandedOnNumber(Struct, frozen=True, tag_field="e", tag="landed_on_number"):
    """Somebody landed on a square: so many unexploded mines lie around it."""

    square: str
    mines: int


class Claimed(Struct, frozen=True, tag_field="e", tag="draw_claimed"):
    """A draw was claimed, and is one."""

    seat: Seat


GameEvent = Moved | MoveInFog | Rolled | DiceChanged | Passed | Exploded | LandedOnNumber | Claimed
