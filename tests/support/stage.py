"""The whole hall without a socket, in virtual time: a day passes in a moment."""

import asyncio
import hashlib
import json
import selectors
from collections.abc import Callable
from typing import Any

from qipai.clients.client_detection import ClientDetection
from qipai.clients.client_registry import NAMESPACE
from qipai.clients.legacy_support import LegacySupport
from qipai.games.game_registry import GAMES
from qipai.hall.connections.connection import Connection
from qipai.hall.connections.rate_limit import RateLimit
from qipai.hall.hall import Hall
from qipai.hall.journal.store_interface import Store
from qipai.hall.people.identity import Guest
from qipai.kernel.ids import Millis, Person
from qipai.protocol.native import Native
from qipai.stores.memory_store import MemoryStore

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
        stage.hall.connected(self.connection)

    def _pong(self) -> None:
        self.connection.received = True

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

    def news(self) -> list[Message]:
        """As `heard`, without how many look on: that is told when nothing has happened, too."""
        return [notice for notice in self.heard() if notice["type"] != "spectators"]

    def hello(self, token: str = "", name: str = "") -> Message:
        (welcome,) = self.ask("hello", token=token, name=name)
        assert welcome["type"] == "welcome", welcome
        self.token = welcome["token"]
        return dict(welcome)

    def cut(self) -> None:
        """Lose the socket."""
        self.stage.loop.call_soon(self.connection.closed)
        self.stage.settle()


class Caller:
    """A client on the stage that came by Socket.IO, logged in or not; frames are arrays of an event."""

    def __init__(self, stage: "Stage", sid: str, guest: Guest | None, namespace: str = "/") -> None:
        self.stage = stage
        self.sid = sid
        self.guest = guest
        self.wire = FakeWire()
        self.wire.pong = self._pong
        self.connection = Connection(
            self.wire, stage.speech[namespace](sid), stage.hall, RateLimit(burst=100, quiet=True)
        )
        self.connection.handle = sid
        self.read = 0
        stage.hall.connected(self.connection)
        if guest is not None:
            stage.loop.call_soon(stage.hall.admit, self.connection, guest)
            stage.settle()

    def _pong(self) -> None:
        self.connection.received = True

    def send(self, event: str, *arguments: Any) -> None:
        """Send an event without waiting for what it causes."""
        self.raw(json.dumps([event, *arguments], separators=(",", ":")).encode())

    def raw(self, frame: bytes) -> None:
        self.stage.loop.call_soon(self.stage.hall.arrived, self.connection, frame)

    def ask(self, event: str, *arguments: Any) -> list[Any]:
        """Send an event, let everything happen, and return what was heard since the last time."""
        self.send(event, *arguments)
        return self.heard()

    def mark(self, cell: int) -> list[Any]:
        """Make a move and return what was heard."""
        return self.ask("make_move", {"row": cell // 3, "col": cell % 3})

    def heard(self) -> list[Any]:
        """Let everything happen; return the events heard since the last time, each with its arguments."""
        self.stage.settle()
        new = self.wire.frames[self.read :]
        self.read = len(self.wire.frames)
        return [json.loads(frame) for frame in new]

    def _soon(self, call: Callable[..., None], *arguments: Any) -> None:
        self.stage.loop.call_soon(call, *arguments)
        self.stage.settle()

    def cut(self) -> None:
        """Lose the transport; the session may be recovered."""
        self._soon(self.stage.hall.transport_lost, self.connection)

    def back(self) -> None:
        """Recover the session."""
        self._soon(self.stage.hall.transport_replaced, self.connection)

    def leave(self) -> None:
        """Say goodbye (a DISCONNECT packet)."""
        self._soon(self.stage.hall.arrived, self.connection, None)


class Stage:
    """A hall in virtual time. Use as a context manager."""

    def __init__(
        self,
        store: Store | None = None,
        bot_pause: int = 600,
        clock: float = 0.0,
        single: frozenset[str] = frozenset(),
    ) -> None:
        self.loop = VirtualLoop()
        self.loop.clock = clock
        self.store = store or MemoryStore()
        self.errors: list[str] = []
        self.loop.set_exception_handler(lambda _, context: self.errors.append(str(context)))
        self.callers = 0
        self.speech = {NAMESPACE: ClientDetection()}
        self.hall: Hall = self.run(self._make(bot_pause, single))

    async def _make(self, bot_pause: int, single: frozenset[str]) -> Hall:
        hall = Hall(GAMES, self.store, self.now, counted_entropy(), bot_pause, single, clients=LegacySupport)
        hall.start()
        return hall

    @property
    def legacy(self) -> LegacySupport:
        """Return the hall's support of the older clients."""
        assert isinstance(self.hall.clients, LegacySupport)
        return self.hall.clients

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

    def think(self) -> None:
        """Let quick bots decide what they think about now, in their thread and in real time."""
        # There is one thread: what is done after a thought shows that the thought is over.
        self.hall.bots._pool._thread.submit(int).result(60)
        self.settle()

    def peer(self, name: str = "", token: str = "") -> Peer:
        """Return a new client that has said hello."""
        peer = Peer(self)
        peer.hello(token, name)
        return peer

    def caller(self, name: str = "", *, login: bool = True, sid: str = "") -> Caller:
        """Return a new Socket.IO client; the same name is the same person."""
        self.callers += 1
        guest = Guest(Person(f"login:{name}"), name) if login else None
        return Caller(self, sid or f"socket{self.callers}", guest)

    def pair(self, *names: str) -> tuple[Caller, Caller]:
        """Return two (Ann and Bob) on Socket.IO in a new match, the one who sits left and begins first."""
        ann, bob = (self.caller(name) for name in names or ("Ann", "Bob"))
        ann.ask("join_pvp")
        (name, start) = bob.ask("join_pvp")[-1]
        assert name == "game_start"
        ann.heard()
        return (bob, ann) if start["my_side"] == "left" else (ann, bob)

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
