"""The pump for long polling: an ASGI application."""

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import Final
from urllib.parse import parse_qsl

from starlette.types import Receive, Scope, Send

from .endpoint import SocketIO
from .engineio_session import Request, Session
from .request_errors import FORBIDDEN, REQUEST, SESSION, TOO_LARGE, RequestError, wrong
from .session_forwarding import SessionForwarding, forward

_TEXT: Final = (b"content-type", b"text/plain; charset=UTF-8")
_JSON: Final = (b"content-type", b"application/json")
_FRESH: Final = (b"cache-control", b"no-store")
_MAX_FIELDS: Final = 20


def request_of(query: str, headers: dict[str, str]) -> Request:
    """Return what a session remembers of its first request."""
    try:
        fields = dict(parse_qsl(query, keep_blank_values=True, max_num_fields=_MAX_FIELDS))
    except ValueError:
        fields = {}
    return Request(fields, headers.get("host", ""), headers.get("origin"), headers.get("cookie", ""))


class Polling:
    """Answers the requests of clients that poll; mount it at `/socket.io`."""

    def __init__(self, endpoint: SocketIO, elsewhere: SessionForwarding | None = None) -> None:
        self._endpoint = endpoint
        self._elsewhere = elsewhere

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        if scope["type"] != "http":
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        request = request_of(scope["query_string"].decode("latin-1"), headers)
        origins = self._endpoint.origins
        answer = partial(_answer, send, origins.headers(request.origin, request.host))
        if not origins.allows(request.origin, request.host):
            await answer(FORBIDDEN)
        elif scope["method"] == "OPTIONS":
            await _answer(send, origins.preflight(request.origin, request.host), b"", 204)
        elif (problem := wrong(request.query, scope["method"], upgrade=False)) is not None:
            await answer(problem)
        elif "sid" not in request.query:
            await answer(await _poll(self._endpoint.open(request), receive))
        elif (session := self._endpoint.sessions.get(request.query["sid"])) is None:
            if not await self._forwarded(scope, receive, send):
                await answer(SESSION)
        elif scope["method"] == "GET":
            await answer(await _poll(session, receive))
        else:
            await answer(await self._post(session, headers.get("content-length", ""), receive))

    async def _forwarded(self, scope: Scope, receive: Receive, send: Send) -> bool:
        """Let the worker answer whose session it is, if there is one."""
        elsewhere = self._elsewhere
        owner = "" if elsewhere is None else elsewhere.owner(scope["query_string"].decode("latin-1"))
        address = None if elsewhere is None or not owner else await elsewhere.where(owner)
        if address is None:
            return False
        return await forward(address, scope, receive, send, self._endpoint.max_payload)

    async def _post(self, session: Session, length: str, receive: Receive) -> bytes | RequestError:
        if not session.post():
            return REQUEST
        limit = self._endpoint.max_payload
        if length.isdecimal() and int(length) > limit:
            session.posted(None)
            return TOO_LARGE
        try:
            async with asyncio.timeout(self._endpoint.patience):
                payload = await _body(receive, limit)
        except TimeoutError:
            payload = None
        return b"ok" if session.posted(payload) else REQUEST if payload is not None else TOO_LARGE


async def _body(receive: Receive, limit: int) -> bytes | None:
    """Return what is posted, or None if it is too much or breaks off."""
    parts: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return None
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > limit:
            return None
        more = message.get("more_body", False)
    return b"".join(parts)


async def _poll(session: Session, receive: Receive) -> bytes | RequestError | None:
    """Return the payload for a poll, or None when the peer has hung up."""
    loop = asyncio.get_running_loop()
    payload: asyncio.Future[bytes | None] = loop.create_future()

    def reply(told: bytes | None) -> None:
        if not payload.done():
            payload.set_result(told)

    session.poll(reply)
    if not payload.done():
        leaving = loop.create_task(_hung_up(receive))
        try:
            await asyncio.wait((payload, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            leaving.cancel()
            session.hung_up(reply)
    if not payload.done():
        return None
    told = payload.result()
    return REQUEST if told is None else told


async def _hung_up(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _answer(
    send: Send,
    headers: Sequence[tuple[bytes, bytes]],
    answer: bytes | RequestError | None,
    status: int = 200,
) -> None:
    if answer is None:
        return
    if isinstance(answer, RequestError):
        status, kind, body = answer.status, _JSON, answer.body
    else:
        kind, body = _TEXT, answer
    length = (b"content-length", str(len(body)).encode())
    fixed = [_FRESH] if status == 204 else [kind, length, _FRESH]
    await send({"type": "http.response.start", "status": status, "headers": [*fixed, *headers]})
    await send({"type": "http.response.body", "body": body})
