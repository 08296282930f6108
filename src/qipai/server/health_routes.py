"""`/health` (liveness) and `/ready` (readiness): 200, or 503 with the reason."""

from collections.abc import Sequence

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from qipai.hall.hall import Hall


def routes(hall: Hall) -> Sequence[Route]:
    """Return the routes of both checks."""

    async def health(request: Request) -> Response:
        status = "stopping" if hall.draining else "ok"
        return JSONResponse({"status": status}, 503 if hall.draining else 200)

    async def ready(request: Request) -> Response:
        if hall.draining:
            return JSONResponse({"status": "stopping"}, 503)
        if not hall.store_health.up:
            return JSONResponse({"status": "store out of reach"}, 503)
        answer = {"status": "ready"}
        if hall.archiver is not None and not hall.archiver.up:
            answer["archive"] = "damaged" if hall.archiver.damaged else "out of reach"
        if hall.internal_errors.quarantined:
            answer["tables_set_aside"] = str(len(hall.internal_errors.quarantined))
        return JSONResponse(answer)

    return [Route("/health", health), Route("/ready", ready)]
