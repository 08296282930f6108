"""`GET /games`: which games there are; below it, the web modules of games from outside."""

import gzip
from collections.abc import Mapping
from typing import Final, NamedTuple

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import BaseRoute, Route

from qipai import __version__
from qipai.games.game import Game
from qipai.games.game_registry import INSTALLED
from qipai.games.web_module import media_type

_COMPRESSED: Final = frozenset({"css", "js", "json", "svg"})
_HEADERS: Final = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}


class _File(NamedTuple):
    """A file as it is sent; `compressed` is empty if compression does not pay."""

    media: str
    body: bytes
    compressed: bytes


def routes(games: Mapping[str, Game]) -> list[BaseRoute]:
    """Return the routes."""
    packages = {each.game.name: {"package": each.package, "version": each.version} for each in INSTALLED}
    own = {"package": "qipai", "version": __version__}
    # Only these exact paths are served: no path can leave the folder of a package.
    files = {
        f"{game.web.address}/{path}": _file(path, body)
        for game in games.values()
        if game.web is not None
        for path, body in game.web.files.items()
    }

    async def listing(request: Request) -> Response:
        return JSONResponse({name: packages.get(name, own) for name in games})

    async def serve(request: Request) -> Response:
        file = files.get(request.url.path)
        if file is None:
            return PlainTextResponse("Not found\n", 404)
        if file.compressed and "gzip" in request.headers.get("accept-encoding", ""):
            headers = {**_HEADERS, "content-encoding": "gzip"}
            return Response(file.compressed, headers=headers, media_type=file.media)
        return Response(file.body, headers=_HEADERS, media_type=file.media)

    return [Route("/games", listing), Route("/games/{path:path}", serve)]


def _file(path: str, body: bytes) -> _File:
    media = media_type(path)
    assert media is not None
    compressed = gzip.compress(body, mtime=0) if path.rpartition(".")[2] in _COMPRESSED else b""
    return _File(media, body, compressed if len(compressed) < len(body) else b"")
