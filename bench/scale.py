"""How much is measured: the full run, or a quick one."""

from typing import Final

from msgspec import Struct


class Scale(Struct, frozen=True):
    """Sizes, and durations in seconds.

    `rounds` and `repeats` say how often Qipai and the reference alternate; `repeats` is for scenarios whose
    runs differ little. `table_counts` and `window` are those of the scenario "table-count", `growth` has the
    numbers of all tables and of those that play, `stones` are placed at each table of "gomoku-memory", and
    `bot_games` go on at the same time. `listed_games` are in the archive that is searched. A browser shows
    `watched_moves` of "page-frames".
    """

    rounds: int
    repeats: int
    tables: int
    warm: float
    seconds: float
    idle: int
    settle: float
    table_counts: tuple[int, ...]
    window: float
    restart_tables: int
    many_tables: int
    spectators: int
    growth: tuple[tuple[int, int], ...]
    growth_seconds: float
    stones: int
    bot_games: int
    bot_seconds: float
    archived_moves: int
    listed_games: int
    watched_moves: int


FULL: Final = Scale(
    rounds=5,
    repeats=3,
    tables=500,
    warm=2.0,
    seconds=5.0,
    idle=4000,
    settle=2.0,
    table_counts=(1, 10, 100, 500, 2000),
    window=3.0,
    restart_tables=2000,
    many_tables=20_000,
    spectators=1000,
    growth=((100, 100), (1000, 1000), (5000, 5000), (10_000, 10_000), (20_000, 500)),
    growth_seconds=20.0,
    stones=200,
    bot_games=20,
    bot_seconds=60.0,
    archived_moves=1_000_000,
    listed_games=100_000,
    watched_moves=60,
)
QUICK: Final = Scale(
    rounds=3,
    repeats=1,
    tables=250,
    warm=0.4,
    seconds=0.7,
    idle=1000,
    settle=0.5,
    table_counts=(1, 100, 500),
    window=0.5,
    restart_tables=300,
    many_tables=1000,
    spectators=300,
    growth=((100, 100), (500, 50)),
    growth_seconds=1.0,
    stones=20,
    bot_games=3,
    bot_seconds=4.0,
    archived_moves=4_000,
    listed_games=2_000,
    watched_moves=10,
)
