"""Keeps a failure inside one connection or one background task, also in coroutines."""

from collections.abc import Callable
from types import TracebackType


class FailureIsolation:
    """A `with` block: an `Exception` is reported, and the code after the block runs; `passes` is raised."""

    __slots__ = ("_passes", "_report")

    def __init__(
        self, report: Callable[[Exception], object], passes: type[Exception] | tuple[()] = ()
    ) -> None:
        self._report = report
        self._passes = passes

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Report an `Exception`; let everything else through, such as a cancellation."""
        if not isinstance(error, Exception) or isinstance(error, self._passes):
            return False
        self._report(error)
        return True
