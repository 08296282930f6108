"""Reports of chat lines and rooms: stored for the operators with what the server knows, and logged."""

from typing import Final

import msgspec
import structlog

from qipai.hall.connections.connection import Connection, Handlers
from qipai.hall.connections.inbox import Inbox
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.moderation.operator_acts import OperatorActs
from qipai.hall.moderation.report_interface import Report, ReportedLine, ReportedSeat, ReportKind
from qipai.hall.rooms.command_executor import CommandExecutor
from qipai.hall.rooms.game_commands import room_of
from qipai.hall.rooms.live_room import LiveRoom
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
MOST_OPEN: Final = 10_000
"""Open reports that are stored; further ones are only logged."""
REMEMBERED: Final = 1000
"""Recent reports that are recognised when a client sends them again after a disconnection."""

_log = structlog.get_logger("qipai.hall")


class Reports:
    """Takes a limited number of reports per minute from each person, and from each address."""

    def __init__(
        self,
        executor: CommandExecutor,
        quota: Quota,
        address_limits: AddressLimits,
        inbox: Inbox,
        acts: OperatorActs | None,
    ) -> None:
        self._executor = executor
        self._quota = quota
        self._address_limits = address_limits
        self._acts = acts
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
            await self._take(connection, intent, text, now)
        else:
            connection.send_notice(Refused(Refusal.RATE_LIMITED, room, intent.nonce))

    async def _take(self, connection: Connection, intent: intents.Report, text: str, now: Millis) -> None:
        found = room_of(self._executor, connection, intent.room, intent.nonce)
        if found is None:
            return
        live, viewer = found
        version = live.seen(viewer).version
        report = _report_of(live, viewer, connection, intent, text, now)
        _log.warning(
            "reported",
            room=report.room,
            game=report.game,
            version=report.version,
            by=report.by,
            name=report.by_name,
            seat=report.seat,
            text=report.text,
            line=None if report.line is None else msgspec.to_builtins(report.line),
            about=report.about or None,
            # The same report, sent again to another worker, has the same nonce.
            nonce=intent.nonce,
        )
        self._taken[connection.person, intent.nonce] = None
        if len(self._taken) > REMEMBERED:
            del self._taken[next(iter(self._taken))]
        await self._store(report)
        connection.send_notice(Unchanged(report.room, version, intent.nonce))

    async def _store(self, report: Report) -> None:
        if self._acts is None:
            return
        try:
            stored = await self._acts.ask(lambda store: store.moderation.file_report(report, MOST_OPEN))
        except StoreError as error:
            _log.error("report not stored", nonce=report.nonce, error=str(error))
            return
        if not stored:
            _log.error("report not stored", nonce=report.nonce, error=f"{MOST_OPEN} reports are open")


def _report_of(
    live: LiveRoom, viewer: Seat, connection: Connection, intent: intents.Report, text: str, now: Millis
) -> Report:
    room = live.durable
    assert connection.person is not None
    line = None if intent.line is None else _find_line(live.seen(viewer), viewer, intent.line)
    about = Person("") if line is None else _author(live, room, line)
    return Report(
        0,
        ReportKind.REPORT,
        now,
        connection.person,
        connection.name,
        text,
        room.id,
        room.game,
        room.version,
        room.match,
        viewer if viewer != SPECTATOR else None,
        None if line is None else _reported(line),
        about,
        line.name if line is not None and about else "",
        tuple(
            ReportedSeat(Seat(seat), taken.person, taken.name, taken.bot)
            for seat, taken in enumerate(room.seats)
            if taken is not None
        ),
        tuple(map(_reported, room.chat)),
        nonce=intent.nonce,
    )


def _find_line(room: AnyRoom, viewer: Seat, reference: intents.ChatLineRef) -> ChatLine | None:
    """Return the chat line that is meant, if the reporter can have read it."""
    meant = (reference.at, reference.name, reference.text)
    lines = visible_lines(room.chat, spectator=viewer == SPECTATOR)
    return next((line for line in lines if (line.at, line.name, line.text) == meant), None)


def _reported(line: ChatLine) -> ReportedLine:
    return ReportedLine(line.at, line.name, line.text, line.seat, line.spectators_only)


def _author(live: LiveRoom, room: AnyRoom, line: ChatLine) -> Person:
    """Return the author, if that person still has the seat of the line, or watches on this worker."""
    if line.seat is None:
        watching = {
            member.person
            for member, viewer in live.members.items()
            if viewer == SPECTATOR and member.name == line.name and member.person is not None
        }
        return next(iter(watching)) if len(watching) == 1 else Person("")
    taken = room.seats[line.seat]
    return taken.person if taken is not None and taken.name == line.name else Person("")
