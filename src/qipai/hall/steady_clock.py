"""The clock of the server."""

from time import monotonic_ns, time_ns

from qipai.hall.journal.store_interface import Now
from qipai.kernel.ids import Millis


def steady_clock() -> Now:
    """Return a clock in Unix milliseconds that never goes backwards while the process lives."""
    offset = time_ns() - monotonic_ns()
    return lambda: Millis((offset + monotonic_ns()) // 1_000_000)
