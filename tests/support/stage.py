"""The whole hall without a socket, in virtual time: a day passes in a moment."""

import asyncio
import hashlib
import json
import selectors
from collections.abc import Callable
from typing import Any

from qipai.dialects.native import Native
from qipai.games.registry import GAMES
from qipai.hall.ports import Store
from qipai.hall.reception import Reception
from qipai.hall.sessions import Connection
from qipai.kernel.names import Millis
from qipai.stores.memory import Memory

Message = dict[str, Any]
EPOCH = 1_700_000_000_000


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that does not wait: when nothing is ready, its clock jumps to the next timer."""

    def __init__(self) -> None:
        self.clock = 0.0
        super().__init__(_Jumping(self))

    def time(self) -> float:
        return self.clock


class _Jumping(selectors.SelectSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(1 if timeout is None else 0)
        if not ready and timeout is not None and timeout > 0:
            self._loop.clock += timeout
        return ready


def counted_entropy(name: str = "") -> Callable[[int], bytes]:
    """Return bytes that look random and are the same in every run."""
    count = 0

    def entropy(size: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_256(f"{name}{count}".encode()).digest(size)

    return entropy


class FakeWire:
    """Remembers what was sent and how the connection ended."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.closed: int | None = None
        self.aborted = False
        self.pings = 0
        self.pong: Callable[[], None] | None = None

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)

    def close(self, code: int, reason: str) -> None:
        self.closed = code

    def ping(self) -> None:
        self.pings += 1
        if self.pong is not None:
            self.pong()

    def abort(self) -> None:
        self.aborted = True


class Peer:
    """A client on the stage."""

    def __init__(self, stage: "Stage") -> None:
        self.stage = stage
        self.wire = FakeWire()
        self.connection = Connection(self.wire, Native(), stage.hall)
        self.token = ""
        self.read = 0
        self.wire.pong = self._pong
        stage.hall.welcome(self.connection)

    def _pong(self) -> None:
        self.connection.heard = True

    def send(self, type_: str, **fields: Any) -> None:
        """Send a frame without waiting for what it causes."""
        self.raw(json.dumps({"type": type_, **fields}).encode())

    def raw(self, frame: bytes) -> None:
        self.stage.loop.call_soon(self.stage.hall.arrived, self.connection, frame)

    def ask(self, type_: str, **fields: Any) -> list[Message]:
        """Send a frame, let everything happen, and return what was heard since the last time."""
        self.send(type_, **fields)
        return self.heard()

    def heard(self) -> list[Message]:
        """Let everything happen; return what was heard since the last time."""
        self.stage.settle()
        new = self.wire.frames[self.read :]
        self.read = len(self.wire.frames)
        return [json.loads(frame) for frame in new]

    def hello(self, token: str = "", name: str = "") -> Message:
        (welcome,) = self.ask("hello", token=token, name=name)
        assert welcome["type"] == "welcome", welcome
        self.token = welcome["token"]
        return dict(welcome)

    def cut(self) -> None:
        """Lose the socket."""
        self.stage.loop.call_soon(self.connection.lost)
        self.stage.settle()


class Stage:
    """A hall in virtual time. Use as a context manager."""

    def __init__(self, store: Store | None = None, bot_pause: int = 600, clock: float = 0.0) -> None:
        self.loop = VirtualLoop()
        self.loop.clock = clock
        self.store = store or Memory()
        self.errors: list[str] = []
        self.loop.set_exception_handler(lambda _, context: self.errors.append(str(context)))
        self.hall: Reception = self.run(self._make(bot_pause))

    async def _make(self, bot_pause: int) -> Reception:
        hall = Reception(GAMES, self.store, self.now, counted_entropy(), bot_pause)
        hall.start()
        return hall

    def now(self) -> Millis:
        return Millis(EPOCH + round(self.loop.clock * 1000))

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def settle(self) -> None:
        """Let everything happen that needs no time."""
        for _ in range(6):
            self.run(asyncio.sleep(0))

    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.run(asyncio.sleep(seconds))
        self.settle()

    def peer(self, name: str = "", token: str = "") -> Peer:
        """Return a new client that has said hello."""
        peer = Peer(self)
        peer.hello(token, name)
        return peer

    def table(self, **table: Any) -> tuple[Peer, Peer, Message]:
        """Return two clients at a running table, and the second one's first view of it."""
        ann, bob = self.peer("Ann"), self.peer("Bob")
        room = ann.ask("open", game="tictactoe", nonce="t", table=table)[0]["room"]
        shown = bob.ask("join", room=room["id"])[0]
        ann.heard()
        return ann, bob, shown

    def close(self) -> None:
        if not self.hall.draining:
            self.run(self.hall.stop())
        self.settle()
        self.run(self.loop.shutdown_default_executor())
        self.loop.close()

    def __enter__(self) -> "Stage":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        assert self.errors == []


def seat_to_act(shown: Message) -> int:
    """Return the first seat that a view or an event notice says is to act."""
    source = shown["room"] if shown["type"] == "room" else shown
    return int(source["to_act"][0])


def mark(room: str, cell: int, nonce: str = "", at_version: int = 0) -> Message:
    """Return the fields of a tic-tac-toe move."""
    return {"room": room, "move": {"do": "mark", "cell": cell}, "nonce": nonce, "at_version": at_version}
