"""What chess clients are told by operators: a ban. They end their game on any error, and show no more."""

from collections.abc import Sequence

from qipai.clients.qtchess.outgoing_messages import encode
from qipai.clients.sanctions.end_times import local_time
from qipai.protocol.notices import Announcement, OperatorNotice, SanctionView


def frames(notice: OperatorNotice) -> Sequence[bytes]:
    """Return the error for a ban; none for anything after which the client may go on."""
    if isinstance(notice, Announcement):
        return ()
    return [_error(each) for each in notice.sanctions if each.id == notice.new and each.kind == "ban"]


def _error(ban: SanctionView) -> bytes:
    end = "永久" if ban.ends is None else f"至 {local_time(ban.ends)}"
    text = f"您已被禁止使用本伺服器（{end}）。原因：{ban.reason}"
    return encode({"action": "error", "message": text})
