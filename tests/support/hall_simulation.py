"""The whole hall without sockets, in virtual time."""

import asyncio
import hashlib
import json
import selectors
import time
from collections.abc import Callable
from typing import Any

from qipai.clients.client_detection import ClientDetection
from qipai.clients.client_registry import NAMESPACE
from qipai.clients.connection_recovery.browser_tag import with_browser
from qipai.clients.gomoku import DEFAULT_RULES, ServerRules
from qipai.clients.legacy_support import LegacySupport
from qipai.games.game_registry import GAMES
from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.connections.connection import Connection
from qipai.hall.connections.rate_limit import RateLimit
from qipai.hall.hall import Hall
from qipai.hall.history.archive_interface import Archive
from qipai.hall.journal.store_interface import Store
from qipai.hall.lobby.rated_pairing import PlayerRatings
from qipai.hall.people.address_limits import UNLIMITED, Limits
from qipai.hall.people.identity import Guest
from qipai.kernel.ids import Millis, Person
from qipai.protocol.native_codec import Native
from qipai.stores.memory_store import MemoryStore

Message = dict[str, Any]
EPOCH = 1_700_000_000_000


class VirtualLoop(asyncio.SelectorEventLoop):
    """An event loop that does not wait: when no callback is ready, its clock jumps to the next timer."""

    def __init__(self) -> None:
        self.clock = 0.0
        super().__init__(_JumpingSelector(self))

    def time(self) -> float:
        return self.clock


class _JumpingSelector(selectors.SelectSelector):
    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        ready = super().select(1 if timeout is None else 0)
        if not ready and timeout is not None and timeout > 0:
            self._loop.clock += timeout
        return ready


def deterministic_entropy(name: str = "") -> Callable[[int], bytes]:
    """Return a source of bytes that are the same in every run."""
    count = 0

    def entropy(size: int) -> bytes:
        nonlocal count
        count += 1
        return hashlib.shake_256(f"{name}{count}".encode()).digest(size)

    return entropy


class RecordingTransport:
    """A transport that records sent frames and how the connection ended."""

    def __init__(self) -> None:
        self.frames: list[bytes] = []
        self.closed: int | None = None
        self.aborted = False
        self.pings = 0
        self.reading_paused = False
        self.pong: Callable[[bytes], None] | None = None

    def send(self, frame: bytes) -> None:
        self.frames.append(frame)

    def close(self, code: int, reason: str) -> None:
        self.closed = code

    def ping(self, payload: bytes) -> None:
        self.pings += 1
        if self.pong is not None:
            self.pong(payload)

    def abort(self) -> None:
        self.aborted = True

    def pause_reading(self) -> None:
        self.reading_paused = True

    def resume_reading(self) -> None:
        self.reading_paused = False


class NativeClient:
    """A client of the native protocol."""

    def __init__(self, simulation: "HallSimulation", address: str = "") -> None:
        self.simulation = simulation
        self.transport = RecordingTransport()
        self.connection = Connection(
            self.transport, Native(), simulation.hall, RateLimit(slows=True), address
        )
        self.token = ""
        self.read_count = 0
        self.transport.pong = self._pong
        simulation.hall.connected(self.connection)

    def _pong(self, payload: bytes) -> None:
        self.connection.received = True
        self.connection.pong(payload, self.simulation.hall.now())

    def send(self, type_: str, **fields: Any) -> None:
        """Send a frame; it is handled at the next `settle`."""
        self.send_frame(json.dumps({"type": type_, **fields}).encode())

    def send_frame(self, frame: bytes) -> None:
        self.simulation.loop.call_soon(self.simulation.hall.arrived, self.connection, frame)

    def ask(self, type_: str, **fields: Any) -> list[Message]:
        """Send a frame and return the notices since the last call."""
        self.send(type_, **fields)
        return self.received()

    def received(self) -> list[Message]:
        """Settle, and return the notices since the last call."""
        self.simulation.settle()
        new = self.transport.frames[self.read_count :]
        self.read_count = len(self.transport.frames)
        return [json.loads(frame) for frame in new]

    def received_except_counts(self) -> list[Message]:
        """As `received`, without spectator counts, which may arrive at any time."""
        return [notice for notice in self.received() if notice["type"] != "spectators"]

    def hello(self, token: str = "", name: str = "") -> Message:
        (welcome,) = self.ask("hello", token=token, name=name)
        assert welcome["type"] == "welcome", welcome
        self.token = welcome["token"]
        return dict(welcome)

    def disconnect(self) -> None:
        """Close the socket without a close frame."""
        self.simulation.loop.call_soon(self.connection.closed)
        self.simulation.settle()


class SocketIOClient:
    """A Socket.IO client, logged in or not; each frame is an event as a JSON array."""

    def __init__(
        self, simulation: "HallSimulation", sid: str, guest: Guest | None, browser: str = ""
    ) -> None:
        self.simulation = simulation
        self.sid = sid
        self.guest = guest
        self.transport = RecordingTransport()
        self.transport.pong = self._pong
        self.connection = Connection(
            self.transport,
            simulation.dialects[NAMESPACE](sid),
            simulation.hall,
            RateLimit(burst=100, quiet=True),
        )
        self.connection.handle = sid
        if browser:
            self.connection.root = with_browser(Person(sid), browser)
        self.read_count = 0
        simulation.hall.connected(self.connection)
        if guest is not None:
            simulation.loop.call_soon(simulation.hall.admit, self.connection, guest)
            simulation.settle()

    def _pong(self, _payload: bytes) -> None:
        self.connection.received = True

    def send(self, event: str, *arguments: Any) -> None:
        """Send an event; it is handled at the next `settle`."""
        self.send_frame(json.dumps([event, *arguments], separators=(",", ":")).encode())

    def send_frame(self, frame: bytes) -> None:
        self.simulation.loop.call_soon(self.simulation.hall.arrived, self.connection, frame)

    def ask(self, event: str, *arguments: Any) -> list[Any]:
        """Send an event and return the events since the last call."""
        self.send(event, *arguments)
        return self.received()

    def mark(self, cell: int) -> list[Any]:
        """Make a move and return the events since the last call."""
        return self.ask("make_move", {"row": cell // 3, "col": cell % 3})

    def received(self) -> list[Any]:
        """Settle, and return the events since the last call, each with its arguments."""
        self.simulation.settle()
        new = self.transport.frames[self.read_count :]
        self.read_count = len(self.transport.frames)
        return [json.loads(frame) for frame in new]

    def _run_soon(self, call: Callable[..., None], *arguments: Any) -> None:
        self.simulation.loop.call_soon(call, *arguments)
        self.simulation.settle()

    def lose_transport(self) -> None:
        """Lose the transport; the session may be recovered."""
        self._run_soon(self.simulation.hall.transport_lost, self.connection)

    def recover(self) -> None:
        """Recover the session."""
        self._run_soon(self.simulation.hall.transport_replaced, self.connection)

    def leave(self) -> None:
        """Send a DISCONNECT packet."""
        self._run_soon(self.simulation.hall.arrived, self.connection, None)


class HallSimulation:
    """A hall in virtual time, as a context manager; its exit fails if a callback raised."""

    def __init__(
        self,
        store: Store | None = None,
        bot_pause: int = 600,
        clock: float = 0.0,
        single: frozenset[str] = frozenset(),
        limits: Limits = UNLIMITED,
        gomoku: ServerRules = DEFAULT_RULES,
        ratings: PlayerRatings | None = None,
        archive: Archive | None = None,
        accounts: AccountStore | None = None,
    ) -> None:
        self.loop = VirtualLoop()
        self.loop.clock = clock
        self.store = store or MemoryStore()
        self.errors: list[str] = []
        self.loop.set_exception_handler(lambda _, context: self.errors.append(str(context)))
        self.socketio_clients = 0
        self.dialects = {NAMESPACE: ClientDetection(gomoku)}
        self.hall: Hall = self.run(
            self._make(bot_pause, single, limits=limits, ratings=ratings, archive=archive, accounts=accounts)
        )

    async def _make(self, bot_pause: int, single: frozenset[str], **services: Any) -> Hall:
        entropy = deterministic_entropy()
        hall = Hall(
            GAMES, self.store, self.now, entropy, bot_pause, single, clients=LegacySupport, **services
        )
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
        """Run all callbacks that are due now."""
        for _ in range(6):
            self.run(asyncio.sleep(0))

    def wait(self, seconds: float) -> None:
        """Let virtual time pass."""
        self.run(asyncio.sleep(seconds))
        self.settle()

    def settle_until(self, condition: Callable[[], bool]) -> None:
        """Wait in real time until the threads of the hall have brought this about."""
        end = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < end
            time.sleep(0.000_1)
            self.settle()

    def finish_bot_decisions(self) -> None:
        """Wait in real time until the quick bots have decided in their thread."""
        lane, end = self.hall.bots.scheduler.quick, time.monotonic() + 60
        self.settle()
        while lane.queue or lane.running:
            assert time.monotonic() < end
            time.sleep(0.000_1)
            self.settle()

    def native_client(self, name: str = "", token: str = "", address: str = "") -> NativeClient:
        """Return a new native client that has sent `hello`."""
        peer = NativeClient(self, address)
        peer.hello(token, name)
        return peer

    def account(self, name: str) -> NativeClient:
        """Return a new native client as if it had come with the session of an account."""
        peer = self.native_client(name)
        peer.connection.session_key = name.encode()
        return peer

    def socketio_client(
        self, name: str = "", *, login: bool = True, sid: str = "", browser: str = ""
    ) -> SocketIOClient:
        """Return a new Socket.IO client; the same name is the same person."""
        self.socketio_clients += 1
        guest = Guest(Person(f"login:{name}"), name) if login else None
        return SocketIOClient(self, sid or f"socket{self.socketio_clients}", guest, browser)

    def socketio_pair(self, *names: str) -> tuple[SocketIOClient, SocketIOClient]:
        """Return two Socket.IO clients (Ann and Bob) in a new match, the first player first."""
        ann, bob = (self.socketio_client(name) for name in names or ("Ann", "Bob"))
        ann.ask("join_pvp")
        (name, start) = bob.ask("join_pvp")[-1]
        assert name == "game_start"
        ann.received()
        return (bob, ann) if start["my_side"] == "left" else (ann, bob)

    def running_room(self, **table: Any) -> tuple[NativeClient, NativeClient, Message]:
        """Return two native clients in a room with a running game, and the second client's first view."""
        ann, bob = self.native_client("Ann"), self.native_client("Bob")
        room = ann.ask("open", game="tictactoe", nonce="t", table=table)[0]["room"]
        first_view = bob.ask("join", room=room["id"])[0]
        ann.received()
        return ann, bob, first_view

    def close(self) -> None:
        if not self.hall.draining:
            self.run(self.hall.stop())
        self.settle()
        self.run(self.loop.shutdown_default_executor())
        self.loop.close()

    def __enter__(self) -> "HallSimulation":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        assert self.errors == []


def seat_to_act(notice: Message) -> int:
    """Return the first seat that a view or an event notice says is to act."""
    source = notice["room"] if notice["type"] == "room" else notice
    return int(source["to_act"][0])


def mark(room: str, cell: int, nonce: str = "", at_version: int = 0) -> Message:
    """Return the fields of a tic-tac-toe move."""
    return {"room": room, "move": {"do": "mark", "cell": cell}, "nonce": nonce, "at_version": at_version}
