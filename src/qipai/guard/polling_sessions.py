"""Counts Socket.IO sessions that poll by the address of their client, as connections are counted."""

from qipai.socketio.request_errors import SERVER_FULL, TOO_MANY_SESSIONS, RequestError

from .client_address import TrustedProxies, counted_address
from .connection_limits import ConnectionLimits, Reason


class PollingSessions:
    """The limits of the Socket.IO endpoint. Sessions of the listed proxies themselves count in all only."""

    def __init__(self, limits: ConnectionLimits, proxies: TrustedProxies) -> None:
        self._limits = limits
        self._proxies = proxies

    def enter(self, address: str) -> RequestError | None:
        """Count a session of a client; return why it must be refused, if so."""
        reason = self._limits.enter_session(self._counted(address))
        if reason is None:
            return None
        self._limits.count(reason)
        return SERVER_FULL if reason is Reason.SESSIONS else TOO_MANY_SESSIONS

    def leave(self, address: str) -> None:
        """Uncount a session."""
        self._limits.leave_session(self._counted(address))

    def _counted(self, host: str) -> str:
        return "" if self._proxies.lists(host) else counted_address(host)
