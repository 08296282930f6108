"""A table as operators see it: who sits there, who watches, and its chat, while it is open."""

from qipai.hall.hall import Hall
from qipai.hall.history.finished_games import TooManyRequests
from qipai.hall.journal.store_interface import StoreError
from qipai.hall.moderation.report_interface import Report
from qipai.hall.rooms.live_room import LiveRoom
from qipai.kernel.ids import SPECTATOR, RoomId

from .operator_json import Json, line_json


async def reported_table(hall: Hall, report: Report, address: str) -> Json | None:
    """Return the table of a report with links; None for an appeal. `open` is null once it is closed."""
    if not report.room:
        return None
    live = await find_table(hall, report.room)
    replay = None
    if report.match and await _is_finished(hall, report.room, report.match, address):
        replay = f"/g/{report.room}/{report.match}"
    return {
        "link": f"/t/{report.room}",
        "replay": replay,
        "open": None if live is None else table_json(live),
    }


async def find_table(hall: Hall, key: str) -> LiveRoom | None:
    """Return an open table by its id or code."""
    live = hall.executor.find(key)
    if live is None:
        try:
            live = await hall.executor.replication.find(RoomId(key))
        except StoreError:
            return None
    return live


def table_json(live: LiveRoom) -> Json:
    """Return an open table, with the lines that only spectators read."""
    room = live.durable
    return {
        "room": room.id,
        "code": room.code,
        "game": room.game,
        "phase": room.phase.value,
        "title": room.table.title,
        "public": room.table.public,
        "rated": room.table.rated,
        "opened": room.opened,
        "version": room.version,
        "seats": [
            {
                "seat": seat,
                "person": taken.person,
                "name": taken.name,
                "bot": taken.bot,
                "connected": live.held(seat),  # type: ignore[arg-type]
            }
            for seat, taken in enumerate(room.seats)
            if taken is not None
        ],
        "spectators": [
            {"person": member.person, "name": member.name}
            for member, viewer in live.members.items()
            if viewer == SPECTATOR
        ],
        "spectator_count": live.spectators,
        "chat": [line_json(line) for line in room.chat],
    }


async def _is_finished(hall: Hall, room: RoomId, match: int, address: str) -> bool:
    try:
        return await hall.finished_games.ending(room, match, address=address) is not None
    except (TooManyRequests, StoreError):
        return False
