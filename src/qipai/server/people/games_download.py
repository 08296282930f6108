"""`GET /api/my-games/download`: all games of the asker in a ZIP file, sent while it is made."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import ExitStack
from typing import Final

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.types import Receive, Scope, Send

from qipai.guard.client_address import client_address
from qipai.hall.history.finished_games import TooManyRequests
from qipai.kernel.ids import Person
from qipai.server.game_searches import unavailable

from .games_zip import GamesDownloads

MOST_SECONDS: Final = 900
"""After this time a download ends, so that a slow reader does not keep its place."""


class _Download(StreamingResponse):
    """Sends a file, and frees its place when it is sent or the client is gone."""

    def __init__(self, parts: AsyncIterator[bytes], place: ExitStack) -> None:
        headers = {
            "cache-control": "no-store",
            "content-disposition": 'attachment; filename="qipai-games.zip"',
        }
        super().__init__(parts, headers=headers, media_type="application/zip")
        self._place = place

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        with self._place:
            async with asyncio.timeout(MOST_SECONDS):
                await super().__call__(scope, receive, send)


def download(downloads: GamesDownloads, request: Request, person: Person) -> Response:
    """Return the response with all games of a person, or one that says when to try again."""
    address = client_address(request.scope)
    place = ExitStack()
    try:
        place.enter_context(downloads.place(address))
    except TooManyRequests as error:
        return unavailable(error)
    return _Download(downloads.zip_file(person, address), place)
