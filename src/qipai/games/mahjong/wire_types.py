"""Option, move and view structs of mahjong, as on the wire; events are in `events`.

A tile is its id, 0 to 143; a kind is a number from 0 to 41: see `tiles`. Seats take turns from 0 to 3; the
next seat is the 下家.
"""

from enum import IntEnum, StrEnum
from typing import Annotated

from msgspec import Meta, Struct

from qipai.kernel.ids import Seat

from .house_rules import DEFAULT, HouseRules


class Size(IntEnum):
    """Tiles of a hand before a draw."""

    THIRTEEN = 13
    SIXTEEN = 16


class Flowers(StrEnum):
    """Flowers are shown and replaced, or kept in the hand as useless tiles."""

    REPLACE = "replace"
    KEEP = "keep"


class Stage(StrEnum):
    """What the table waits for.

    `seating` and `choosing` wait for a roll of dice, for the positions and for the dealer; `dealing` and
    `drawing` wait for the deal and the draw. Only tables of older clients stop in these four stages.
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
    """What may be claimed: a discard, the tile of a kong, or another player's flower."""

    DISCARD = ""
    KONG = "kong"
    FLOWER = "flower"


Money = Annotated[int, Meta(ge=0, le=1_000_000)]


class AllowedHints(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Hints that a table allows; each player gets them for the own hand.

    `waits`: the waits, how many of them are unseen, and their tai. `ready_discards`: which discards leave the
    hand ready. `shanten`: how many tiles are missing to a ready hand.
    """

    waits: bool = True
    ready_discards: bool = True
    shanten: bool = True


class Options(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Options of a table. `rounds`: how many winds are played, 4 for a whole game (一將).

    `base` and `unit` are 底 and 台, `start` is the score of every seat at the start. `hints`: the allowed
    hints, or true for all, false for none.
    """

    tiles: Size = Size.THIRTEEN
    house: HouseRules = DEFAULT
    flowers: Flowers = Flowers.REPLACE
    base: Money = 100
    unit: Money = 20
    start: Money = 0
    rounds: Annotated[int, Meta(ge=1, le=4)] = 4
    hints: bool | AllowedHints = True


def twist(options: Options) -> str:
    """Return the twist of a game: how many tiles a hand has."""
    return str(options.tiles.value)


class Settings(Options, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """The options of a game with the field that only tables of older clients set.

    `manual_steps`: rolls, the deal, draws and the next hand wait for a command.
    """

    # The name on the wire is that of the page.
    manual_steps: bool = False


# Moves

Tile = Annotated[int, Meta(ge=0, le=143)]


class Roll(Struct, frozen=True, tag_field="do", tag="roll", forbid_unknown_fields=True):
    """Roll the dice: for the positions, then for the dealer."""


class Deal(Struct, frozen=True, tag_field="do", tag="deal", forbid_unknown_fields=True):
    """Shuffle and deal."""


class Draw(Struct, frozen=True, tag_field="do", tag="draw", forbid_unknown_fields=True):
    """Draw the next tile of the wall."""


class Discard(
    Struct, frozen=True, tag_field="do", tag="discard", forbid_unknown_fields=True, omit_defaults=True
):
    """Discard a tile. `ready`: declare a ready hand, if the house rules allow it; the hand is fixed then."""

    tile: Tile
    ready: bool = False


class Pass(Struct, frozen=True, tag_field="do", tag="pass", forbid_unknown_fields=True):
    """Claim nothing (過)."""


class Chow(Struct, frozen=True, tag_field="do", tag="chow", forbid_unknown_fields=True):
    """吃: meld a run of the discard and these two tiles of the hand, the lower one first."""

    tiles: tuple[Tile, Tile]


class Pong(Struct, frozen=True, tag_field="do", tag="pong", forbid_unknown_fields=True):
    """碰: meld a pung of the discard and two tiles of the hand."""


class Kong(Struct, frozen=True, tag_field="do", tag="kong", forbid_unknown_fields=True, omit_defaults=True):
    """槓: without `tile`, of the discard; with it, in the own turn: concealed, or added to a pong."""

    tile: Tile | None = None


class Hu(Struct, frozen=True, tag_field="do", tag="hu", forbid_unknown_fields=True):
    """胡: win, on the tile just drawn or on another player's."""


class Next(Struct, frozen=True, tag_field="do", tag="next", forbid_unknown_fields=True):
    """Start the next hand, after a hand is over."""


ClaimAnswer = Pass | Chow | Pong | Kong | Hu
AnyMove = Roll | Deal | Draw | Discard | Pass | Chow | Pong | Kong | Hu | Next


# View


class Form(StrEnum):
    """吃, 碰, 明槓, 暗槓, 加槓."""

    CHOW = "chow"
    PONG = "pong"
    KONG = "kong"
    CONCEALED = "ckong"
    ADDED = "akong"


class Meld(Struct, frozen=True, omit_defaults=True):
    """A meld. `tiles` is empty if the viewer may not see a concealed kong.

    `taken` is the claimed discard of `source`; both are null for a concealed kong.
    """

    form: Form
    tiles: tuple[int, ...] = ()
    taken: int | None = None
    source: Seat | None = None


class DiscardedTile(Struct, frozen=True, omit_defaults=True):
    """A discard; `by` is the seat that claimed it, if any."""

    tile: int
    by: Seat | None = None


class Player(Struct, frozen=True, omit_defaults=True):
    """The public part of a seat. `count` is the number of its tiles; `tiles` is empty until the hand ends.

    `wind` is 0 to 3 for East, South, West, North. `ready`: the seat has declared a ready hand.
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
    """A wait: how many of the kind the owner has not seen, tai of a claimed and of a self-drawn win."""

    kind: int
    unseen: int
    tai: int
    drawn: int


class ReadyDiscard(Struct, frozen=True):
    """The kind of a discard that leaves the hand ready, and the waits then, if the table allows them."""

    kind: int
    waits: tuple[Wait, ...]


class Hints(Struct, frozen=True, omit_defaults=True):
    """Hints about the viewer's own hand, as far as the table allows them.

    `shanten` is the number of tiles missing to a ready hand (0: ready, -1: complete). `waits` are those of a
    hand before a draw, `ready_discards` the choices of one after it.
    """

    shanten: int | None = None
    waits: tuple[Wait, ...] = ()
    ready_discards: tuple[ReadyDiscard, ...] = ()


class PrivateView(Struct, frozen=True, omit_defaults=True):
    """What only one seat sees: its tiles in order without the one just drawn, and what it may do.

    In a claim window: `hu`, `pong`, `kong`, and each of `chows` as two tiles of the hand; `answer` is the
    seat's answer so far. In the own turn: `hu`, `kongs` by one tile each, `barred` tiles that may not be
    discarded now, `readies` tiles whose discard may declare a ready hand. `passed`: the seat has passed a win
    (過水) and may not yet win on another player's tile.
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
    answer: ClaimAnswer | None = None
    passed: bool = False
    hints: Hints | None = None


class Pattern(Struct, frozen=True):
    """A row of the tai table."""

    name: str
    tai: int


class Winner(Struct, frozen=True):
    """A winner: tai without the dealer's, patterns, and the concealed tiles with the winning one."""

    seat: Seat
    tai: int
    patterns: tuple[Pattern, ...]
    hand: tuple[int, ...]
    win: int
    drawn: bool


class Result(Struct, frozen=True, omit_defaults=True):
    """How a hand ended; without winners it is drawn (荒莊). `payer` is null if all other seats pay.

    `dealer` are 莊家 and 連n拉n, which count between the dealer and the winner or payer.
    """

    delta: tuple[int, int, int, int]
    winners: tuple[Winner, ...] = ()
    payer: Seat | None = None
    dealer: tuple[Pattern, ...] = ()


class PlayedHand(Struct, frozen=True, omit_defaults=True):
    """A hand that is over: `place` and `streak` as in the view, what each seat gained, who won and paid."""

    place: int
    streak: int
    delta: tuple[int, int, int, int]
    winners: tuple[Seat, ...] = ()
    payer: Seat | None = None


class BestHand(Struct, frozen=True, omit_defaults=True):
    """The win with the most tai, the first of equals; `hand` is its index in `hands`."""

    hand: int
    winner: Winner
    melds: tuple[Meld, ...] = ()
    flowers: tuple[int, ...] = ()


class View(Struct, frozen=True, omit_defaults=True):
    """A game as one viewer sees it.

    Tiles are 0 to 143. Tiles of a kind are consecutive, so that `tile // 4` below 136 is the kind: 0-8 萬,
    9-17 筒, 18-26 條, 27-30 東南西北, 31-33 中發白. From 136 on there are the flowers 梅蘭竹菊春夏秋冬, kinds
    34-41, one of each. In a claim window a seat that has answered stays in `to_act`: it may change its answer
    until all have answered. After a hand, the first `next` of any seat starts the next one.

    `turn` is the seat that draws or discards; in a claim window, the seat whose `tile` may be claimed.
    `place` counts deals from 0 without repeats, `label` names the deal ("1-1"), `wind` is the prevailing
    wind; `streak` is the dealer streak. `seating`, `choosing` and `opening` are dice: for positions, for the
    dealer, for this hand. `left` is the number of undrawn tiles, `drawable` how many of them can be drawn.
    `answered` are the seats that have answered. `last` is the last discard, `discarder` its seat.
    `commitment` is the SHA-256 of this hand's seed; `seed` (hex), `wall` and all hands are shown when the
    hand is over, and so are the `hands` of this match and the `best` of them.
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
    hands: tuple[PlayedHand, ...] = ()
    best: BestHand | None = None
