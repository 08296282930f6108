"""What mahjong clients are told by operators: error frames that answer no request."""

from collections.abc import Sequence
from typing import Final

from qipai.clients.mahjong import outgoing_messages
from qipai.clients.sanctions.end_times import local_time
from qipai.protocol.notices import Announcement, OperatorNotice

_TEXTS: Final = {"warning": "warning of the operators", "ban": "you are banned"}
"""These clients have neither chat nor rated play."""


def frames(notice: OperatorNotice) -> Sequence[bytes]:
    """Return what tells a client of a new sanction; these clients show no announcements."""
    if isinstance(notice, Announcement):
        return ()
    return [
        outgoing_messages.encode(
            {
                "type": "error",
                "error": f"{_TEXTS[each.kind]} "
                f"({'for good' if each.ends is None else f'until {local_time(each.ends)}'}): {each.reason}",
                "code": {"ban": "banned"}.get(each.kind, each.kind),
            }
        )
        for each in notice.sanctions
        if each.id == notice.new and each.kind in _TEXTS
    ]
