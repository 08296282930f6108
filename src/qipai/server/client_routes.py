"""What client support adds to the server: WebSocket paths, HTTP routes, session forwarding."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple, Protocol

from starlette.routing import BaseRoute

from qipai.hall.client_interface import ClientSupport, HallServices, NoClientSupport, WebSocketPath
from qipai.hall.cluster.bus_interface import ClusterBus
from qipai.protocol.http_route import HttpRoute
from qipai.socketio.session_forwarding import SessionForwarding
from qipai.socketio.session_interfaces import SessionLimits
from qipai.socketio.uvicorn_picows import Route


class ClientRoutes(Protocol):
    """What the server serves beside the native protocol and the page."""

    @property
    def websockets(self) -> Mapping[str, WebSocketPath]:
        """Return the WebSocket paths of the hall's connections."""

    @property
    def upgrades(self) -> Mapping[str, Route]:
        """Return the WebSocket paths that have a protocol of their own below the hall's."""

    @property
    def http(self) -> Sequence[BaseRoute]:
        """Return the HTTP routes."""

    @property
    def docs(self) -> Sequence[HttpRoute]:
        """Return the documentation of the HTTP routes."""

    @property
    def forwarding(self) -> SessionForwarding | None:
        """Return where requests for sessions of other workers go; None if there is one worker."""

    @property
    def receive(self) -> Callable[[str, str, bytes], None]:
        """Return what takes messages that other workers send to this one."""

    @property
    def close(self) -> Callable[[], None]:
        """Return what ends all sessions."""


class ClientRegistry(Protocol):
    """Builds the support of clients that are not native."""

    def support(self, services: HallServices) -> ClientSupport:
        """Return the part in the hall."""

    def routes(
        self,
        support: ClientSupport,
        origins: tuple[str, ...],
        sessions: SessionLimits,
        bus: ClusterBus | None,
        page: Path,
    ) -> ClientRoutes:
        """Return the part in the server, for what `support` returned."""


class _NoRoutes(NamedTuple):
    websockets: Mapping[str, WebSocketPath]
    upgrades: Mapping[str, Route]
    http: Sequence[BaseRoute]
    docs: Sequence[HttpRoute]
    forwarding: SessionForwarding | None
    receive: Callable[[str, str, bytes], None]
    close: Callable[[], None]


class NativeOnly:
    """The registry of a server that serves native clients only."""

    def support(self, services: HallServices) -> ClientSupport:
        """Return a part that does nothing."""
        return NoClientSupport(services)

    def routes(
        self,
        support: ClientSupport,
        origins: tuple[str, ...],
        sessions: SessionLimits,
        bus: ClusterBus | None,
        page: Path,
    ) -> ClientRoutes:
        """Return nothing to serve."""
        return _NoRoutes({}, {}, (), (), None, lambda _worker, _key, _body: None, lambda: None)
