"""Numbers for operators: read from the hall when asked, nothing is counted twice."""

from collections.abc import Iterator

from prometheus_client import GC_COLLECTOR, PLATFORM_COLLECTOR, PROCESS_COLLECTOR, CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from qipai import __version__
from qipai.hall.hall import Hall


class HallCollector(Collector):
    """Turns the hall's own counters into metrics at the moment of a scrape."""

    def __init__(self, reception: Hall) -> None:
        self._reception = reception

    def collect(self) -> Iterator[Metric]:
        """Yield every metric."""
        hall = self._reception
        host = hall.executor
        yield GaugeMetricFamily("qipai_connections", "Open connections", value=len(hall.connections))
        yield GaugeMetricFamily("qipai_persons", "Persons online", value=len(hall.persons))
        yield GaugeMetricFamily("qipai_alarms", "Alarms set", value=len(hall.alarms))
        rooms = GaugeMetricFamily("qipai_rooms", "Rooms in memory", labels=["game", "phase"])
        counts: dict[tuple[str, str], int] = {}
        for live in host.live_rooms.values():
            key = (live.game.name, live.latest.phase.value)
            counts[key] = counts.get(key, 0) + 1
        for labels, count in sorted(counts.items()):
            rooms.add_metric(labels, count)
        yield rooms
        yield CounterMetricFamily("qipai_frames", "Frames taken in", value=hall.inbox.frames)
        yield CounterMetricFamily("qipai_commands", "Commands that took effect", value=host.moves)
        yield CounterMetricFamily("qipai_refusals", "Commands refused", value=host.refused)
        yield CounterMetricFamily(
            "qipai_batches", "Groups written to the journal", value=host.journal.batches
        )
        yield CounterMetricFamily("qipai_records", "Records written", value=host.journal.records)
        yield CounterMetricFamily("qipai_incidents", "Faults of the server", value=hall.internal_errors.count)
        yield from self._surroundings()

    def _surroundings(self) -> Iterator[Metric]:
        hall = self._reception
        yield InfoMetricFamily("qipai_build", "The release that runs", value={"version": __version__})
        yield GaugeMetricFamily(
            "qipai_store_up", "Whether the journal is in reach and takes records", value=hall.store_health.up
        )
        yield GaugeMetricFamily(
            "qipai_workers",
            "Workers alive on the same journal, this one included",
            value=hall.store_health.workers,
        )
        yield CounterMetricFamily(
            "qipai_commit_failures",
            "Groups of which nobody knows whether they were written",
            value=hall.executor.journal.failures,
        )
        yield CounterMetricFamily(
            "qipai_commit_conflicts",
            "Commands done again because another worker was quicker",
            value=hall.executor.conflicts,
        )
        away = hall.archiver is not None and not hall.archiver.up
        yield GaugeMetricFamily("qipai_archive_up", "Whether the archive is in reach", value=not away)
        waiting = 0 if hall.archiver is None else hall.archiver.waiting
        yield GaugeMetricFamily(
            "qipai_rooms_unarchived", "Closed rooms that wait for the archive", value=waiting
        )


def registry(reception: Hall) -> CollectorRegistry:
    """Return a registry of the hall and the process, independent of any other in this process."""
    metrics = CollectorRegistry()
    for collector in (PROCESS_COLLECTOR, PLATFORM_COLLECTOR, GC_COLLECTOR):
        metrics.register(collector)
    metrics.register(HallCollector(reception))
    return metrics
