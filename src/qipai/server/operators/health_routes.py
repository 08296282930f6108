"""How this worker is doing, for operators."""

from collections import Counter
from time import monotonic
from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from qipai import __version__
from qipai.hall.moderation.sanction_interface import Role
from qipai.server.accounts.account_requests import answer

from .operator_requests import Caller, OperatorRoute, OperatorServices


async def health(services: OperatorServices, request: Request, caller: Caller) -> Response:
    """Return load, stores, bots and errors of the worker that answers."""
    hall, samples = services.hall, services.samples
    executor, scheduler, archiver = hall.executor, hall.bots.scheduler, hall.archiver
    samples.take(monotonic(), executor.moves)
    phases = Counter(live.latest.phase.value for live in executor.live_rooms.values())
    return answer(
        {
            "version": __version__,
            "workers": hall.store_health.workers,
            "connections": len(hall.connections),
            "sockets": services.limits.open,
            "sockets_limit": services.limits.limit,
            "persons": len(hall.persons),
            "persons_of_all_workers": len(hall.persons) + hall.replication.remote_persons,
            "tables": [{"phase": phase, "count": phases[phase]} for phase in sorted(phases)],
            "moves": executor.moves,
            "moves_per_second": samples.moves_per_second,
            "lag_p99_ms": samples.lag_p99_ms,
            "refused": executor.refused,
            "bot_moves_waiting": {
                "quick": len(scheduler.quick.queue),
                "slow": len(scheduler.slow.queue),
            },
            "store": {"up": hall.store_health.up, "commit_failures": executor.journal.failures},
            "archive": {
                "configured": archiver is not None,
                "up": archiver is None or archiver.up,
                "damaged": bool(archiver is not None and archiver.damaged),
                "tables_waiting": 0 if archiver is None else archiver.waiting,
            },
            "tables_set_aside": [
                {"room": room, "reason": str(reason)}
                for room, reason in hall.internal_errors.quarantined.items()
            ],
            "errors": hall.internal_errors.count,
            "incidents": [
                {
                    "incident": each.incident,
                    "at": each.at,
                    "event": each.event,
                    "kind": each.faults[0].kind if each.faults else "",
                    "place": each.faults[0].calls[-1] if each.faults and each.faults[0].calls else "",
                }
                for each in reversed(hall.internal_errors.recent)
            ],
        }
    )


ROUTES: Final = (
    OperatorRoute(
        "GET", "/api/operator/health", health, Role.OPERATOR, "How the worker that answers is doing."
    ),
)
