"""The pages: the web client, health, metrics and the documents for client authors."""

from collections.abc import Sequence
from mimetypes import guess_type
from pathlib import Path
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, generate_latest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from qipai import __version__
from qipai.hall.hall import Hall

from . import api_docs, finished_games_api, mahjong_score_api
from .metrics import registry

PAGE: Final = Path(__file__).parent.parent / "page"
_POLICY: Final = (
    b"default-src 'self'; img-src 'self' data:; style-src 'self'; base-uri 'none'; "
    b"form-action 'self'; frame-ancestors 'none'; object-src 'none'"
)
_HEADERS: Final = [
    (b"content-security-policy", _POLICY),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]
_FILES: Final = {
    "favicon.svg": "image/svg+xml",
    "manifest.webmanifest": "application/manifest+json",
    "worker.js": "text/javascript",
    "icon-192.png": "image/png",
    "icon-512.png": "image/png",
    "icon-maskable-512.png": "image/png",
    "apple-touch-icon.png": "image/png",
}
"""What lies beside the page; its names stay while their content changes."""
_FRESH: Final = {"cache-control": "no-cache"}
_MISSING: Final = "The web client is not built here. Run `make web`, then reload this page.\n"


class SecurityHeaders:
    """Adds the headers that keep the page to itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with the headers added."""

        async def guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", []), *_HEADERS]
            await send(message)

        await self._app(scope, receive, guarded)


class Assets(StaticFiles):
    """Built files carry a hash in their name, so browsers may keep them for ever."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the file with a long life, packed if there is a packed one that the browser takes."""
        packed = _takes_gzip(Request(scope)) and self.lookup_path(f"{path}.gz")[1] is not None
        response = await super().get_response(f"{path}.gz" if packed else path, scope)
        if packed:
            response.headers["content-type"] = guess_type(path)[0] or "application/octet-stream"
            response.headers["content-encoding"] = "gzip"
        response.headers["vary"] = "accept-encoding"
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


def _takes_gzip(request: Request) -> bool:
    return "gzip" in request.headers.get("accept-encoding", "")


def create_app(reception: Hall, client_routes: Sequence[BaseRoute] = (), page: Path = PAGE) -> Starlette:
    """Return the HTTP side of the server, with the routes that client support adds."""
    metrics = registry(reception)

    async def index(request: Request) -> Response:
        shell = page / "index.html"
        if not shell.is_file():
            return PlainTextResponse(_MISSING, 503)
        return FileResponse(shell, headers=_FRESH)

    async def health(request: Request) -> Response:
        status = "stopping" if reception.draining else "ok"
        return JSONResponse({"status": status}, 503 if reception.draining else 200)

    async def ready(request: Request) -> Response:
        if reception.draining:
            return JSONResponse({"status": "stopping"}, 503)
        if not reception.store_health.up:
            return JSONResponse({"status": "store out of reach"}, 503)
        return JSONResponse({"status": "ready"})

    async def scrape(request: Request) -> Response:
        return Response(generate_latest(metrics), media_type=CONTENT_TYPE_LATEST)

    async def docs(request: Request) -> Response:
        return HTMLResponse(api_docs.page(__version__))

    async def style(request: Request) -> Response:
        return Response(api_docs.STYLE, media_type="text/css")

    async def document(request: Request) -> Response:
        found = api_docs.FILES.get(request.path_params["name"])
        return PlainTextResponse("Not found\n", 404) if found is None else JSONResponse(found())

    async def beside(request: Request) -> Response:
        name = request.url.path.removeprefix("/")
        if not (page / name).is_file():
            return PlainTextResponse("Not found\n", 404)
        return FileResponse(page / name, media_type=_FILES[name], headers=_FRESH)

    routes: list[BaseRoute] = [
        Route("/", index),
        Route("/health", health),
        Route("/ready", ready),
        Route("/metrics", scrape),
        Route("/docs", docs),
        Route("/docs/style.css", style),
        Route("/docs/{name}", document),
        *(Route(f"/{name}", beside) for name in _FILES),
        *mahjong_score_api.routes(),
        *finished_games_api.routes(reception),
        *client_routes,
    ]
    if (page / "assets").is_dir():
        routes.append(Mount("/assets", Assets(directory=page / "assets")))
    return Starlette(routes=routes, middleware=[Middleware(SecurityHeaders)])
