"""What gomoku clients are told by operators: errors, which they show, and lines of the system in the chat."""

from collections.abc import Sequence
from typing import Final

from qipai.clients.gomoku import chat_text
from qipai.clients.gomoku.errors import TEXTS, ClientError, error_frame
from qipai.clients.gomoku.outgoing_messages import SYSTEM_NAME, chat_line, chat_received
from qipai.kernel.ids import Millis
from qipai.kernel.view_values import ChatLineView
from qipai.protocol.notices import Announcement, OperatorNotice, Refused

from .end_times import local_time

_ERRORS: Final = {"warning": ClientError.WARNING, "mute": ClientError.MUTED, "ban": ClientError.BANNED}
"""Rated play does not concern these clients."""


def frames(notice: OperatorNotice) -> Sequence[bytes]:
    """Return what tells a client of a new sanction or of an announcement."""
    if isinstance(notice, Announcement):
        line = ChatLineView(notice.at, SYSTEM_NAME, notice.text)
        return (chat_received(chat_line(line)),) if notice.text else ()
    return [
        _error(_ERRORS[each.kind], each.reason, each.ends)
        for each in notice.sanctions
        if each.id == notice.new and each.kind in _ERRORS
    ]


def muted(refused: Refused) -> Sequence[bytes]:
    """Return the error for a chat line of somebody who is muted."""
    return (_error(ClientError.MUTED, refused.about, refused.until),)


def _error(error: ClientError, reason: str, ends: Millis | None) -> bytes:
    end = "永久" if ends is None else f"至 {local_time(ends)}"
    return error_frame(error, f"{TEXTS[error]}（{end}）。原因：{chat_text.escape_markup(reason)}")
