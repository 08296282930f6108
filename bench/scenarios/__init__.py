"""Registry of the scenarios: one function in a module here, and one line below."""

from collections.abc import Awaitable, Callable
from typing import Final

from bench.report import Report, Row
from bench.scale import Scale

from . import (
    archived_moves,
    bots,
    cluster,
    gomoku,
    gomoku_memory,
    growth,
    idle,
    latency,
    lobby,
    mahjong,
    native,
    page_frames,
    peers,
    qtchess,
    restart,
    restart_many,
    spectators,
    table_count,
    tictactoe,
)

Scenario = Callable[[Scale, Report], Awaitable[list[Row]]]

ONLY_IF_NAMED: Final = frozenset({"peers", "page-frames"})
"""Scenarios that need further libraries or Chromium; they run only if they are named."""

NOT_QUICK: Final = frozenset({"bots", "archived-moves"})
"""Scenarios that take long even on a small scale; a quick run has them only if they are named."""

SCENARIOS: Final[dict[str, Scenario]] = {
    "peers": peers.peers,
    "native-move": native.move,
    "native-clock": native.clocked_move,
    "native-latency": latency.latency,
    "idle-memory": idle.memory,
    "table-count": table_count.table_count,
    "growth": growth.growth,
    "spectators": spectators.spectators,
    "lobby": lobby.lobby,
    "restart": restart.restart,
    "restart-many": restart_many.restart_many,
    "redis-move": cluster.move,
    "two-workers": cluster.two_workers,
    "tictactoe-move": tictactoe.move,
    "socketio-idle": idle.sockets,
    "gomoku-move": gomoku.move,
    "gomoku-memory": gomoku_memory.memory,
    "gomoku-lobby": gomoku.lobby,
    "qtchess-move": qtchess.move,
    "mahjong-score": mahjong.score,
    "bots": bots.bots,
    "archived-moves": archived_moves.archived_moves,
    "page-frames": page_frames.page_frames,
}
