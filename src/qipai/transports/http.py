"""The pages: the web client, health, metrics and the documents for client authors."""

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
from qipai.hall.reception import Reception

from . import documents, login, mahjong, scoring
from .socketio.endpoint import SocketIO
from .socketio.polling import Polling
from .telemetry import registry

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
_CLIENTS: Final = ("socket.io.js", "socket.io.min.js", "socket.io.esm.min.js")
"""The official browser client, from its package."""
_MISSING: Final = "The web client is not built here. Run `make web`, then reload this page.\n"


class Guarded:
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

    def file_response(self, *args: object, **kwargs: object) -> Response:
        """Return the file with a long life."""
        response = super().file_response(*args, **kwargs)  # type: ignore[arg-type] # passed on unread
        response.headers["cache-control"] = "public, max-age=31536000, immutable"
        return response


def create_app(reception: Reception, endpoint: SocketIO, page: Path = PAGE) -> Starlette:
    """Return the HTTP side of the server."""
    metrics = registry(reception)

    async def index(request: Request) -> Response:
        shell = page / "index.html"
        if not shell.is_file():
            return PlainTextResponse(_MISSING, 503)
        return FileResponse(shell, headers={"cache-control": "no-cache"})

    async def health(request: Request) -> Response:
        status = "stopping" if reception.draining else "ok"
        return JSONResponse({"status": status}, 503 if reception.draining else 200)

    async def scrape(request: Request) -> Response:
        return Response(generate_latest(metrics), media_type=CONTENT_TYPE_LATEST)

    async def docs(request: Request) -> Response:
        return HTMLResponse(documents.page(__version__))

    async def style(request: Request) -> Response:
        return Response(documents.STYLE, media_type="text/css")

    async def document(request: Request) -> Response:
        found = documents.FILES.get(request.path_params["name"])
        return PlainTextResponse("Not found\n", 404) if found is None else JSONResponse(found())

    async def client(request: Request) -> Response:
        bundle = page / request.url.path.removeprefix("/")
        if not bundle.is_file():
            return PlainTextResponse(_MISSING, 503)
        return FileResponse(bundle, media_type="text/javascript", headers={"cache-control": "no-cache"})

    async def favicon(request: Request) -> Response:
        icon = page / "favicon.svg"
        return FileResponse(icon) if icon.is_file() else PlainTextResponse("Not found\n", 404)

    routes: list[BaseRoute] = [
        Route("/", index),
        Route("/health", health),
        Route("/metrics", scrape),
        Route("/docs", docs),
        Route("/docs/style.css", style),
        Route("/docs/{name}", document),
        Route("/favicon.svg", favicon),
        *login.routes(reception.identity),
        *scoring.routes(),
        *mahjong.routes(reception),
        *(Route(f"/socket.io/{name}", client) for name in _CLIENTS),
        Mount("/socket.io", Polling(endpoint)),
    ]
    if (page / "assets").is_dir():
        routes.append(Mount("/assets", Assets(directory=page / "assets")))
    return Starlette(routes=routes, middleware=[Middleware(Guarded)])
