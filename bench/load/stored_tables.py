"""`python -m bench.load.stored_tables FOLDER COUNT`: what a killed server with many tables leaves.

Writes one line per player to `players`: the token and the room.
"""

import asyncio
import os
import sys
from pathlib import Path
from typing import Final

from qipai.games.game_registry import GAMES
from qipai.hall.hall import Hall
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Play, TableRules, TakeSeat
from qipai.kernel.ids import SYSTEM, Seat
from qipai.stores.sqlite_store import SqliteStore
from qipai.stores.store_registry import JOURNAL_FILE

MOVES: Final = 4
GROUP: Final = 50
"""Commands that are written together."""


async def write(folder: Path, count: int) -> None:
    """Open clocked tables for two, make some moves at each, and end as a killed server does."""
    hall = Hall(GAMES, SqliteStore(folder / JOURNAL_FILE))
    hall.start()
    executor, game = hall.executor, GAMES["tictactoe"]
    table = TableRules(clock=ClockPlan(main=(600_000,), increment=2_000))
    tables, lines = [], []
    for _ in range(count):
        guests = [hall.identity.guest() for _ in range(game.rules.seats)]
        room = hall.identity.room_id(guests[0].person, "t")
        live = executor.open(game, room, game.read_chosen_options(None), table, hall.now())
        for seat, guest in enumerate(guests):
            executor.submit(live, SYSTEM, TakeSeat(guest.person, guest.name, Seat(seat)), hall.now())
            lines.append(f"{hall.identity.token(guest)} {room}\n")
        tables.append(live)
        if len(tables) % GROUP == 0:
            await asyncio.sleep(0)
    for _ in range(MOVES):
        for number, live in enumerate(tables):
            seat = live.rules.to_act(live.latest.state)[0]
            move = live.rules.legal(live.latest.state, seat)[0]
            executor.submit(live, seat, Play(move), hall.now())
            if number % GROUP == 0:
                await asyncio.sleep(0)
    await executor.journal.flush()
    (folder / "players").write_text("".join(lines))
    os._exit(0)


def main() -> None:
    """Write to the folder of the command line."""
    folder = Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    asyncio.run(write(folder, int(sys.argv[2])))


if __name__ == "__main__":
    main()
