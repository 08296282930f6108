"""Reports of chat lines and rooms: one log line each, with what the server knows about it."""

from typing import Any, Final

import structlog

from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.game_commands import room_of
from qipai.kernel.chat_lines import ChatLine, visible_lines
from qipai.kernel.codec import clean_line
from qipai.kernel.ids import SPECTATOR, Millis, Nonce, Person, Seat
from qipai.kernel.refusals import Refusal
from qipai.kernel.room import AnyRoom
from qipai.protocol import intents
from qipai.protocol.notices import Refused, Unchanged

from .address_limits import AddressLimits
from .person_quota import Quota

MAX_REPORT: Final = 500
REMEMBERED: Final = 1000
"""Recent reports that are recognised when a client sends them again after a disconnection."""

_log = structlog.get_logger("qipai.hall")


class Reports:
    """Logs a limited number of reports per minute from each person, and from each address."""

    def __init__(
        self, executor: CommandExecutor, quota: Quota, address_limits: AddressLimits, inbox: Inbox
    ) -> None:
        self._executor = executor
        self._quota = quota
        self._address_limits = address_limits
        self._taken: dict[tuple[Person | None, Nonce], None] = {}
        self.handlers: Handlers = {intents.Report: inbox.handler(self._report)}

    async def _report(self, connection: Connection, intent: intents.Report, now: Millis) -> None:
        found = room_of(self._executor, connection, intent.room, intent.nonce)
        if found is None:
            return
        live, viewer = found
        room, text = live.durable.id, clean_line(intent.text, MAX_REPORT)
        if (connection.person, intent.nonce) in self._taken:
            connection.send_notice(Unchanged(room, live.seen(viewer).version, intent.nonce))
            return
        if not text and intent.line is None:
            connection.send_notice(Refused(Refusal.EMPTY, room, intent.nonce))
            return
        if await self._quota.spend(connection, now) and await self._address_limits.may_report(
            connection.address, now
        ):
            self._write(connection, intent, text)
        else:
            connection.send_notice(Refused(Refusal.RATE_LIMITED, room, intent.nonce))

    def _write(self, connection: Connection, intent: intents.Report, text: str) -> None:
        found = room_of(self._executor, connection, intent.room, intent.nonce)
        if found is None:
            return
        live, viewer = found
        room, seen = live.durable, live.seen(viewer)
        line = None if intent.line is None else _find_line(seen, viewer, intent.line)
        _log.warning(
            "reported",
            room=room.id,
            game=room.game,
            version=room.version,
            by=connection.person,
            name=connection.name,
            seat=viewer if viewer != SPECTATOR else None,
            text=text,
            line=None if line is None else _line_json(line),
            about=_author(room, line),
            # The same report, sent again to another worker, has the same nonce.
            nonce=intent.nonce,
        )
        self._taken[connection.person, intent.nonce] = None
        if len(self._taken) > REMEMBERED:
            del self._taken[next(iter(self._taken))]
        connection.send_notice(Unchanged(room.id, seen.version, intent.nonce))


def _find_line(room: AnyRoom, viewer: Seat, reference: intents.ChatLineRef) -> ChatLine | None:
    """Return the chat line that is meant, if the reporter can have read it."""
    meant = (reference.at, reference.name, reference.text)
    lines = visible_lines(room.chat, spectator=viewer == SPECTATOR)
    return next((line for line in lines if (line.at, line.name, line.text) == meant), None)


def _line_json(line: ChatLine) -> dict[str, Any]:
    return {"at": line.at, "name": line.name, "text": line.text, "seat": line.seat}


def _author(room: AnyRoom, line: ChatLine | None) -> str | None:
    """Return the author, if that person still has the seat of the line."""
    if line is None or line.seat is None:
        return None
    taken = room.seats[line.seat]
    return taken.person if taken is not None and taken.name == line.name else None
