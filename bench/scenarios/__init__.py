"""Everything that is measured: one small function each, and one line here."""

from collections.abc import Awaitable, Callable
from typing import Final

from bench.report import Report, Row
from bench.scale import Scale

from . import cluster, crowd, flat, gomoku, idle, latency, lobby, mahjong, native, qtchess, restart, tictactoe

Scenario = Callable[[Scale, Report], Awaitable[list[Row]]]

SCENARIOS: Final[dict[str, Scenario]] = {
    "native-move": native.move,
    "native-clock": native.clocked_move,
    "native-latency": latency.at_half,
    "idle-memory": idle.memory,
    "flat": flat.flat,
    "crowd": crowd.crowd,
    "lobby": lobby.lobby,
    "restart": restart.restart,
    "redis-move": cluster.move,
    "two-workers": cluster.two,
    "tictactoe-move": tictactoe.move,
    "socketio-idle": idle.sockets,
    "gomoku-move": gomoku.move,
    "gomoku-lobby": gomoku.lobby,
    "qtchess-move": qtchess.move,
    "mahjong-score": mahjong.score,
}
