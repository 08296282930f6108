"""The composition root: builds store, hall, clients and server from the settings, and runs them."""

import asyncio
import contextlib
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from secrets import token_hex
from typing import Final

import structlog
import uvicorn

from qipai.games.game_registry import GAMES, REJECTED
from qipai.guard.client_address import TrustedProxies
from qipai.guard.connection_limits import ConnectionLimits
from qipai.guard.guarded_protocol import Guard
from qipai.guard.polling_sessions import PollingSessions
from qipai.guard.worker_ports import WorkerPorts
from qipai.hall.accounts.account_interface import AccountStore
from qipai.hall.accounts.openid.openid_interface import Provider
from qipai.hall.cluster.bus_interface import PublishedWorker
from qipai.hall.cluster.replicas import Replicas
from qipai.hall.hall import Hall
from qipai.hall.history.archive_interface import Archive
from qipai.hall.journal.store_interface import Damaged, Store, StoreError
from qipai.hall.people.identity import wall_clock
from qipai.hall.people.signing_keys import SigningKeys
from qipai.hall.steady_clock import steady_clock
from qipai.server.client_routes import ClientRegistry, NativeOnly
from qipai.server.http_app import PAGE, create_app
from qipai.server.listen_addresses import addresses
from qipai.server.openid.openid_settings import open_provider
from qipai.socketio.allowed_origins import AllowedOrigins
from qipai.socketio.uvicorn_picows import protocol_class
from qipai.stores.archives import archive_registry as archives
from qipai.stores.archives.damaged_archive import DamagedArchive
from qipai.stores.incident_folder import IncidentFolder
from qipai.stores.store_registry import is_migrating, open_bus

from .account_database import open_accounts
from .event_loop import EventLoopMonitor
from .log_setup import set_up_logging
from .server import websocket
from .settings import ConfigurationError, Settings, find_engine
from .signing_key import KeyUpdates, signing_keys
from .sockets import bind, worker_socket
from .stores import store_registry as stores

MAX_FRAME: Final = 100_000
"""Bytes of one WebSocket frame; each protocol has a limit of its own below that."""

_log = structlog.get_logger("qipai")


class Server(uvicorn.Server):
    """uvicorn, except that the hall closes its connections first and signals end it with exit code 0."""

    def __init__(
        self, config: uvicorn.Config, hall: Hall, end_sessions: Callable[[], None], *, worker: bool
    ) -> None:
        super().__init__(config)
        self._hall = hall
        self._end_sessions = end_sessions
        self._worker = worker
        self.exit_code = 0

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Stop on the first SIGINT or SIGTERM, at once on the second."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, self.handle_exit, number, None)
        if self._worker:
            # The parent holds the other end of the pipe: this worker ends with it, however it ends.
            loop.add_reader(sys.stdin.fileno(), self._parent_ended, loop)
        yield

    def _parent_ended(self, loop: asyncio.AbstractEventLoop) -> None:
        loop.remove_reader(sys.stdin.fileno())
        self.handle_exit(signal.SIGTERM, None)

    def stop_for_other_secret(self) -> None:
        """Stop, with exit code 1: two workers with different keys would not know each other's guests."""
        if not self.exit_code:
            self.exit_code = 1
            _log.error("the store has another signing key than this worker, which stops")
            self.handle_exit(signal.SIGTERM, None)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Close all connections with code 4503, write the journal, then stop listening."""
        _log.info(
            "stopping", rooms=len(self._hall.executor.live_rooms), connections=len(self._hall.connections)
        )
        if self._worker:
            # Clients that reconnect must reach another worker.
            for server in self.servers:
                server.close()
        await self._hall.stop()
        self._end_sessions()
        await super().shutdown(sockets)


def run(settings: Settings, *, worker: bool = False, bundle_command: Sequence[str] = ()) -> int:
    """Serve until a signal; return the exit code. A worker shares its port and ends with its parent.

    `bundle_command` prints a problem bundle.
    """
    set_up_logging(settings.log_level)
    for rejected in REJECTED:
        _log.error(
            "game left out",
            game=rejected.name,
            package=rejected.package,
            version=rejected.version,
            reason=rejected.reason,
        )
    program = find_engine(settings)
    store = open_store(settings)
    with contextlib.ExitStack() as undo:
        undo.callback(store.close)
        _refuse_while_migrating(store)
        archive = _open_archive_or_go_without(settings)
        if archive is not None:
            undo.callback(archive.close)
        damaged = isinstance(archive, DamagedArchive)
        accounts = None if damaged else open_accounts(settings)
        if accounts is not None:
            undo.callback(accounts.close)
        listening = bind(settings.host, settings.port, reuse=worker)
        undo.pop_all()
    with contextlib.suppress(KeyboardInterrupt):
        serving = _serve(
            settings, store, archive, accounts, listening, program, bundle_command, worker=worker
        )
        try:
            return asyncio.Runner(loop_factory=_loop_factory()).run(serving)
        except StoreError as error:
            # The store ended between two steps of the start.
            raise ConfigurationError(str(error)) from error
    return 0


def open_store(settings: Settings, *, update_schema: bool = True) -> Store:
    """Return the store that the settings name, or raise `ConfigurationError`."""
    folder = Path(settings.data)
    try:
        return stores.open_store(settings.store, folder, settings.durability, update_schema=update_schema)
    except OSError as error:
        raise ConfigurationError(f"data folder {folder}: {error.strerror}") from error
    except ValueError as error:
        raise ConfigurationError(f"data folder {str(folder)!r}: {error}") from error
    except StoreError as error:
        raise ConfigurationError(str(error)) from error


def open_archive(settings: Settings, *, update_schema: bool = True) -> Archive | None:
    """Return the archive of finished games; None if the store is in memory and none is configured."""
    if settings.store == "memory" and not settings.archive:
        return None
    folder = Path(settings.data)
    try:
        if not settings.archive:
            folder.mkdir(parents=True, exist_ok=True)
        return archives.open_archive(folder, settings.archive, update_schema=update_schema)
    except OSError as error:
        raise ConfigurationError(f"data folder {folder}: {error.strerror}") from error
    except StoreError as error:
        raise ConfigurationError(str(error)) from error


def _open_archive_or_go_without(settings: Settings) -> Archive | None:
    """Open the archive; a damaged one does not stop the server."""
    try:
        return open_archive(settings)
    except ConfigurationError as error:
        if not isinstance(error.__cause__, Damaged):
            raise
        _log.error("archive damaged", error=str(error), effect="finished games are neither stored nor found")
        return DamagedArchive(str(error))


async def _serve(
    settings: Settings,
    store: Store,
    archive: Archive | None,
    accounts: AccountStore | None,
    listening: socket.socket,
    engine_program: str,
    bundle_command: Sequence[str],
    *,
    worker: bool,
) -> int:
    keys, provider = _keys(settings, store), _provider(settings)
    single = frozenset({"tictactoe"} if settings.tictactoe.single_match else ())
    clock = steady_clock()
    bus = open_bus(settings.store, token_hex(4), clock)
    if bus is not None:
        try:
            await bus.tune()
        except StoreError as error:
            raise ConfigurationError(str(error)) from error
    now = clock if bus is None else bus.now
    clients = find_clients(settings)
    incidents = IncidentFolder(None if settings.store == "memory" else Path(settings.data))
    hall = Hall(
        GAMES,
        store,
        now,
        bot_pause=settings.bot_pause,
        single=single,
        engine=engine_program,
        archive=archive,
        bus=bus,
        clients=clients.support,
        limits=settings.limits,
        keys=keys,
        accounts=accounts,
        keep_incident=incidents.keep,
    )
    sockets, address = [listening], ""
    if bus is not None:
        own, address = worker_socket(settings)
        sockets.append(own)
    limits, proxies = ConnectionLimits(settings.connections), TrustedProxies(settings.proxies)
    served = clients.routes(hall.clients, settings.origins, PollingSessions(limits, proxies), bus, PAGE)
    paths = {websocket.NATIVE_PATH: websocket.native_path(hall), **served.websockets}
    first_frames, origins = websocket.FirstFrames(limits), AllowedOrigins(settings.origins)
    routes = {path: websocket.route(hall, made, first_frames, origins) for path, made in paths.items()}
    worker_ports = {each.getsockname()[1] for each in sockets[1:]}
    tokens = served.forwarding.tokens if served.forwarding else tuple
    guard = Guard(limits, proxies, WorkerPorts(worker_ports, tokens))
    monitor = EventLoopMonitor(lambda: hall.executor.moves)
    monitor.take_over()
    rooms = hall.start()
    config = uvicorn.Config(
        create_app(
            hall,
            limits,
            served.http,
            client_docs=served.docs,
            collectors=(monitor.lag,),
            bundle_command=bundle_command,
            provider=provider,
        ),
        ws=protocol_class({**routes, **served.upgrades}, MAX_FRAME, served.forwarding),
        http=guard.protocol,  # type: ignore[arg-type] # uvicorn only calls it
        proxy_headers=False,  # The guard reads them.
        lifespan="off",
        access_log=False,
        log_config=None,
        server_header=False,
        timeout_graceful_shutdown=2,
    )
    server = Server(config, hall, served.close, worker=worker)
    if bus is not None:
        updates = KeyUpdates(keys, store, hall.tasks, server.stop_for_other_secret)
        published = PublishedWorker(
            lambda: len(hall.persons), address, served.receive, lambda: keys.stored, updates.read
        )
        listener = hall.replication
        assert isinstance(listener, Replicas)
        try:
            await bus.start(listener, published)
            # The first heartbeat is written: from now on a migration sees this worker.
            _refuse_while_migrating(store, keys)
        except (StoreError, ConfigurationError) as error:
            await bus.close()
            raise ConfigurationError(str(error)) from error
    monitor.start()
    _log_addresses(settings, listening, rooms)
    try:
        await server.serve(sockets)
    finally:
        monitor.stop()
        if bus is not None:
            await bus.close()
        incidents.close()
        if provider is not None:
            await provider.close()
    return server.exit_code


def _log_addresses(settings: Settings, listening: socket.socket, rooms: int) -> None:
    """Log the URLs of the page and the data folder."""
    address, *network = addresses(*listening.getsockname()[:2])
    others = {"network": network[0]} if network else {}
    _log.info("serving", address=address, **others, data=str(Path(settings.data).resolve()), rooms=rooms)


def _provider(settings: Settings) -> Provider | None:
    try:
        return open_provider(settings.openid, wall_clock)
    except ImportError as error:
        raise ConfigurationError("openid: a provider needs the extra `openid`: qipai[openid]") from error


def _keys(settings: Settings, store: Store) -> SigningKeys:
    try:
        return signing_keys(settings, store)
    except StoreError as error:
        raise ConfigurationError(str(error)) from error


def _refuse_while_migrating(store: Store, keys: SigningKeys | None = None) -> None:
    """Raise `ConfigurationError` while rooms are exported or imported, or if that replaced the keys."""
    try:
        migrating = is_migrating(store) or (keys is not None and not keys.adopt(store.secret()))
    except StoreError as error:
        raise ConfigurationError(str(error)) from error
    if migrating:
        raise ConfigurationError(
            "rooms are being exported from or imported into this store: start when that is done"
        )


def find_clients(settings: Settings) -> ClientRegistry:
    """Return the older clients' registry; without the package `clients` only native clients are served."""
    try:
        from qipai.clients.client_registry import OlderClients
    except ModuleNotFoundError as error:
        if error.name != "qipai.clients":
            raise
        return NativeOnly()
    gomoku = settings.gomoku
    return OlderClients(always_timed=gomoku.turn_timer == "always", undo_limit=gomoku.undo_limit)


def _loop_factory() -> "type[asyncio.AbstractEventLoop] | None":
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.Loop
