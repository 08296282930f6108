"""How busy a worker was lately, from samples that are taken when operators look."""

from collections import deque
from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from prometheus_client.registry import Collector

SECONDS: Final = 300.0
"""How far samples go back."""
PAUSE: Final = 1.0
"""Seconds between two samples."""
_LAG: Final = "qipai_event_loop_lag_seconds_bucket"


class Sample(NamedTuple):
    """Commands so far, and how often the event loop was at most so many seconds late."""

    at: float
    commands: int
    lag: Mapping[float, float]


class LoadSamples:
    """Samples of the last minutes. Both figures are None before the second one."""

    def __init__(self, collectors: Iterable[Collector] = ()) -> None:
        self._collectors = tuple(collectors)
        self._samples: deque[Sample] = deque()

    def take(self, now: float, commands: int) -> None:
        """Take a sample, unless one was taken just before."""
        while len(self._samples) > 1 and now - self._samples[0].at > SECONDS:
            self._samples.popleft()
        if not self._samples or now - self._samples[-1].at >= PAUSE:
            self._samples.append(Sample(now, commands, self._lag()))

    @property
    def moves_per_second(self) -> float | None:
        """Return the commands of a second, on average."""
        if len(self._samples) < 2:
            return None
        first, last = self._samples[0], self._samples[-1]
        return round((last.commands - first.commands) / (last.at - first.at), 1)

    @property
    def lag_p99_ms(self) -> float | None:
        """Return by how many milliseconds 99 of 100 timers were late at most; None above the scale."""
        if len(self._samples) < 2:
            return None
        first, last = self._samples[0].lag, self._samples[-1].lag
        counts = {bound: count - first.get(bound, 0.0) for bound, count in sorted(last.items())}
        total = max(counts.values(), default=0.0)
        within = (bound for bound, count in counts.items() if total and count >= 0.99 * total)
        bound = next(within, float("inf"))
        return None if bound == float("inf") else bound * 1000

    def _lag(self) -> dict[float, float]:
        return {
            float(sample.labels["le"]): sample.value
            for collector in self._collectors
            for metric in collector.collect()
            for sample in metric.samples
            if sample.name == _LAG
        }
