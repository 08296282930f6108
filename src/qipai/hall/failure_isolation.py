"""Keeps a failure inside one connection or one background task, also in coroutines."""

from collections.abc import Callable
from types import TracebackType


class FailureIsolation:
    """A `with` block that no `Exception` leaves: it is reported, and the code after the block runs."""

    __slots__ = ("_report",)

    def __init__(self, report: Callable[[Exception], object]) -> None:
        self._report = report

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Report an `Exception`; let everything else through, such as a cancellation."""
        if not isinstance(error, Exception):
            return False
        self._report(error)
        return True
