"""Chess games between an engine and random moves, as archived matches."""

import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import chess

from qipai.games.chess.wire_types import Move
from qipai.games.game_registry import GAMES
from qipai.hall.history.archived_match import ArchivedMatch, pack
from qipai.hall.history.match_archiving import new_matches
from qipai.kernel.clock import ClockPlan
from qipai.kernel.commands import Resign, TableRules
from qipai.kernel.ids import RoomId, Seat
from qipai.stores.archives.archive_registry import open_archive
from tests.support.journal_writer import JournalWriter

Chooser = Callable[[Sequence[str]], str]
"""Returns the move in the position after these moves."""
ROOM: Final = RoomId("k3v9")
RATED: Final = TableRules(clock=ClockPlan(main=(900_000,)), rated=True, undo_allowed=False)
UNRATED: Final = TableRules(clock=ClockPlan(main=(900_000,)))
WHITE: Final = Seat(0)


def random_moves(seed: int) -> Chooser:
    """Return a player of random moves, the same ones each time."""
    source = random.Random(seed)

    def choose(moves: Sequence[str]) -> str:
        return source.choice(sorted(move.uci() for move in board_after(moves).legal_moves))

    return choose


def board_after(moves: Sequence[str]) -> chess.Board:
    board = chess.Board()
    for uci in moves:
        board.push_uci(uci)
    return board


def played(white: Chooser, black: Chooser, plies: int) -> tuple[str, ...]:
    """Return the moves of a game, which ends earlier if it is over."""
    moves: list[str] = []
    while len(moves) < plies and not board_after(moves).is_game_over():
        moves.append((white, black)[len(moves) % 2](moves))
    return tuple(moves)


def archived(
    moves: Sequence[str], table: TableRules = RATED, pauses: Sequence[int] = (), room: str = ROOM
) -> ArchivedMatch:
    """Return a match with these moves, which seat 0 then gives up; a move takes a second and its pause."""
    writer = JournalWriter("chess", table=table, room=room)
    writer.take_seats("Ada", "Bo")
    for place, uci in enumerate(moves):
        writer.late(pauses[place] if place < len(pauses) else 0)
        writer.play(Move(uci))
    if writer.room.result is None:
        writer.do(WHITE, Resign())
    return finished(writer)


def finished(writer: JournalWriter) -> ArchivedMatch:
    (match,) = new_matches(GAMES, writer.entries, ())
    return match


def store(folder: Path, match: ArchivedMatch) -> None:
    """Put a match into the archive of a data folder."""
    folder.mkdir(parents=True, exist_ok=True)
    archive = open_archive(folder, "")
    archive.store(RoomId(match.room), (), [pack(match)])
    archive.close()
