"""Intents about a connection itself: pings, another dialect, frames that its dialect refused."""

from collections.abc import Callable

from qipai.kernel.ids import Millis
from qipai.protocol import dialect_interface, intents
from qipai.protocol.notices import Pong

from .admission import refuse_before_hello
from .connection import Connection, Handlers

RefuseFrame = Callable[[Connection, dialect_interface.RefuseFrame, Millis], None]


class ConnectionIntents:
    """Handles them; `refuse_frame` refuses a frame once all earlier commands are durable."""

    def __init__(self, dialect_changed: Callable[[Connection], None], refuse_frame: RefuseFrame) -> None:
        self._dialect_changed = dialect_changed
        self._refuse_frame = refuse_frame
        self.handlers: Handlers = {
            dialect_interface.SwitchDialect: self._switch_dialect,
            intents.Ping: self._ping,
        }
        self.handlers_before_hello: Handlers = {
            dialect_interface.RefuseFrame: self._refuse_frame_before_hello
        }

    def _switch_dialect(
        self, connection: Connection, intent: dialect_interface.SwitchDialect, now: Millis
    ) -> None:
        """Give the connection another dialect, which decodes the frame; pending intents are run first."""
        old = connection.dialect
        connection.run_intents((*old.pending_intents, *old.on_disconnect()), now)
        connection.dialect = intent.dialect
        self._dialect_changed(connection)
        for decoded in connection.dialect.decode(intent.frame):
            connection.handlers[type(decoded)](connection, decoded, now)

    def _refuse_frame_before_hello(
        self, connection: Connection, intent: dialect_interface.RefuseFrame, now: Millis
    ) -> None:
        if intent.nonce:
            self._refuse_frame(connection, intent, now)
        else:
            refuse_before_hello(connection, intent, now)

    def _ping(self, connection: Connection, intent: intents.Ping, now: Millis) -> None:
        connection.send_notice(Pong(intent.n, now))
