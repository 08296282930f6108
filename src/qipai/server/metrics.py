"""Prometheus metrics, read from the hall at each scrape."""

from collections.abc import Iterator, Sequence

from prometheus_client import GC_COLLECTOR, PLATFORM_COLLECTOR, PROCESS_COLLECTOR, CollectorRegistry
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from qipai import __version__
from qipai.guard.connection_limits import ConnectionLimits
from qipai.hall.api_tokens.api_token_limits import ApiTokenLimit
from qipai.hall.hall import Hall
from qipai.hall.people.address_refusals import AddressLimit

from .people_metrics import PeopleCollector


class HallCollector(Collector):
    """Turns the counters of the hall into metrics."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def collect(self) -> Iterator[Metric]:
        """Yield every metric."""
        hall = self._hall
        executor = hall.executor
        yield GaugeMetricFamily("qipai_connections", "Open connections", value=len(hall.connections))
        yield GaugeMetricFamily("qipai_persons", "Persons online", value=len(hall.persons))
        yield GaugeMetricFamily(
            "qipai_deferred_connections",
            "Connections of crowds that wait for their next frame",
            value=executor.fan_out.waiting,
        )
        yield GaugeMetricFamily("qipai_alarms", "Alarms set", value=len(hall.alarms))
        rooms = GaugeMetricFamily("qipai_rooms", "Rooms in memory", labels=["game", "phase"])
        counts: dict[tuple[str, str], int] = {}
        for live in executor.live_rooms.values():
            key = (live.game.name, live.latest.phase.value)
            counts[key] = counts.get(key, 0) + 1
        for labels, count in sorted(counts.items()):
            rooms.add_metric(labels, count)
        yield rooms
        yield GaugeMetricFamily(
            "qipai_rooms_unloaded",
            "Open rooms that a start has not loaded yet",
            value=executor.replication.unloaded,
        )
        yield CounterMetricFamily("qipai_frames", "Frames received", value=hall.inbox.frames)
        yield CounterMetricFamily("qipai_commands", "Commands that took effect", value=executor.moves)
        yield CounterMetricFamily("qipai_refusals", "Commands refused", value=executor.refused)
        refusals = CounterMetricFamily(
            "qipai_address_refusals", "What was refused because of a limit per address", labels=["limit"]
        )
        for limit in AddressLimit:
            refusals.add_metric([limit.value], hall.address_refusals[limit])
        yield refusals
        yield from self._api_token_metrics()
        yield CounterMetricFamily(
            "qipai_batches", "Batches written to the journal", value=executor.journal.batches
        )
        yield CounterMetricFamily("qipai_records", "Records written", value=executor.journal.records)
        yield CounterMetricFamily("qipai_incidents", "Internal errors", value=hall.internal_errors.count)
        yield from self._bot_metrics()
        yield from self._store_metrics()

    def _api_token_metrics(self) -> Iterator[Metric]:
        limits = self._hall.account_services.token_limits
        yield GaugeMetricFamily(
            "qipai_api_token_connections", "Open connections with an API token", value=limits.connections
        )
        refusals = CounterMetricFamily(
            "qipai_api_token_refusals",
            "What was refused or delayed by a limit of API tokens",
            labels=["limit"],
        )
        refused = limits.refused
        for limit in ApiTokenLimit:
            refusals.add_metric([limit.value], refused[limit])
        yield refusals

    def _bot_metrics(self) -> Iterator[Metric]:
        scheduler = self._hall.bots.scheduler
        waiting = GaugeMetricFamily("qipai_bot_moves_waiting", "Moves of bots not yet begun", labels=["bots"])
        begun = CounterMetricFamily("qipai_bot_moves", "Moves that bots began to compute", labels=["bots"])
        seconds = CounterMetricFamily(
            "qipai_bot_waiting_seconds", "Time that moves of bots waited to be computed", labels=["bots"]
        )
        for bots, lane in (("quick", scheduler.quick), ("slow", scheduler.slow)):
            waiting.add_metric([bots], len(lane.queue))
            begun.add_metric([bots], lane.started)
            seconds.add_metric([bots], lane.waited_seconds)
        yield from (waiting, begun, seconds)
        yield CounterMetricFamily(
            "qipai_bot_moves_reduced", "Moves of bots with less than full effort", value=scheduler.reduced
        )

    def _store_metrics(self) -> Iterator[Metric]:
        hall = self._hall
        yield InfoMetricFamily("qipai_build", "Version of the server", value={"version": __version__})
        yield GaugeMetricFamily(
            "qipai_store_up", "Whether the store answers and takes records", value=hall.store_health.up
        )
        yield GaugeMetricFamily(
            "qipai_workers",
            "Workers alive on the same store, this one included",
            value=hall.store_health.workers,
        )
        yield CounterMetricFamily(
            "qipai_commit_failures",
            "Batches whose outcome is unknown",
            value=hall.executor.journal.failures,
        )
        yield CounterMetricFamily(
            "qipai_commit_conflicts",
            "Commands repeated because another worker committed first",
            value=hall.executor.conflicts,
        )
        quarantined = GaugeMetricFamily(
            "qipai_rooms_quarantined",
            "Rooms set aside now: damaged, or not readable by this server",
            labels=["reason"],
        )
        damaged = hall.internal_errors.damaged_rooms()
        quarantined.add_metric(["damaged"], damaged)
        quarantined.add_metric(["unreadable"], len(hall.internal_errors.quarantined) - damaged)
        yield quarantined
        archive_up = hall.archiver is None or hall.archiver.up
        yield GaugeMetricFamily("qipai_archive_up", "Whether the archive answers", value=archive_up)
        unarchived = 0 if hall.archiver is None else hall.archiver.waiting
        yield GaugeMetricFamily("qipai_rooms_unarchived", "Closed rooms not yet archived", value=unarchived)


class GuardCollector(Collector):
    """Turns the counters of the guard into metrics."""

    def __init__(self, limits: ConnectionLimits) -> None:
        self._limits = limits

    def collect(self) -> Iterator[Metric]:
        """Yield every metric."""
        limits = self._limits
        yield GaugeMetricFamily("qipai_sockets", "Open sockets of clients, HTTP included", value=limits.open)
        yield GaugeMetricFamily("qipai_sockets_limit", "Most open sockets of clients", value=limits.limit)
        refused = CounterMetricFamily(
            "qipai_guard_refusals",
            "Connections and requests refused or closed by the guard",
            labels=["reason"],
        )
        for reason, count in limits.refused.items():
            refused.add_metric([reason.value], count)
        yield refused


def registry(hall: Hall, limits: ConnectionLimits, collectors: Sequence[Collector] = ()) -> CollectorRegistry:
    """Return a registry of hall, guard and process, independent of all others in this process."""
    metrics = CollectorRegistry()
    for collector in (PROCESS_COLLECTOR, PLATFORM_COLLECTOR, GC_COLLECTOR, *collectors):
        metrics.register(collector)
    metrics.register(HallCollector(hall))
    metrics.register(GuardCollector(limits))
    metrics.register(PeopleCollector(hall))
    return metrics
