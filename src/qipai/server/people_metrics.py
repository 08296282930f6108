"""Prometheus metrics of accounts, ratings and moderation."""

from collections.abc import Iterator

from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from qipai.hall.accounts.account_refusals import ATTACKS
from qipai.hall.hall import Hall
from qipai.hall.internal_errors import Database
from qipai.hall.moderation.sanction_interface import SanctionKind
from qipai.hall.people.identity import wall_clock


class PeopleCollector(Collector):
    """Turns what a worker knows of people into metrics, without asking a database."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def collect(self) -> Iterator[Metric]:
        """Yield every metric."""
        yield from self._account_metrics()
        yield from self._archive_metrics()
        yield from self._moderation_metrics()

    def _account_metrics(self) -> Iterator[Metric]:
        services = self._hall.account_services
        accounts = services.accounts
        yield GaugeMetricFamily("qipai_accounts", "Accounts that exist", value=len(services.directory))
        yield CounterMetricFamily(
            "qipai_sign_ins", "Devices signed in", value=0 if accounts is None else accounts.sign_ins
        )
        refusals = CounterMetricFamily(
            "qipai_sign_in_refusals", "Attempts to sign in or to confirm that were refused", labels=["reason"]
        )
        for reason in ATTACKS:
            refusals.add_metric([reason.value], 0 if accounts is None else accounts.refusals.counts[reason])
        yield refusals
        yield GaugeMetricFamily(
            "qipai_password_hashes_waiting",
            "Hashes of passwords and signatures of passkeys that wait or are computed",
            value=0 if accounts is None else accounts.passwords.waiting,
        )

    def _archive_metrics(self) -> Iterator[Metric]:
        archiver = self._hall.archiver
        yield CounterMetricFamily(
            "qipai_rated_matches",
            "Rated matches that this worker archived",
            value=0 if archiver is None else archiver.rated,
        )
        yield GaugeMetricFamily(
            "qipai_archive_round_age_seconds",
            "Seconds since matches and closed rooms were archived without an error",
            value=0 if archiver is None else archiver.round_age,
        )
        errors = CounterMetricFamily(
            "qipai_database_errors", "How often a database did not answer", labels=["database"]
        )
        for database in Database:
            errors.add_metric([database.value], self._hall.internal_errors.unavailable[database])
        yield errors

    def _moderation_metrics(self) -> Iterator[Metric]:
        moderation = self._hall.moderation
        yield GaugeMetricFamily("qipai_reports_open", "Open reports", value=moderation.open_reports)
        sanctions = GaugeMetricFamily("qipai_sanctions", "Sanctions in force", labels=["kind"])
        counts = moderation.index.counts(wall_clock())
        for kind in SanctionKind:
            sanctions.add_metric([kind.value], counts[kind])
        yield sanctions
