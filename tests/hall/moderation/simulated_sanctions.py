"""Sanctions of a simulated hall, as if an operator had imposed them, and clients of every protocol."""

import json
from typing import Any

from msgspec.structs import replace

from qipai.clients.client_registry import DIALECTS, NAMESPACE, websocket_path
from qipai.hall.connections.connection import Connection
from qipai.hall.connections.rate_limit import RateLimit
from qipai.hall.moderation.moderation_interface import ModerationChanges
from qipai.hall.moderation.operator_log_interface import Act, LogEntry, Via
from qipai.hall.moderation.sanction_interface import Sanction, SanctionKind
from qipai.hall.people.identity import wall_clock
from qipai.kernel.ids import Millis, Person, RoomId
from tests.support.hall_simulation import HallSimulation, RecordingTransport

HOME, CAFE = "192.0.2.7", "198.51.100.9"
LATER = Millis(4_102_488_000_000)
"""Noon of 1 January 2100 in UTC."""


class Acts:
    """What operators do, as a worker reads it in the log."""

    def __init__(self, simulation: HallSimulation) -> None:
        self._simulation = simulation
        self._moderation = simulation.hall.moderation
        self._last = 0

    def impose(
        self, kind: SanctionKind, person: str | None = "", network: str = "", **fields: Any
    ) -> Sanction:
        self._last += 1
        made = Sanction(self._last, kind, Person(person or ""), network, "", "insults", wall_clock(), LATER)
        made = replace(made, **fields)
        self._apply(made, Act.IMPOSE)
        return made

    def lift(self, sanction: Sanction) -> None:
        self._apply(replace(sanction, lifted=wall_clock()), Act.LIFT)

    def close_table(self, room: str, reason: str) -> None:
        entry = self._entry(Act.CLOSE_TABLE, room=RoomId(room), reason=reason)
        self._changed(ModerationChanges([entry], {}, [], {}))
        self._simulation.wait(0.1)

    def _apply(self, sanction: Sanction, act: Act) -> None:
        self._moderation.index.put(sanction, wall_clock())
        entry = self._entry(act, sanction=sanction.id)
        self._changed(ModerationChanges([entry], {}, [sanction], {}))

    def _changed(self, changes: ModerationChanges) -> None:
        self._simulation.loop.call_soon(self._moderation.enforcement.changed, changes)
        self._simulation.settle()

    def _entry(self, act: Act, **fields: Any) -> LogEntry:
        return LogEntry(self._last, wall_clock(), Person("op"), Via.PAGE, act, **fields)


class Client:
    """A client of an older protocol with an address, and what it has received."""

    def __init__(self, simulation: HallSimulation, protocol: str, address: str = HOME) -> None:
        self.simulation, self.transport = simulation, RecordingTransport()
        hall = simulation.hall
        if protocol in DIALECTS:
            self.connection = websocket_path(hall, DIALECTS[protocol]).connect(self.transport, address, "")
        else:
            dialect = simulation.dialects[NAMESPACE](protocol)
            limit = RateLimit(burst=100, quiet=True)
            self.connection = Connection(self.transport, dialect, hall, limit, address)
            self.connection.handle = protocol
        hall.connected(self.connection)
        simulation.settle()

    def send(self, frame: Any) -> list[Any]:
        """Send a frame; return everything received since the last call."""
        before = len(self.transport.frames)
        encoded = json.dumps(frame, ensure_ascii=False, separators=(",", ":")).encode()
        self.simulation.loop.call_soon(self.simulation.hall.arrived, self.connection, encoded)
        self.simulation.settle()
        return self.received()[before:]

    def received(self) -> list[Any]:
        return [json.loads(frame) for frame in self.transport.frames]
