"""The peers: chess servers on other libraries, which check, clock, store and send a move as Qipai does.

Their libraries are installed on first use: those of Node from the lock file in bench/peers, those of Python
into an environment of their own there.
"""

import contextlib
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Final, NamedTuple

from .failure import Failure
from .load.boardgame_players import play_boardgame
from .load.colyseus_players import play_colyseus
from .load.measurement import Measurement
from .load.qtchess_players import play_qtchess
from .load.socketio_chess_players import play_socketio_chess
from .node import find_node, install
from .servers import Server, printing_server

ROOT: Final = Path(__file__).parents[1]
PEERS: Final = Path(__file__).parent / "peers"
ENVIRONMENT: Final = PEERS / ".venv"
BUILD_LIMIT: Final = 900.0
"""Seconds for an installation: better-sqlite3 may have to be compiled."""

Play = Callable[[Server, int, float, float], Awaitable[Measurement]]


class Peer(NamedTuple):
    """A program in bench/peers, and the load that it understands."""

    name: str
    program: str
    play: Play


PEER_SERVERS: Final = (
    Peer("Node ws + chess.js", "ws_chess.mjs", play_qtchess),
    Peer("aiohttp + python-chess", "aiohttp_chess.py", play_qtchess),
    Peer("Colyseus + chess.js", "colyseus_chess.mjs", play_colyseus),
    Peer("boardgame.io + chess.js", "boardgame_chess.mjs", play_boardgame),
    Peer("python-socketio + python-chess", "socketio_chess.py", play_socketio_chess),
)


def install_peers() -> None:
    """Install the libraries of all peers, once."""
    # Not `npm ci`: it refuses a lock file without the optional packages of other platforms, which not every
    # registry has.
    install(PEERS, "install", "--no-save", limit=BUILD_LIMIT)
    pins, installed = PEERS / "requirements.txt", ENVIRONMENT / "installed"
    if installed.exists() and installed.stat().st_mtime >= pins.stat().st_mtime:
        return
    _run(sys.executable, "-m", "venv", str(ENVIRONMENT))
    _run(_python(), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "-r", str(pins))
    installed.touch()


def node_sqlite() -> str:
    """Return the SQLite library that the Node peers use: Node's own if better-sqlite3 could not be built."""
    built = PEERS / "node_modules/better-sqlite3/build/Release/better_sqlite3.node"
    return "better-sqlite3" if built.exists() else "node:sqlite"


@contextlib.contextmanager
def peer_server(peer: Peer) -> Iterator[Server]:
    """Run a peer with the settings of a production server."""
    if peer.program.endswith(".mjs"):
        command, settings = [find_node(), str(PEERS / peer.program)], {"NODE_ENV": "production"}
    else:
        module = f"bench.peers.{peer.program.removesuffix('.py')}"
        command, settings = [_python(), "-m", module], {"PYTHONPATH": str(ROOT)}
    with printing_server(peer.name, command, settings) as server:
        yield server


def _python() -> str:
    return str(ENVIRONMENT / "bin/python")


def _run(*command: str) -> None:
    result = subprocess.run(
        command, capture_output=True, text=True, timeout=BUILD_LIMIT, check=False, env=os.environ
    )
    if result.returncode:
        raise Failure(f"{command[1:4]}: {result.stderr.strip()[-400:]}")
