"""`/t/ROOM`, `/g/ROOM/MATCH`, `/@NAME`, `/operator`: the page, with the preview of what is there."""

import re
from collections.abc import Awaitable, Callable
from functools import partial
from pathlib import Path
from typing import Final

from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from qipai.guard.client_address import client_address
from qipai.hall.hall import Hall
from qipai.hall.history.finished_games import TooManyFromAddress, TooManyRequests
from qipai.hall.journal.store_interface import StoreError
from qipai.kernel.game_interface.game_preview import LANGUAGES
from qipai.kernel.ids import RoomId

from .link_preview import LinkPreview, game_preview, person_preview, site_preview, table_preview
from .picture_drawing import draw_picture
from .picture_service import PictureService, content_hash
from .preview_tags import page_template, public_address
from .preview_texts import language_of

_ROOM: Final = re.compile(r"[\w-]{1,32}", re.ASCII)
_MATCH: Final = re.compile(r"[1-9][0-9]{0,5}", re.ASCII)
_MAX_NAME: Final = 100
_PICTURE: Final = "picture.png"
_NOT_BUILT: Final = "The web client is not built here. Run `make web`, then reload this page.\n"
_HTML_HEADERS: Final = {"cache-control": "no-cache", "vary": "accept-language"}
_PICTURE_SECONDS: Final = 300
"""How long a picture may be cached; its address changes when its content does."""
_RETRY: Final = "2"

Find = Callable[[Request, str], Awaitable[LinkPreview | None]]


class Unavailable(Exception):
    """It is not known now whether there is such a table or game."""


def page_response(
    page: Path, request: Request, preview: LinkPreview, path: str, status: int = 200
) -> Response:
    """Return the built page with the tags of a preview at a path."""
    template = page_template(page)
    if template is None:
        return PlainTextResponse(_NOT_BUILT, 503)
    address = public_address(request.url.scheme, request.headers.get("host", ""))
    query = f"language={preview.language}&v={content_hash(preview.picture)}"
    picture = f"{path.rstrip('/')}/{_PICTURE}?{query}"
    return HTMLResponse(template.with_preview(preview, address, path, picture), status, _HTML_HEADERS)


def site_response(page: Path, request: Request, status: int = 200) -> Response:
    """Return the built page with the preview of the site."""
    return page_response(page, request, site_preview(_language(request)), "/", status)


def routes(hall: Hall, page: Path) -> list[BaseRoute]:
    """Return the routes."""
    games = hall.executor.games
    pictures = PictureService(partial(draw_picture, games), hall.address_refusals)

    async def site(request: Request, language: str) -> LinkPreview | None:
        return site_preview(language)

    async def person(request: Request, language: str) -> LinkPreview | None:
        services = hall.account_services
        owner = services.directory.owner(services.names.skeleton(request.path_params["name"][:_MAX_NAME]))
        account = None if owner is None else services.directory.account(owner)
        return None if account is None else person_preview(account.name, language)

    async def table(request: Request, language: str) -> LinkPreview | None:
        room = RoomId(request.path_params["room"])
        if not _ROOM.fullmatch(room):
            return None
        replication = hall.executor.replication
        try:
            live = hall.executor.live_rooms.get(room) or await replication.find(room)
            if live is None or live.durable.id != room:
                return None
            await replication.ready(live)
        except StoreError as error:
            raise Unavailable from error
        return table_preview(live, language)

    async def finished(request: Request, language: str) -> LinkPreview | None:
        room, match = request.path_params["room"], request.path_params["match"]
        if not _ROOM.fullmatch(room) or not _MATCH.fullmatch(match):
            return None
        try:
            ending = await hall.finished_games.ending(
                RoomId(room), int(match), address=client_address(request.scope)
            )
        except (TooManyRequests, StoreError) as error:
            raise Unavailable from error
        return None if ending is None else game_preview(games, ending, language)

    def shown(find: Find) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            try:
                preview = await find(request, _language(request))
            except Unavailable:
                # The page itself asks again; only the preview is lost.
                return site_response(page, request)
            if preview is None:
                return site_response(page, request, 404)
            return page_response(page, request, preview, request.url.path)

        return respond

    def drawn(find: Find) -> Callable[[Request], Awaitable[Response]]:
        async def respond(request: Request) -> Response:
            language = request.query_params.get("language", "")
            try:
                preview = await find(request, language if language in LANGUAGES else _language(request))
                if preview is None:
                    return PlainTextResponse("Not Found", 404)
                name = content_hash(preview.picture)
                headers = {"etag": f'"{name}"', "cache-control": f"public, max-age={_PICTURE_SECONDS}"}
                if f'"{name}"' in request.headers.get("if-none-match", ""):
                    return Response(None, 304, headers)
                file = await pictures.picture(preview.picture, name, client_address(request.scope))
            except (Unavailable, TooManyRequests) as error:
                status = 429 if isinstance(error, TooManyFromAddress) else 503
                return PlainTextResponse("Try again\n", status, {"retry-after": _RETRY})
            return Response(file, media_type="image/png", headers=headers)

        return respond

    return [
        Route("/", shown(site)),
        # The page itself asks whether there is anything for who opens it.
        Route("/operator", shown(site)),
        Route("/operator/{view}", shown(site)),
        Route(f"/{_PICTURE}", drawn(site)),
        Route("/@{name}", shown(person)),
        Route("/t/{room}", shown(table)),
        Route(f"/@{{name}}/{_PICTURE}", drawn(person)),
        Route(f"/t/{{room}}/{_PICTURE}", drawn(table)),
        Route("/g/{room}/{match}", shown(finished)),
        Route(f"/g/{{room}}/{{match}}/{_PICTURE}", drawn(finished)),
    ]


def _language(request: Request) -> str:
    return language_of(request.headers.get("accept-language", ""))
