"""The HTTP application: the web client, metrics and the documentation for client authors."""

from collections.abc import Sequence
from mimetypes import guess_type
from pathlib import Path
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from prometheus_client.registry import Collector
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from qipai import __version__
from qipai.guard.connection_limits import ConnectionLimits
from qipai.hall.accounts.openid.openid_interface import Provider
from qipai.hall.hall import Hall
from qipai.protocol.http_route import HttpRoute

from . import api_docs, finished_games_api, health_routes, mahjong_score_api, ratings_api, web_modules
from .accounts import account_api
from .metrics import registry
from .operators import operator_app
from .people import appeals_api, people_api
from .previews import share_routes
from .security_headers import SecurityHeaders

PAGE: Final = Path(__file__).parent.parent / "page"
_FILES: Final = {
    "favicon.svg": "image/svg+xml",
    "manifest.webmanifest": "application/manifest+json",
    "worker.js": "text/javascript",
    "icon-192.png": "image/png",
    "icon-512.png": "image/png",
    "icon-maskable-512.png": "image/png",
    "apple-touch-icon.png": "image/png",
}
"""Files beside the page whose names stay the same when their content changes."""
_NO_CACHE: Final = {"cache-control": "no-cache"}


class Assets(StaticFiles):
    """Built files have a hash in their name, so that browsers may cache them without limit."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file with a long cache life, compressed if the browser accepts that."""
        compressed = _accepts_gzip(Request(scope)) and self.lookup_path(f"{path}.gz")[1] is not None
        response = await super().get_response(f"{path}.gz" if compressed else path, scope)
        if compressed:
            response.headers["content-type"] = guess_type(path)[0] or "application/octet-stream"
            response.headers["content-encoding"] = "gzip"
        response.headers["vary"] = "accept-encoding"
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


def _accepts_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def create_app(
    hall: Hall,
    limits: ConnectionLimits,
    client_routes: Sequence[BaseRoute] = (),
    page: Path = PAGE,
    client_docs: Sequence[HttpRoute] = (),
    collectors: Sequence[Collector] = (),
    bundle_command: Sequence[str] = (),
    provider: Provider | None = None,
) -> Starlette:
    """Return the HTTP application, with routes and documentation of client support and further metrics."""
    metrics = registry(hall, limits, collectors)

    async def not_found(request: Request, error: Exception) -> Response:
        # A browser gets the page, which has a way back; everything else a line.
        if "text/html" in request.headers.get("accept", "") and (page / "index.html").is_file():
            return share_routes.site_response(page, request, 404)
        return PlainTextResponse("Not Found", 404)

    async def scrape(request: Request) -> Response:
        return Response(generate_latest(metrics), media_type=CONTENT_TYPE_LATEST)

    async def docs(request: Request) -> Response:
        return HTMLResponse(api_docs.page(__version__, client_docs))

    async def style(request: Request) -> Response:
        return Response(api_docs.STYLE, media_type="text/css")

    async def schema(request: Request) -> Response:
        match request.path_params["name"]:
            case "openapi.json":
                return JSONResponse(api_docs.openapi(client_docs))
            case "asyncapi.json":
                return JSONResponse(api_docs.asyncapi())
            case _:
                return PlainTextResponse("Not found\n", 404)

    async def page_file(request: Request) -> Response:
        name = request.url.path.removeprefix("/")
        if not (page / name).is_file():
            return PlainTextResponse("Not found\n", 404)
        return FileResponse(page / name, media_type=_FILES[name], headers=_NO_CACHE)

    routes: list[BaseRoute] = [
        *share_routes.routes(hall, page),
        *health_routes.routes(hall),
        Route("/metrics", scrape),
        Route("/docs", docs),
        Route("/docs/style.css", style),
        Route("/docs/{name}", schema),
        *(Route(f"/{name}", page_file) for name in _FILES),
        *mahjong_score_api.routes(),
        *finished_games_api.routes(hall),
        *people_api.routes(hall),
        *account_api.routes(
            hall.account_services,
            hall.identity,
            hall.finished_games,
            hall.moderation,
            lambda person: person in hall.executor.seat_index,
            provider,
        ),
        *appeals_api.routes(hall),
        *operator_app.routes(hall, limits, collectors, bundle_command),
        *ratings_api.routes(hall),
        *web_modules.routes(hall.executor.games),
        *client_routes,
    ]
    if (page / "assets").is_dir():
        routes.append(Mount("/assets", Assets(directory=page / "assets")))
    return Starlette(
        routes=routes,
        middleware=[Middleware(SecurityHeaders, page=page)],
        exception_handlers={404: not_found},
    )
