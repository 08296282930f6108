"""What tic-tac-toe clients are told by operators: lines of the system in the chat."""

from collections.abc import Sequence
from typing import Final

from qipai.clients.sanctions.end_times import local_time
from qipai.clients.tictactoe.outgoing_messages import system_hint
from qipai.kernel.ids import Millis
from qipai.protocol.notices import Announcement, OperatorNotice, Refused

_TEXTS: Final = {
    "warning": "管理員警告：{reason}（{end}）",
    "mute": "你已被禁言（{end}）。原因：{reason}",
    "ban": "你已被禁止使用本伺服器（{end}）。原因：{reason}",
}
"""Rated play does not concern these clients."""


def frames(notice: OperatorNotice) -> Sequence[bytes]:
    """Return what tells a client of a new sanction or of an announcement."""
    if isinstance(notice, Announcement):
        return (system_hint(notice.text),) if notice.text else ()
    return [
        _hint(each.kind, each.reason, each.ends)
        for each in notice.sanctions
        if each.id == notice.new and each.kind in _TEXTS
    ]


def muted(refused: Refused) -> Sequence[bytes]:
    """Return the line for a chat line of somebody who is muted."""
    return (_hint("mute", refused.about, refused.until),)


def _hint(kind: str, reason: str, ends: Millis | None) -> bytes:
    end = "永久" if ends is None else f"至 {local_time(ends)}"
    return system_hint(_TEXTS[kind].format(reason=reason, end=end))
