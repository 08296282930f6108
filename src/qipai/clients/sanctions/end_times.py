"""The end of a sanction as older clients show it: in the local time of the server."""

from datetime import UTC, datetime

from qipai.kernel.ids import Millis


def local_time(at: Millis) -> str:
    """Return a time to the minute."""
    return f"{datetime.fromtimestamp(at / 1000, UTC).astimezone():%Y-%m-%d %H:%M}"
