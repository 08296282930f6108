"""The composition root: puts the parts together and runs them until told to stop."""

import asyncio
import contextlib
import gc
import logging
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from secrets import token_hex
from typing import Final
from urllib.parse import urlsplit

import structlog
import uvicorn

from qipai.games.game_registry import GAMES
from qipai.hall.cluster.bus_interface import ClusterBus
from qipai.hall.hall import Hall, steady_clock
from qipai.hall.history.archive_interface import Archive
from qipai.hall.journal.store_interface import Store, StoreError
from qipai.server.client_routes import ClientRegistry, NativeOnly
from qipai.server.http_app import PAGE, create_app
from qipai.server.listen_addresses import addresses
from qipai.socketio.websocket_upgrade import protocol_class
from qipai.stores import store_registry as stores
from qipai.stores.archives import archive_registry as archives
from qipai.stores.store_registry import is_migrating, open_bus

from .server import websocket
from .settings import ConfigurationError, Settings, find_engine, parse_worker_address

MAX_FRAME: Final = 100_000
"""Bytes of one WebSocket frame; each protocol has a limit of its own below that."""

_log = structlog.get_logger("qipai")


class Server(uvicorn.Server):
    """uvicorn, except that the hall says goodbye first and signals end it with exit code 0."""

    def __init__(
        self, config: uvicorn.Config, hall: Hall, end_sessions: Callable[[], None], *, worker: bool
    ) -> None:
        super().__init__(config)
        self._hall = hall
        self._end_sessions = end_sessions
        self._worker = worker

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on the first SIGINT or SIGTERM, at once on the second."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        if self._worker:
            # The parent holds the other end; whatever ends it ends us.
            loop.add_reader(sys.stdin.fileno(), self._orphaned, loop)
        yield

    def _orphaned(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.remove_reader(sys.stdin.fileno())
        self.handle_exit(signal.SIGTERM, None)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close with 4503, flush the journal, then stop listening."""
        _log.info("stopping", rooms=len(self._hall.executor.live_rooms), peers=len(self._hall.connections))
        if self._worker:
            # Whoever is told to come back must find another worker.
            for server in self.servers:
                server.close()
        await self._hall.stop()
        self._end_sessions()
        await super().shutdown(sockets)


def run(settings: Settings, *, worker: bool = False) -> int:
    """Serve until told to stop; return the exit code. A worker shares its port, and ends with its parent."""
    set_up_logging(settings.log_level)
    asked = find_engine(settings)
    store = open_store(settings)
    with contextlib.ExitStack() as undo:
        undo.callback(store.close)
        _look_for_movers(store)
        archive = open_archive(settings)
        if archive is not None:
            undo.callback(archive.close)
        listening = bind(settings.host, settings.port, reuse=worker)
        undo.pop_all()
    with contextlib.suppress(KeyboardInterrupt):
        serving = _serve(settings, store, archive, listening, asked, worker=worker)
        asyncio.Runner(loop_factory=_loop_factory()).run(serving)
    return 0


def open_store(settings: Settings) -> Store:
    """Return the store that the settings name, or raise `ConfigurationError`."""
    folder = Path(settings.data)
    try:
        return stores.open_store(settings.store, folder, settings.durability)
    except OSError as error:
        raise ConfigurationError(f"data folder {folder}: {error.strerror}") from error
    except ValueError as error:
        raise ConfigurationError(f"data folder {str(folder)!r}: {error}") from error
    except StoreError as error:
        raise ConfigurationError(str(error)) from error


def open_archive(settings: Settings) -> Archive | None:
    """Return where finished games go; tables that need not outlive the server leave none."""
    if settings.store == "memory" and not settings.archive:
        return None
    folder = Path(settings.data)
    try:
        if not settings.archive:
            folder.mkdir(parents=True, exist_ok=True)
        return archives.open_archive(folder, settings.archive)
    except OSError as error:
        raise ConfigurationError(f"data folder {folder}: {error.strerror}") from error
    except StoreError as error:
        raise ConfigurationError(str(error)) from error


async def _serve(
    settings: Settings,
    store: Store,
    archive: Archive | None,
    listening: socket.socket,
    asked: str,
    *,
    worker: bool,
) -> None:
    secret = store.secret()
    single = frozenset({"tictactoe"} if settings.tictactoe.single_match else ())
    steady = steady_clock()
    shared = open_bus(settings.store, token_hex(4), steady)
    if shared is not None:
        try:
            await shared.tune()
        except StoreError as error:
            raise ConfigurationError(str(error)) from error
    now = steady if shared is None else shared.now
    clients = find_clients()
    reception = Hall(
        GAMES,
        store,
        now,
        bot_pause=settings.bot_pause,
        single=single,
        engine=asked,
        archive=archive,
        bus=shared,
        clients=clients.support,
    )
    sockets = [listening]
    if shared is not None:
        sockets.append(_side_door(settings, shared))
    served = clients.routes(reception.clients, settings.origins, shared, PAGE)
    paths = {websocket.NATIVE_PATH: websocket.native_path(reception), **served.websockets}
    routes = {path: websocket.route(reception, made) for path, made in paths.items()} | dict(served.upgrades)
    rooms = reception.start()
    if shared is not None and reception.replicas is not None:
        shared.people = lambda: len(reception.persons)
        try:
            await shared.start(reception.replicas)
            # Our first beat is answered: whoever wants the store from now on sees that we are here.
            _look_for_movers(store, secret)
        except (StoreError, ConfigurationError) as error:
            await shared.close()
            raise ConfigurationError(str(error)) from error
    config = uvicorn.Config(
        create_app(reception, served.http),
        ws=protocol_class(routes, MAX_FRAME, served.forwarding),
        http="httptools",
        lifespan="off",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    # Everything loaded so far lives as long as the process; short-lived messages come and go by
    # reference counting, so looking for cycles can be rarer than Python's default.
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 20, 100)
    _announce(settings, listening, rooms)
    try:
        await Server(config, reception, served.close, worker=worker).serve(sockets)
    finally:
        if shared is not None:
            await shared.close()


def _announce(settings: Settings, listening: socket.socket, rooms: int) -> None:
    """Say where to open the page, on this machine and beside it, and where everything is kept."""
    address, *nearby = addresses(*listening.getsockname()[:2])
    others = {"nearby": nearby[0]} if nearby else {}
    _log.info("serving", address=address, **others, data=str(Path(settings.data).resolve()), rooms=rooms)


def _look_for_movers(store: Store, secret: bytes = b"") -> None:
    """Raise `ConfigurationError` while tables are moved, or if others have moved in since it was looked."""
    try:
        moving = is_migrating(store) or (secret and store.secret() != secret)
    except StoreError as error:
        raise ConfigurationError(str(error)) from error
    if moving:
        raise ConfigurationError("tables are being moved in or out of this store: begin when that is done")


def _side_door(settings: Settings, shared: ClusterBus) -> socket.socket:
    """Listen where only this worker does, and let the others know where that is."""
    everywhere = settings.host in {"", "0.0.0.0", "::"}  # noqa: S104 - compared, not bound
    reached = parse_worker_address(settings.worker_address)
    host = seen_by(settings.store) if everywhere and not reached.host else settings.host
    for port in reached.ports:
        try:
            door = bind(host, port)
        except ConfigurationError:
            if port == reached.ports[-1]:
                raise
            continue  # Another worker of this machine has it.
        shared.address = f"{reached.host or host} {door.getsockname()[1]}"
        return door
    raise AssertionError  # There is at least one port, and the last one returns or raises.


def seen_by(store: str) -> str:
    """Return the address of this machine on its way to the store: the others come by the same net."""
    place = urlsplit(store)
    if not place.hostname:
        return "127.0.0.1"
    family, *_, there = socket.getaddrinfo(place.hostname, place.port or 6379, type=socket.SOCK_DGRAM)[0]
    with socket.socket(family, socket.SOCK_DGRAM) as probe:
        # Nothing is sent: it is only asked which way it would go.
        probe.connect(there)
        return str(probe.getsockname()[0])


def find_clients() -> ClientRegistry:
    """Return the older clients' registry; without the package `clients` the server serves native clients only."""
    try:
        from qipai.clients.client_registry import OlderClients
    except ModuleNotFoundError as error:
        if error.name != "qipai.clients":
            raise
        return NativeOnly()
    return OlderClients()


def bind(host: str, port: int, *, reuse: bool = False, listen: bool = True) -> socket.socket:
    """Return a socket at this address; with `reuse` other workers may listen there as well."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        if listen:
            listening = socket.create_server((host, port), family=family, backlog=2048, reuse_port=reuse)
        else:
            listening = socket.socket(family)
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            listening.bind((host, port))
        # Connections inherit it; not every event loop sees by itself that these are for TCP.
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        raise ConfigurationError(f"cannot listen on {host}:{port}: {error.strerror or error}") from error
    except UnicodeError as error:
        raise ConfigurationError(f"cannot listen on {host!r}: not a host") from error
    return listening


def _loop_factory() -> "type[asyncio.AbstractEventLoop] | None":
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.Loop


def set_up_logging(level: str) -> None:
    """Log to standard error: lines for people at a terminal, JSON for everybody else."""
    number = logging.getLevelNamesMapping()[level.upper()]
    # A terminal shows the trace of an error by itself.
    renderers: list[structlog.typing.Processor] = (
        [structlog.dev.ConsoleRenderer()]
        if sys.stderr.isatty()
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    )
    shared: list[structlog.typing.Processor] = [
        structlog.stdlib.add_logger_name,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    structlog.configure(
        processors=[*shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.make_filtering_bound_logger(number),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderers],
        )
    )
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(number)
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).setLevel(max(number, logging.WARNING))
