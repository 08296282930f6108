"""A server that cannot answer a request for finished games now says when to ask again."""

import asyncio
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.types import Message

from qipai.games.game_registry import GAMES
from qipai.hall.hall import Hall
from qipai.hall.history.finished_games import TooManyFromAddress, TooManyRequests
from qipai.hall.journal.store_interface import StoreError
from qipai.server.finished_games_api import routes
from qipai.stores.memory_store import MemoryStore


def get(app: Starlette, path: str) -> tuple[int, dict[bytes, bytes]]:
    """Return status and headers of the response."""
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    scope: dict[str, Any] = {
        "type": "http",
        "method": "GET",
        "path": path,
        "headers": [],
        "query_string": b"",
    }
    asyncio.run(app(scope, receive, send))
    return sent[0]["status"], dict(sent[0]["headers"])


@pytest.mark.parametrize("path", ["/api/games/room/1", "/api/games/room/1/record", "/api/games"])
@pytest.mark.parametrize(
    ("error", "status", "seconds"),
    [
        (TooManyFromAddress(), 429, b"2"),
        (TooManyRequests(), 503, b"2"),
        (StoreError("archive away"), 503, b"60"),
    ],
    ids=["address", "all", "archive"],
)
def test_the_response_says_when_to_ask_again(
    monkeypatch: pytest.MonkeyPatch, path: str, error: Exception, status: int, seconds: bytes
) -> None:
    hall = Hall(GAMES, MemoryStore())

    async def fail(*_: object, **__: object) -> None:
        raise error

    for method in ("replay", "record", "search"):
        monkeypatch.setattr(hall.finished_games, method, fail)
    found, headers = get(Starlette(routes=routes(hall)), path)
    assert (found, headers[b"retry-after"], headers[b"cache-control"]) == (status, seconds, b"no-store")
