"""Registers the older clients: their part of the hall, WebSocket paths, HTTP routes, Socket.IO endpoint."""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final, NamedTuple

from starlette.requests import Request
from starlette.responses import FileResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route

from qipai.hall.client_interface import ClientSupport, HallConnections, HallServices, WebSocketPath
from qipai.hall.cluster.bus_interface import ClusterBus
from qipai.hall.connections.connection import Connection
from qipai.hall.connections.transport_interface import Transport
from qipai.protocol.http_route import HttpRoute
from qipai.socketio import uvicorn_picows
from qipai.socketio.allowed_origins import AllowedOrigins
from qipai.socketio.endpoint import SocketIO
from qipai.socketio.polling_transport import Polling
from qipai.socketio.session_forwarding import Address, SessionForwarding
from qipai.socketio.session_interfaces import SessionLimits
from qipai.socketio.websocket_transport import route as socketio_route

from .client_detection import ClientDetection, NamespaceDialects
from .cluster_gateway import ClusterGateway
from .connection_recovery.browser_tag import COOKIE, browser_tag, pid_suffix
from .gomoku import WHOLE_STATES, ServerRules
from .legacy_support import LegacySupport
from .login import login_routes
from .mahjong import mahjong, rest_routes
from .qtchess import qtchess
from .rate_window import RateWindow, SlowedConnection
from .socketio_gateway import SocketIOGateway

PING_INTERVAL: Final = 4.0
PING_TIMEOUT: Final = 5.0
"""Seconds. A dead network is noticed within their sum, by both sides."""
MAX_PAYLOAD: Final = 100_000
"""Bytes of one Socket.IO message: enough for a pasted page of text."""
NAMESPACE: Final = "/"
"""The Socket.IO namespace of the tic-tac-toe and gomoku clients."""


class ClientPath(NamedTuple):
    """What serves a WebSocket path.

    `dialects` is called once per server, and returns what makes the dialect of each socket. `connection` is
    the class that limits the frames of a socket.
    """

    dialects: Callable[[], Callable[[], Any]]
    connection: Callable[[Transport, Any, HallConnections, str], Connection]


DIALECTS: Final = {"/": ClientPath(qtchess, RateWindow), "/ws": ClientPath(mahjong, SlowedConnection)}
"""The clients by WebSocket path."""
_BUNDLES: Final = ("socket.io.js", "socket.io.min.js", "socket.io.esm.min.js")
"""The official Socket.IO client for browsers, from its package."""
_DOCS: Final = (
    HttpRoute(
        "/login", "Log in for Socket.IO clients; a POST of `username` and `icon` sets a cookie.", "text/html"
    ),
    HttpRoute("/logout", "Log out.", "text/html"),
    HttpRoute("/socket.io/socket.io.js", "The official Socket.IO client for browsers.", "text/javascript"),
    HttpRoute("/api/mahjong/rules", "The house rules of mahjong, with their defaults."),
    HttpRoute(
        rest_routes.START,
        "Open a table for older mahjong clients.",
        method="POST",
        refusals={
            408: ("a late body",),
            413: ("a long body",),
            415: ("no JSON from a page of another site",),
            422: ("a malformed body; the answer names the field",),
            429: ("too many tables from this address",),
            503: ("the server cannot do this now",),
        },
    ),
)
"""What `/docs` lists."""
_NOT_BUILT: Final = "The web client is not built here. Run `make web`, then reload this page.\n"


class ClientRoutes(NamedTuple):
    """What the server serves for the older clients."""

    websockets: dict[str, WebSocketPath]
    upgrades: dict[str, uvicorn_picows.Route]
    http: Sequence[BaseRoute]
    docs: Sequence[HttpRoute]
    forwarding: SessionForwarding | None
    receive: Callable[[str, str, bytes], None]
    close: Callable[[], None]


class OlderClients:
    """The older clients, as the composition root registers them."""

    def __init__(self, *, always_timed: bool = False, undo_limit: int = 0) -> None:
        self._gomoku = ServerRules(always_timed, undo_limit)

    def support(self, services: HallServices) -> ClientSupport:
        """Return their part of the hall."""
        return LegacySupport(services)

    def routes(
        self,
        support: ClientSupport,
        origins: tuple[str, ...],
        sessions: SessionLimits,
        bus: ClusterBus | None,
        page: Path,
    ) -> ClientRoutes:
        """Return what the server serves for them; `support` is what the method `support` returned."""
        assert isinstance(support, LegacySupport)
        services = support.services
        endpoint = SocketIO(
            ping_interval=PING_INTERVAL,
            ping_timeout=PING_TIMEOUT,
            max_payload=MAX_PAYLOAD,
            origins=AllowedOrigins(origins),
            worker=services.worker,
            sid_of=lambda pid: services.identity.derived_guest(pid)[1],
            pid_suffix=lambda handshake: pid_suffix(browser_tag(services.identity, handshake)),
            browser_cookie=COOKIE,
            run_task=services.tasks.run,
            limits=sessions,
        )
        forwarding, receive = register_socketio(endpoint, support, ClientDetection(self._gomoku), bus)
        return ClientRoutes(
            {path: websocket_path(services.hall, client) for path, client in DIALECTS.items()},
            {"/socket.io/": socketio_route(endpoint)},
            http_routes(support, endpoint, forwarding, page),
            _DOCS,
            forwarding,
            receive,
            endpoint.close,
        )


def websocket_path(hall: HallConnections, client: ClientPath) -> WebSocketPath:
    """Return how the sockets of a path are connected."""
    new_dialect = client.dialects()

    def connect(transport: Transport, address: str, _cookies: str) -> Connection:
        return client.connection(transport, new_dialect(), hall, address)

    return WebSocketPath(connect, skip_long_messages=True)


def register_socketio(
    endpoint: SocketIO, support: LegacySupport, dialects: NamespaceDialects, bus: ClusterBus | None = None
) -> tuple[SessionForwarding | None, Callable[[str, str, bytes], None]]:
    """Add the namespace to the endpoint; with a bus sockets are recovered on every worker.

    Return where requests of other workers' sessions go, and what takes messages of other workers.
    """
    if bus is None:
        single = SocketIOGateway(support, dialects, endpoint)
        endpoint.of(NAMESPACE, single, single, WHOLE_STATES)
        return None, lambda _worker, _key, _body: None
    gateway = ClusterGateway(support, dialects, endpoint, NAMESPACE, bus)
    endpoint.of(NAMESPACE, gateway, gateway, WHOLE_STATES)

    async def address_of(worker: str) -> Address | None:
        host, _, port = (await bus.where(worker)).rpartition(" ")
        return Address(host, int(port)) if host else None

    tokens = support.services.identity.worker_tokens
    return SessionForwarding(bus.worker, address_of, tokens), gateway.receive


def http_routes(
    support: LegacySupport, endpoint: SocketIO, forwarding: SessionForwarding | None, page: Path
) -> Sequence[BaseRoute]:
    """Return the login form, the REST API of the mahjong client, the Socket.IO bundles and long polling."""
    services = support.services

    async def bundle(request: Request) -> Response:
        path = page / request.url.path.removeprefix("/")
        if not path.is_file():
            return PlainTextResponse(_NOT_BUILT, 503)
        return FileResponse(path, media_type="text/javascript", headers={"cache-control": "no-cache"})

    return [
        *login_routes.routes(
            services.identity,
            services.names,
            services.address_limits,
            services.sanctions,
            services.hall.now,
        ),
        *rest_routes.routes(support, endpoint.origins),
        *(Route(f"/socket.io/{name}", bundle) for name in _BUNDLES),
        Mount("/socket.io", Polling(endpoint, forwarding)),
    ]
