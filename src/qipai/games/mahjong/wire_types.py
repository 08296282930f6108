"""What is chosen, played, told and shown at a mahjong table.

A tile is its id, 0 to 143; a kind is a number from 0 to 41: see `tiles`. Seats take turns from 0 to 3;
the seat after another is its 下家.
"""

from enum import IntEnum, StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from qipai.kernel.ids import Seat

from .house_rules import DEFAULT, HouseRules


class Size(IntEnum):
    """How many tiles a hand has before a draw."""

    THIRTEEN = 13
    SIXTEEN = 16


class Flowers(StrEnum):
    """What becomes of flowers: laid open and replaced, or kept in the hand as dead tiles."""

    REPLACE = "replace"
    KEEP = "keep"


class Stage(StrEnum):
    """What the table waits for.

    `seating` and `choosing` are dice that somebody throws, for positions and for the dealer; `dealing`,
    `drawing` are asked for too. Only tables of older clients stop there.
    """

    SEATING = "seating"
    CHOOSING = "choosing"
    DEALING = "dealing"
    DRAWING = "drawing"
    DISCARDING = "discarding"
    CLAIMING = "claiming"
    HAND_OVER = "hand_over"
    GAME_OVER = "game_over"


class ClaimWindow(StrEnum):
    """What may be claimed: a discard, the tile of a kong that is being made, or another's flower."""

    DISCARD = ""
    KONG = "kong"
    FLOWER = "flower"


Money = Annotated[int, Meta(ge=0, le=1_000_000)]


class AllowedHints(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Which hints a table allows, each to everybody about his own hand.

    `waits`: what it waits for, how many of those are unseen, and their tai. `keeps`: which discards leave
    it ready. `shanten`: how many tiles it lacks until then.
    """

    waits: bool = True
    ready_discards: bool = True
    shanten: bool = True


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """What people may choose. `rounds`: how many winds are played, 4 for a whole game (一將).

    `base` and `unit` are 底 and 台, `start` is what everybody begins with. `hints`: which of them the table
    allows, or all, or none.
    """

    tiles: Size = Size.THIRTEEN
    house: HouseRules = DEFAULT
    flowers: Flowers = Flowers.REPLACE
    base: Money = 100
    unit: Money = 20
    start: Money = 0
    rounds: Annotated[int, Meta(ge=1, le=4)] = 4
    hints: bool | AllowedHints = True


class Settings(Options, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """All that a table is played by. `manual`: older clients throw, deal, draw and go on by command."""

    manual: bool = False


# Moves

Tile = Annotated[int, Meta(ge=0, le=143)]


class Roll(Struct, frozen=True, tag_field="do", tag="roll", forbid_unknown_fields=True):
    """Throw the dice: for the positions, then for the dealer."""


class Deal(Struct, frozen=True, tag_field="do", tag="deal", forbid_unknown_fields=True):
    """Shuffle and deal."""


class Draw(Struct, frozen=True, tag_field="do", tag="draw", forbid_unknown_fields=True):
    """Take the next tile of the wall."""


class Discard(
    Struct, frozen=True, tag_field="do", tag="discard", forbid_unknown_fields=True, omit_defaults=True
):
    """Put a tile down. `ready`: announce a ready hand, where the house has it; it stays as it is then."""

    tile: Tile
    ready: bool = False


class Pass(Struct, frozen=True, tag_field="do", tag="pass", forbid_unknown_fields=True):
    """Claim nothing (過)."""


class Chow(Struct, frozen=True, tag_field="do", tag="chow", forbid_unknown_fields=True):
    """吃: make a run of the discard and these two tiles of the hand, the lower one first."""

    tiles: tuple[Tile, Tile]


class Pong(Struct, frozen=True, tag_field="do", tag="pong", forbid_unknown_fields=True):
    """碰: make a pung of the discard and two tiles of the hand."""


class Kong(Struct, frozen=True, tag_field="do", tag="kong", forbid_unknown_fields=True, omit_defaults=True):
    """槓: of the discard, without `tile`; in an own turn of the tile's kind, concealed or added to a pong."""

    tile: Tile | None = None


class Hu(Struct, frozen=True, tag_field="do", tag="hu", forbid_unknown_fields=True):
    """胡: win, on a tile just drawn or on another's."""


class Next(Struct, frozen=True, tag_field="do", tag="next", forbid_unknown_fields=True):
    """Go on to the next hand, once one is over."""


Vote = Pass | Chow | Pong | Kong | Hu
AnyMove = Roll | Deal | Draw | Discard | Pass | Chow | Pong | Kong | Hu | Next


# What is shown


class Form(StrEnum):
    """吃, 碰, 明槓, 暗槓, 加槓."""

    CHOW = "chow"
    PONG = "pong"
    KONG = "kong"
    CONCEALED = "ckong"
    ADDED = "akong"


class Meld(Struct, frozen=True, omit_defaults=True):
    """A set that lies on the table. `tiles` is empty where the reader may not see a concealed kong.

    `taken` was discarded by `source`; both are null for a concealed kong.
    """

    form: Form
    tiles: tuple[int, ...] = ()
    taken: int | None = None
    source: Seat | None = None


class DiscardedTile(Struct, frozen=True, omit_defaults=True):
    """A discard; `by` has claimed it, if anybody has."""

    tile: int
    by: Seat | None = None


class Player(Struct, frozen=True, omit_defaults=True):
    """What everybody sees of a seat. `count` tiles are in its hand; `tiles` are empty until the hand is over.

    `wind` is 0 to 3 for East, South, West, North. `ready`: it has announced a ready hand.
    """

    wind: int
    score: int
    count: int = 0
    tiles: tuple[int, ...] = ()
    melds: tuple[Meld, ...] = ()
    flowers: tuple[int, ...] = ()
    discards: tuple[DiscardedTile, ...] = ()
    ready: bool = False


class Wait(Struct, frozen=True):
    """A kind that completes the hand: how many are unseen by its owner, its tai claimed and self-drawn."""

    kind: int
    unseen: int
    tai: int
    drawn: int


class ReadyDiscard(Struct, frozen=True):
    """A discard, by kind, that leaves the hand ready, and what it then waits for, if waits are told."""

    kind: int
    waits: tuple[Wait, ...]


class Hints(Struct, frozen=True, omit_defaults=True):
    """What the reader's own hand lacks, as far as the table allows to be told.

    `shanten` is how many tiles until it is ready (0: ready, -1: complete), `waits` are those of a hand
    that has not drawn, `keeps` the choices of one that has.
    """

    shanten: int | None = None
    waits: tuple[Wait, ...] = ()
    ready_discards: tuple[ReadyDiscard, ...] = ()


class PrivateView(Struct, frozen=True, omit_defaults=True):
    """What only its owner sees: his tiles in order, the one just drawn apart, and what he may do.

    In a window for claims: `hu`, `pong`, `kong`, and each `chows` by two of his tiles; `vote` is what he
    has answered. In his own turn: `hu`, `kongs` by one of their tiles, `barred` tiles that may not be
    discarded now, `readies` tiles with whose discard he may announce a ready hand. `passed`: he has let a
    win go (過水), and may not win on another's tile yet.
    """

    tiles: tuple[int, ...]
    drawn: int | None = None
    hu: bool = False
    pong: bool = False
    kong: bool = False
    chows: tuple[tuple[int, int], ...] = ()
    kongs: tuple[int, ...] = ()
    barred: tuple[int, ...] = ()
    readies: tuple[int, ...] = ()
    answer: Vote | None = None
    passed: bool = False
    hints: Hints | None = None


class Pattern(Struct, frozen=True):
    """A row of the tai table."""

    name: str
    tai: int


class Winner(Struct, frozen=True):
    """Who won: the concealed tiles with the winning one, and what they are worth without the dealer's tai."""

    seat: Seat
    tai: int
    patterns: tuple[Pattern, ...]
    hand: tuple[int, ...]
    win: int
    drawn: bool


class Result(Struct, frozen=True, omit_defaults=True):
    """How a hand ended; without winners it was drawn (荒莊). `payer` is null when all others pay.

    `dealer` are 莊家 and 連n拉n, which count between the dealer and whoever wins or pays.
    """

    delta: tuple[int, int, int, int]
    winners: tuple[Winner, ...] = ()
    payer: Seat | None = None
    dealer: tuple[Pattern, ...] = ()


class View(Struct, frozen=True, omit_defaults=True):
    """A game as one viewer sees it.

    Tiles are 0 to 143. Four of a kind follow each other, so that `tile // 4` below 136 is the kind: 0-8 萬,
    9-17 筒, 18-26 條, 27-30 東南西北, 31-33 中發白. From 136 on come the flowers 梅蘭竹菊春夏秋冬,
    kinds 34-41, one of each. While claims are waited for, whoever has answered stays in `to_act`: he may
    answer anew until all have. Once a hand is over, whoever sends `next` first begins another.

    `turn` is who draws or discards; while claims are waited for, who put down or showed the `tile` that
    may be claimed. `place` counts hands from 0 without repeats, `label` is what people call it ("1-1"),
    `wind` the prevailing one; `streak` is how often the dealer has stayed. `seating`, `choosing` and
    `opening` are dice: for positions, for the dealer, for this hand. `left` tiles are undrawn, `drawable`
    of them can be drawn. `voted` have answered. `last` is the last discard and `dropper` whose it was.
    `commitment` is the SHA-256 of this hand's seed; `seed` (hex) and `wall` are shown when the hand is
    over, with all hands.
    """

    stage: Stage
    turn: Seat
    dealer: Seat
    players: tuple[Player, Player, Player, Player]
    place: int = 0
    label: str = "1-1"
    wind: int = 0
    streak: int = 0
    seating: tuple[int, ...] = ()
    choosing: tuple[int, ...] = ()
    opening: tuple[int, ...] = ()
    left: int = 0
    drawable: int = 0
    claim_window: ClaimWindow = ClaimWindow.DISCARD
    tile: int | None = None
    answered: tuple[Seat, ...] = ()
    last: int | None = None
    discarder: Seat | None = None
    private: PrivateView | None = None
    result: Result | None = None
    commitment: str = ""
    seed: str = ""
    wall: tuple[int, ...] = ()


# What is told


class DiceRolled(Struct, frozen=True, tag_field="e", tag="dice_rolled", omit_defaults=True):
    """Dice were thrown for the positions, or for the dealer, who is told then."""

    dice: tuple[int, ...]
    dealer: Seat | None = None


class HandStarted(Struct, frozen=True, tag_field="e", tag="hand_started"):
    """Tiles were dealt, or the next hand may be; `position` replaces the reader's."""

    position: View


class Drew(Struct, frozen=True, tag_field="e", tag="drew", omit_defaults=True):
    """A seat drew; the tile is told to its owner only. `flowers` were laid open before it.

    `empty`: nothing was left to draw. `waiting`: the last flower may be robbed before it is replaced.
    """

    seat: Seat
    tile: int | None = None
    flowers: tuple[int, ...] = ()
    empty: bool = False
    waiting: bool = False


class Discarded(Struct, frozen=True, tag_field="e", tag="discarded", omit_defaults=True):
    """A seat put a tile down."""

    seat: Seat
    tile: int
    ready: bool = False


class ClaimAnswered(Struct, frozen=True, tag_field="e", tag="claim_answered", omit_defaults=True):
    """A seat has answered a window for claims; what, only itself is told."""

    seat: Seat
    answer: Vote | None = None


class Melded(Struct, frozen=True, tag_field="e", tag="melded", omit_defaults=True):
    """A seat has laid a set on the table; `place` is where among its sets, the end or a pong's place."""

    seat: Seat
    place: int
    meld: Meld


class TurnChanged(Struct, frozen=True, tag_field="e", tag="turn_changed", omit_defaults=True):
    """What the table waits for now, as in the view; answers to the last window are forgotten."""

    stage: Stage
    turn: Seat
    left: int
    drawable: int
    claim_window: ClaimWindow = ClaimWindow.DISCARD
    tile: int | None = None


class PrivateViewChanged(Struct, frozen=True, tag_field="e", tag="private_view_changed"):
    """What only the reader sees is this now."""

    private: PrivateView


class HandEnded(Struct, frozen=True, tag_field="e", tag="hand_ended"):
    """A hand ended; `position` replaces the reader's, with its result and nothing hidden."""

    position: View


GameEvent = (
    DiceRolled
    | HandStarted
    | Drew
    | Discarded
    | ClaimAnswered
    | Melded
    | TurnChanged
    | PrivateViewChanged
    | HandEnded
)
